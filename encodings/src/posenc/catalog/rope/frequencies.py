"""The frequencies and the temperature of a RoPE, by its scaling.

Shapes: P = pairs; frequencies are (P,), radians per token.
"""

from typing import Any

from posenc.catalog.rope import scaling as stretch


def frequencies_for(rope: Any, length: int) -> stretch.Frequencies:
    """Return radians per token, (P,), of a RoPE for a text of `length` tokens."""
    base, R = rope.base, rope.turning
    if rope.scaling == "ntk":
        base = stretch.ntk_base(base, R, rope.factor)
    if rope.scaling == "dynamic-ntk":
        base = stretch.dynamic_base(base, R, rope.factor, length, rope.trained_length)
    inv_freq = unscaled_for(rope, base)
    if rope.scaling == "linear":
        return stretch.interpolated(inv_freq, rope.factor)
    if rope.scaling == "yarn":
        return stretch.yarn(inv_freq, rope.factor, rope.yarn_ramp)
    if rope.scaling == "llama3":
        bounds = (rope.llama3_low_factor, rope.llama3_high_factor)
        return stretch.llama3(inv_freq, rope.factor, rope.trained_length, *bounds)
    if rope.longrope_long:
        long = length > rope.trained_length
        return stretch.longrope(inv_freq, rope.longrope_long if long else rope.longrope_short)
    return inv_freq


def unscaled_for(rope: Any, base: float) -> stretch.Frequencies:
    """Return radians per token, (P,), of a RoPE of this base without scaling."""
    if rope.share == "proportional":
        return stretch.proportional(base, rope.head_dim, rope.moving_pairs)
    return stretch.unscaled(base, rope.turning)


def temperature_of(rope: Any) -> float:
    """Return the factor of the dimensions that turn; 1 except for YaRN and LongRoPE."""
    if rope.attention_factor is not None:
        return float(rope.attention_factor)
    if rope.scaling == "yarn":
        if rope.mscale:
            above, below = (
                stretch.yarn_temperature(rope.factor, mscale)
                for mscale in (rope.mscale, rope.mscale_all_dim)
            )
            return above / below
        return stretch.yarn_temperature(rope.factor)
    if rope.longrope_long:
        return stretch.longrope_temperature(rope.factor, rope.trained_length)
    return 1.0
