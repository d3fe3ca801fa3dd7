"""Ways to stretch RoPE to texts longer than in training: each changes the frequencies.

Source: Chen et al. 2023, arXiv:2306.15595 (linear interpolation); bloc97 2023, "NTK-Aware Scaled
RoPE", and emozilla 2023, "Dynamically Scaled RoPE" (public notes, in code since); Peng et al. 2023,
YaRN, arXiv:2309.00071v2, section 3; Llama 3.1's released code; Ding et al. 2024, LongRoPE,
arXiv:2402.13753.
Shapes: D = dimensions that turn, P = D/2 pairs; frequencies are (P,), radians per token.
"""

import math

import numpy as np
import numpy.typing as npt

Frequencies = npt.NDArray[np.float64]


def unscaled(base: float, turning: int) -> Frequencies:
    """Return base^(-2i/D), from Python floats."""
    return np.array([base ** -(2 * i / turning) for i in range(turning // 2)])


def proportional(base: float, head_dim: int, moving: int) -> Frequencies:
    """Return base^(-2i/D) for the pairs that move, the first of D/2, and exactly 0 for the others.

    The exponent is over all D dimensions, so the turning pairs are the fastest of a whole head
    (Gemma 4), where partial rotation has a whole ladder in R dimensions.
    """
    ladder = unscaled(base, head_dim)
    return np.where(np.arange(len(ladder)) < moving, ladder, 0.0)


def interpolated(inv_freq: Frequencies, factor: float) -> Frequencies:
    """Return every frequency divided by the factor: positions squeezed into the trained range."""
    return inv_freq / factor


def ntk_base(base: float, turning: int, factor: float) -> float:
    """Return the base whose slowest pair is slower by exactly the factor, the fastest unchanged."""
    if turning == 2:  # one pair, and it is the fastest
        return base
    return base * float(factor ** (turning / (turning - 2)))


def dynamic_base(base: float, turning: int, factor: float, length: int, trained: int) -> float:
    """Return the NTK-aware base for a text of `length` tokens: unchanged up to the trained one."""
    stretch = 1 + factor * max(length - trained, 0) / trained
    return ntk_base(base, turning, stretch)


def yarn_ramp(
    base: float, turning: int, trained: int, turns: tuple[float, float], *, truncate: bool
) -> tuple[float, float]:
    """Return the pairs at which YaRN's ramp begins and ends, as indexes.

    `turns` says how many turns in the trained length are many (32 in the paper's beta), where the
    ramp begins, and few (1 in its alpha), where it ends. `truncate` rounds both ends outwards, as
    transformers does by default; gpt-oss does not. Both are kept within 0 and R - 1.
    """

    def pair_with(turns_in_text: float) -> float:
        return turning * math.log(trained / (turns_in_text * 2 * math.pi)) / (2 * math.log(base))

    low, high = map(pair_with, turns)
    if truncate:
        low, high = math.floor(low), math.ceil(high)
    return max(low, 0), min(high, turning - 1)


def yarn(inv_freq: Frequencies, factor: float, ramp: tuple[float, float]) -> Frequencies:
    """Return the pairs before the ramp as they are, those behind it interpolated, blended on it."""
    low, high = ramp
    if high < low:  # all pairs are on one side of the ramp
        return inv_freq / factor if high < 0 else inv_freq
    width = high - low if high != low else 0.001
    share = np.clip((np.arange(len(inv_freq)) - low) / width, 0, 1)
    return np.asarray(inv_freq / factor * share + inv_freq * (1 - share))


def llama3(
    inv_freq: Frequencies, factor: float, trained: int, low_factor: float, high_factor: float
) -> Frequencies:
    """Return short wavelengths as they are, long ones divided by the factor, blended between.

    Long is a wavelength over trained / low_factor, short one under trained / high_factor. With
    equal factors, as in Llama 4 Scout, there is nothing between: a step at that wavelength.
    """
    turns = trained * inv_freq / (2 * np.pi)
    if low_factor == high_factor:
        return np.where(turns >= low_factor, inv_freq, inv_freq / factor)
    blend = np.clip((turns - low_factor) / (high_factor - low_factor), 0, 1)
    return np.asarray(inv_freq / factor * (1 - blend) + inv_freq * blend)


def longrope(inv_freq: Frequencies, divisors: tuple[float, ...]) -> Frequencies:
    """Return each frequency divided by a factor of its own, which a search has found."""
    return np.asarray(inv_freq / np.array(divisors))


def yarn_temperature(factor: float, mscale: float = 1.0) -> float:
    """Return YaRN's factor of turning dimensions; their part of a score grows by its square.

    `mscale`, of DeepSeek's code, multiplies the logarithm.
    """
    return 0.1 * mscale * math.log(factor) + 1.0 if factor > 1 else 1.0


def longrope_temperature(factor: float, trained: int) -> float:
    """Return LongRoPE's factor of turning dimensions."""
    return math.sqrt(1 + math.log(factor) / math.log(trained)) if factor > 1 else 1.0
