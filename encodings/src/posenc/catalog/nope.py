"""No position encoding (NoPE): position enters nowhere, and a decoder learns order all the same.

Source: Haviv et al. 2022, arXiv:2203.16634; Kazemnejad et al. 2023, arXiv:2305.19466, theorem 1:
with a causal mask the first layer can already recover absolute positions.
Shapes: L = tokens.
"""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from posenc.attention import attention
from posenc.encoding import Encoding, param
from posenc.pictures import map_of_pairs
from posenc.registry import register
from posenc.views import ViewData
from posenc.wording import counted, rounded


@dataclass(frozen=True)
class NoPE(Encoding):
    """Change nothing: none of the four hooks is used.

    Without a mask attention is then permutation-equivariant: shuffled tokens give shuffled outputs.
    A causal mask breaks that, since a token sees only those before it.
    """


nope = register(NoPE, slug="nope", title="No position encoding", source="arXiv:2305.19466")


@nope.view(
    "equal-tokens",
    title="Attention over tokens that are all the same",
    kind="heatmap",
    scale="magnitude",
    params={
        "tokens": param(12, ge=1, slider=(2, 64, 1), doc="how many equal tokens"),
        "causal": param(True, doc="whether a query sees only keys up to its own"),
    },
)
def equal_tokens(encoding: NoPE, *, tokens: int, causal: bool) -> ViewData:
    """Return the attention weights of equal tokens, (tokens, tokens)."""
    positions, same = np.arange(tokens), np.ones((tokens, 1))
    values: npt.NDArray[np.float64] = attention(
        same,
        same,
        np.eye(tokens),  # mixing unit vectors leaves the weights themselves
        encoding=encoding,
        q_positions=positions,
        k_positions=positions,
        causal=causal,
    )
    kinds = len(np.unique(values[:, 0]))
    return map_of_pairs(
        values,
        scale="magnitude",
        limits=(0.0, 1.0),
        title="The causal mask alone tells positions apart"
        if causal
        else "Without a mask every position looks alike",
        subtitle=f"{counted(tokens, 'equal token')}, {'a' if causal else 'no'} causal mask.",
        finding=f"The first key weighs {rounded(values[0, 0])} for the first query and "
        f"{rounded(values[-1, 0])} for the last; {counted(tokens, 'row')}"
        f" give {counted(kinds, 'different weight')}.",
        unit="attention weight",
        summary={"different_rows": kinds},
    )
