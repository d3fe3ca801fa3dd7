"""Figures of batches: the positions of padded texts, and the pairs of packed documents."""

import numpy as np
import numpy.typing as npt

from posenc.attention import attention
from posenc.catalog.rope.encoding import Rope, rope
from posenc.encoding import param
from posenc.number_format import counted, rounded
from posenc.views import Edge, ViewData, cell_axis, require_few

TEXTS = 3  # of a padded batch
SEED = 0  # of the queries, keys and values of packed documents
UNMOVED = 1e-9  # a smaller difference is rounding
Numbers = npt.NDArray[np.int64]
Booleans = npt.NDArray[np.bool_]


@rope.view(
    "padded",
    title="The positions of three texts in a batch",
    kind="heatmap",
    scale="magnitude",
    along_x=("longest", "written"),
    params={
        "longest": param(6, ge=3, le=1024, slider=(3, 16, 1), doc="tokens of the longest text"),
        "side": param("left", choices=("left", "right"), doc="where the padding is"),
        "count": param(
            "tokens", choices=("tokens", "columns"), doc="what positions count: tokens or columns"
        ),
        "written": param(0, ge=0, le=1024, slider=(0, 8, 1), doc="tokens written after the texts"),
    },
    in_page="rope/padded.js",
    in_page_cells=10_000,
)
def padded(encoding: Rope, *, longest: int, side: str, count: str, written: int) -> ViewData:
    """Return the position of each token, (3, longest + written), NaN at padding.

    The texts have all, two thirds and one third of the tokens of the longest, rounded up. Tokens
    that are written stand in the last columns.
    """
    lengths = [-(-longest * share // TEXTS) for share in range(TEXTS, 0, -1)]
    mask = np.stack([_tokens(length, longest, side, written) for length in lengths])
    columns = mask.shape[1]
    right = encoding.batch_positions(mask)
    positions = right if count == "tokens" else np.broadcast_to(np.arange(columns), mask.shape)
    wrong = int((mask & (positions != right)).sum())
    shortest = positions[-1][mask[-1]].tolist()
    return ViewData(
        kind="heatmap",
        scale="magnitude",
        values=np.where(mask, positions, np.nan),
        x=cell_axis("column of the batch", columns, most=10),
        y=cell_axis("text", TEXTS, most=TEXTS),
        limits=(0.0, float(columns - 1)),
        unit="position",
        masked="padding",
        title=_title(count, wrong),
        subtitle=f"{lengths[0]}, {lengths[1]} and {counted(lengths[2], 'token')}, padding on the"
        f" {side}"
        + (f"; {counted(written, 'token')} written after each text." if written else "."),
        finding=f"The {counted(len(shortest), 'token')} of text {TEXTS - 1}"
        f" {'has position' if len(shortest) == 1 else 'have the positions'} {_listed(shortest)}. "
        + ("Every token has its own position." if not wrong else _how_many(wrong, int(mask.sum()))),
        row_noun="text",
        row_names=tuple(str(text) for text in range(TEXTS)),
        column_noun="column",
        column_names=tuple(str(column) for column in range(columns)),
        summary={"wrong": wrong, "padding": int((~mask).sum()), "last": int(shortest[-1])},
    )


def _tokens(length: int, longest: int, side: str, written: int) -> Booleans:
    """Return one row of the mask, True at tokens, (longest + written,)."""
    columns = np.arange(longest)
    text = columns >= longest - length if side == "left" else columns < length
    return np.concatenate([text, np.ones(written, dtype=bool)])


def _title(count: str, wrong: int) -> str:
    if count == "tokens":
        return "Each text counts its own tokens"
    return "Numbers of columns are no positions" if wrong else "Here columns and tokens agree"


def _how_many(wrong: int, tokens: int) -> str:
    has = "has" if wrong == 1 else "have"
    return f"{wrong} of all {counted(tokens, 'token')} {has} the position of another token."


def _listed(positions: list[int]) -> str:
    """Return "0 to 3", or "0, 1, 6" where a number is left out; ten of them at the most."""
    if len(positions) == 1:
        return str(positions[0])
    if positions[-1] - positions[0] == len(positions) - 1:
        return f"{positions[0]} to {positions[-1]}"
    shown = [*map(str, positions[:9]), *(["…"] if len(positions) > 10 else []), str(positions[-1])]
    return ", ".join(shown if len(positions) > 9 else map(str, positions))


@rope.view(
    "packed",
    title="Two documents in one row",
    kind="heatmap",
    scale="signed_unit",
    along_x=("first", "second"),
    params={
        "first": param(3, ge=1, le=512, slider=(1, 12, 1), doc="tokens of the first document"),
        "second": param(2, ge=1, le=512, slider=(1, 12, 1), doc="tokens of the second document"),
        "restart": param(True, doc="whether positions begin again with the second document"),
        "separate": param(True, doc="whether a query sees keys of its own document alone"),
    },
    in_page="rope/packed.js",
    in_page_cells=10_000,
)
def packed(encoding: Rope, *, first: int, second: int, restart: bool, separate: bool) -> ViewData:
    """Return the position of the key minus that of the query, (L, L), NaN where it is not seen.

    The finding compares the attention of both in one row with that of each document alone, for
    random queries, keys and values.
    """
    setting = f"head_dim={encoding.head_dim}"
    require_few("first", first + second, each=3 * encoding.head_dim, setting=setting)
    documents = np.repeat([0, 1], [first, second])
    tokens = len(documents)
    apart = encoding.batch_positions(documents=documents)
    positions = apart if restart else np.arange(tokens)
    causal = np.tri(tokens, dtype=bool)
    seen = causal & (documents[:, None] == documents) if separate else causal
    crossing = int((seen & (documents[:, None] != documents)).sum())
    difference = _difference(encoding, documents, positions, seen)
    relative = (positions - positions[:, None]).astype(np.float64)
    values = np.where(seen, relative, np.nan)
    farthest = float(max(tokens - 1, 1))
    border = first - 0.5
    corners = np.array([(border, tokens - 0.5), (border, border), (-0.5, border)])
    return ViewData(
        kind="heatmap",
        scale="signed_unit",
        values=values,
        x=cell_axis("column of the key", tokens, most=10),
        y=cell_axis("column of the query", tokens, most=6),
        limits=(-farthest, farthest),
        unit="key − query",
        masked="keys that the query does not see",
        edges=(Edge(corners, "border between the documents"),),
        square=True,
        title=_separation(restart=restart, separate=separate),
        subtitle=f"Documents of {counted(first, 'token')} and {counted(second, 'token')}, causal"
        " mask. Values are the position of the key minus that of the query.",
        finding=_comparison(crossing, difference),
        row_noun="query",
        row_names=tuple(str(token) for token in range(tokens)),
        column_noun="key",
        column_names=tuple(str(token) for token in range(tokens)),
        summary={"crossing": crossing, "difference": difference},
    )


def _difference(encoding: Rope, documents: Numbers, positions: Numbers, seen: Booleans) -> float:
    """Return the largest difference of any output from that of the document alone, 0 if rounding.

    Both are computed from the same random queries, keys and values, one head.
    """
    rng = np.random.default_rng(SEED)
    q, k, v = rng.normal(size=(3, 1, len(documents), encoding.head_dim))
    together = attention(
        q, k, v, encoding=encoding, q_positions=positions, k_positions=positions, mask=seen
    )
    differences = [0.0]
    for document in (0, 1):
        own = documents == document
        at = np.arange(int(own.sum()))
        alone = attention(
            q[:, own],
            k[:, own],
            v[:, own],
            encoding=encoding,
            q_positions=at,
            k_positions=at,
            causal=True,
        )
        differences.append(float(np.abs(together[:, own] - alone).max()))
    largest = max(differences)
    return largest if largest > UNMOVED else 0.0


def _separation(*, restart: bool, separate: bool) -> str:
    if separate:
        return "The mask keeps the documents apart" + ("" if restart else ", without a restart")
    return (
        "Positions that restart do not keep the documents apart"
        if restart
        else "The second document reads the first"
    )


def _comparison(crossing: int, difference: float) -> str:
    pairs = counted(crossing, "query–key pair")
    beginning = f"{pairs} {'crosses' if crossing == 1 else 'cross'} the border."
    if not difference:
        return f"{beginning} With random vectors, the outputs are those of each document alone."
    return (
        f"{beginning} With random vectors, an output differs by up to {rounded(difference)} from"
        " that of its document alone."
    )
