"""The figures of batches: positions counted token by token, packed attention written out."""

import cmath
import itertools
import math

import numpy as np
import pytest
from posenc.catalog.rope import Rope, rope

PADDED, PACKED = (rope.views[name] for name in ("padded", "packed"))
LENGTHS = {3: (3, 2, 1), 6: (6, 4, 2), 7: (7, 5, 3), 9: (9, 6, 3)}  # by the longest


def counted_row(length, longest, side, written, *, by_column):
    """Return one row of the figure, None at padding, by going through its columns."""
    padding = longest - length
    is_padding = [False] * longest
    for column in range(padding):
        is_padding[column if side == "left" else longest - 1 - column] = True
    row, tokens = [], 0
    for column, hidden in enumerate(is_padding + [False] * written):
        row.append(None if hidden else column if by_column else tokens)
        tokens += not hidden
    return row


@pytest.mark.parametrize("side", ["left", "right"])
@pytest.mark.parametrize("count", ["tokens", "columns"])
@pytest.mark.parametrize(("longest", "written"), [(3, 0), (6, 0), (6, 3), (7, 2), (9, 1)])
def test_padded_figure_counts_token_by_token(side, count, longest, written):
    data = PADDED.compute(Rope(), longest=longest, side=side, count=count, written=written)
    by_column = count == "columns"
    rows = [
        counted_row(length, longest, side, written, by_column=by_column)
        for length in LENGTHS[longest]
    ]
    right = [
        counted_row(length, longest, side, written, by_column=False) for length in LENGTHS[longest]
    ]
    np.testing.assert_array_equal(data.values, np.array(rows, dtype=float))
    pairs = [
        pair
        for row, expected in zip(rows, right, strict=True)
        for pair in zip(row, expected, strict=True)
    ]
    assert data.summary["wrong"] == sum(drawn != expected for drawn, expected in pairs)
    assert data.summary["padding"] == sum(drawn is None for drawn, _ in pairs)
    assert (
        data.summary["last"]
        == rows[-1][-1 if written or side == "left" else LENGTHS[longest][-1] - 1]
    )


@pytest.mark.parametrize(
    ("settings", "title", "finding"),
    [
        (
            {},
            "Each text counts its own tokens",
            "The 2 tokens of text 2 have the positions 0 to 1. Every token has its own position.",
        ),
        (
            {"count": "columns"},
            "Numbers of columns are no positions",
            "The 2 tokens of text 2 have the positions 4 to 5. 6 of all 12 tokens have the position"
            " of another token.",
        ),
        (
            {"count": "columns", "side": "right"},
            "Here columns and tokens agree",
            "The 2 tokens of text 2 have the positions 0 to 1. Every token has its own position.",
        ),
        (
            {"count": "columns", "side": "right", "written": 2},
            "Numbers of columns are no positions",
            "The 4 tokens of text 2 have the positions 0, 1, 6, 7. 4 of all 18 tokens have the"
            " position of another token.",
        ),
        (
            {"longest": 3},
            "Each text counts its own tokens",
            "The 1 token of text 2 has position 0. Every token has its own position.",
        ),
    ],
)
def test_padded_figure_says_what_it_shows(settings, title, finding):
    data = PADDED.compute(Rope(), **settings)
    assert (data.title, data.finding) == (title, finding)


def test_long_list_of_positions_is_cut():
    data = PADDED.compute(Rope(), longest=33, side="right", count="columns", written=1)
    assert "positions 0, 1, 2, 3, 4, 5, 6, 7, 8, …, 33." in data.finding


def attended(queries, keys, values, positions, seen):
    """Return attention with RoPE written out with complex numbers, (tokens, D)."""
    dims = queries.shape[1]
    outputs = np.zeros_like(values)
    for query in range(len(queries)):
        scores = {}
        for key in range(len(keys)):
            if not seen(query, key):
                continue
            score = 0.0
            for pair in range(dims // 2):
                turn = cmath.exp(
                    1j * (positions[query] - positions[key]) * 10_000.0 ** (-2 * pair / dims)
                )
                q = complex(queries[query, 2 * pair], queries[query, 2 * pair + 1])
                k = complex(keys[key, 2 * pair], keys[key, 2 * pair + 1])
                score += (q * turn * k.conjugate()).real
            scores[key] = math.exp(score / math.sqrt(dims))
        for key, weight in scores.items():
            outputs[query] += weight / sum(scores.values()) * values[key]
    return outputs


@pytest.mark.parametrize("restart", [True, False])
@pytest.mark.parametrize("separate", [True, False])
@pytest.mark.parametrize(("first", "second"), [(3, 2), (1, 1), (2, 5)])
def test_packed_figure_is_attention_written_out(restart, separate, first, second):
    settings = {"first": first, "second": second, "restart": restart, "separate": separate}
    data = PACKED.compute(Rope(head_dim=8, pairing="adjacent"), **settings)
    tokens = first + second
    owner = [0] * first + [1] * second
    positions = [token - first * (restart and owner[token]) for token in range(tokens)]

    def seen(query, key):
        return key <= query and (not separate or owner[query] == owner[key])

    grid = np.array(
        [
            [positions[k] - positions[q] if seen(q, k) else math.nan for k in range(tokens)]
            for q in range(tokens)
        ]
    )
    np.testing.assert_array_equal(data.values, grid)
    crossing = sum(
        seen(q, k) and owner[q] != owner[k] for q, k in itertools.product(range(tokens), repeat=2)
    )
    assert data.summary["crossing"] == crossing == (0 if separate else first * second)
    queries, keys, values = np.random.default_rng(0).normal(size=(3, 1, tokens, 8))[:, 0]
    together = attended(queries, keys, values, positions, seen)
    alone = np.concatenate(
        [
            attended(queries[own], keys[own], values[own], range(tokens), lambda q, k: k <= q)
            for own in (slice(0, first), slice(first, tokens))
        ]
    )
    difference = np.abs(together - alone).max()
    assert data.summary["difference"] == pytest.approx(difference, abs=1e-9)
    assert (data.summary["difference"] == 0) == separate


@pytest.mark.parametrize(
    ("settings", "title", "finding"),
    [
        (
            {},
            "The mask keeps the documents apart",
            "0 query–key pairs cross the border. With random vectors, the outputs are those"
            " of each document alone.",
        ),
        (
            {"restart": False},
            "The mask keeps the documents apart, without a restart",
            "0 query–key pairs cross the border. With random vectors, the outputs are those"
            " of each document alone.",
        ),
        (
            {"separate": False},
            "Positions that restart do not keep the documents apart",
            "6 query–key pairs cross the border. With random vectors, an output differs by up to"
            " 2.31 from that of its document alone.",
        ),
        (
            {"first": 1, "second": 1, "restart": False, "separate": False},
            "The second document reads the first",
            "1 query–key pair crosses the border. With random vectors, an output differs by up to"
            " 0.645 from that of its document alone.",
        ),
    ],
)
def test_packed_figure_says_what_it_shows(settings, title, finding):
    data = PACKED.compute(Rope(), **settings)
    assert (data.title, data.finding) == (title, finding)
    assert data.edges[0].label == "border between the documents"
