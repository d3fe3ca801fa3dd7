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
    inv_freq = stretch.unscaled(base, R)
    if rope.scaling == "linear":
        return stretch.interpolated(inv_freq, rope.factor)
    if rope.scaling == "yarn":
        turns = (rope.yarn_many_turns, rope.yarn_few_turns)
        return stretch.yarn(inv_freq, base, rope.factor, rope.trained_length, turns)
    if rope.scaling == "llama3":
        bounds = (rope.llama3_low_factor, rope.llama3_high_factor)
        return stretch.llama3(inv_freq, rope.factor, rope.trained_length, *bounds)
    if rope.longrope_long:
        long = length > rope.trained_length
        return stretch.longrope(inv_freq, rope.longrope_long if long else rope.longrope_short)
    return inv_freq


def temperature_of(rope: Any) -> float:
    """Return the factor of the dimensions that turn; 1 except for YaRN and LongRoPE."""
    if rope.scaling == "yarn":
        return stretch.yarn_temperature(rope.factor)
    if rope.longrope_long:
        return stretch.longrope_temperature(rope.factor, rope.trained_length)
    return 1.0
