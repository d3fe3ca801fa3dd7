"""Small encodings with weights that matter, and what one attention layer makes of them."""

import numpy as np
from array_api_compat import array_namespace
from posenc.attention import attention
from posenc.parameters import parameters

N_HEADS, HEAD_DIM = 2, 8
SIZES = {
    "n_heads": N_HEADS,
    "head_dim": HEAD_DIM,
    "d_model": N_HEADS * HEAD_DIM,
    **{"time_pairs": 1, "height_pairs": 2, "width_pairs": 1},
}


def small(cls, **changed):
    """Return the encoding for two heads of eight numbers, whatever its defaults are."""
    names = {parameter.name for parameter in parameters(cls)}
    fitting = {name: value for name, value in SIZES.items() if name in names}
    return cls(**{**fitting, **changed})


def trained(encoding, seed=0):
    """Return weights moved away from where they start: a table of zeros would hide mistakes."""
    rng = np.random.default_rng(seed)
    drawn = encoding.init_weights(rng)
    return {name: np.asarray(one + rng.normal(size=one.shape)) for name, one in drawn.items()}


def draw_layer(length, *, batch=(), seed=0, queries=None):
    """Return x (..., L, 16) and q, k, v (..., 2, L, 8)."""
    rng = np.random.default_rng(seed)
    x = rng.normal(size=(*batch, length, N_HEADS * HEAD_DIM))
    lengths = (queries or length, length, length)
    heads = (rng.normal(size=(*batch, N_HEADS, count, HEAD_DIM)) for count in lengths)
    return x, *heads


def layer(encoding, x, q, k, v, positions, weights, *, causal=True):
    """Return the embeddings with positions and what attention mixes, as one flat vector a token."""
    embedded = encoding.on_embeddings(x, positions, weights)
    mixed = attention(
        q,
        k,
        v,
        encoding=encoding,
        q_positions=positions,
        k_positions=positions,
        weights=weights,
        causal=causal,
    )
    xp = array_namespace(x)
    heads = xp.moveaxis(mixed, -3, -2)
    return xp.concat([embedded, xp.reshape(heads, (*heads.shape[:-2], -1))], axis=-1)
