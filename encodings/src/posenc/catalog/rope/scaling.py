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


def yarn(
    inv_freq: Frequencies, base: float, factor: float, trained: int, turns: tuple[float, float]
) -> Frequencies:
    """Return pairs with many turns in the trained length as they are, few turns interpolated.

    `turns` says how many are many (32 in the paper's beta) and few (1 in its alpha); between them
    the two are blended by a straight ramp over the pair's index.
    """
    many, few = turns
    turning = 2 * len(inv_freq)

    def pair_with(turns_in_text: float) -> float:
        return turning * math.log(trained / (turns_in_text * 2 * math.pi)) / (2 * math.log(base))

    low = max(math.floor(pair_with(many)), 0)
    high = min(math.ceil(pair_with(few)), turning - 1)
    if high < low:  # all pairs are on one side of the ramp
        return inv_freq / factor if high < 0 else inv_freq
    width = high - low if high != low else 0.001
    ramp = np.clip((np.arange(len(inv_freq)) - low) / width, 0, 1)
    return np.asarray(inv_freq / factor * ramp + inv_freq * (1 - ramp))


def llama3(
    inv_freq: Frequencies, factor: float, trained: int, low_factor: float, high_factor: float
) -> Frequencies:
    """Return short wavelengths as they are, long ones divided by the factor, blended between.

    Long is a wavelength over trained / low_factor, short one under trained / high_factor.
    """
    turns = trained * inv_freq / (2 * np.pi)
    blend = np.clip((turns - low_factor) / (high_factor - low_factor), 0, 1)
    return np.asarray(inv_freq / factor * (1 - blend) + inv_freq * blend)


def longrope(inv_freq: Frequencies, divisors: tuple[float, ...]) -> Frequencies:
    """Return each frequency divided by a factor of its own, which a search has found."""
    return np.asarray(inv_freq / np.array(divisors))


def yarn_temperature(factor: float) -> float:
    """Return YaRN's factor of turning dimensions; their part of a score grows by its square."""
    return 0.1 * math.log(factor) + 1.0 if factor > 1 else 1.0


def longrope_temperature(factor: float, trained: int) -> float:
    """Return LongRoPE's factor of turning dimensions."""
    return math.sqrt(1 + math.log(factor) / math.log(trained)) if factor > 1 else 1.0
