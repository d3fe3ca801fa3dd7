"""The numbers of the lesson "Numerics"."""

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
from posenc.analysis import cast_error, rounded_to
from posenc.catalog.rope import Rope
from posenc.catalog.sinusoidal import Sinusoidal

LESSON = "numerics"
# Sizes of examples and places in a text.
CITED = {"5000", "4992", "4999", "512", "100", "1000", "2048", "256", "10\u202f000", "100\u202f000"}
CITED |= {"2044", "2055"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    frequencies = Sinusoidal(d_model=512).inv_freq
    gap = float(np.spacing(np.float32(100_000)))
    rates = cast_error(frequencies, [100, 10_000, 1_000_000], "float32") / [1e2, 1e4, 1e6]
    assert (rates > 2e-8).all()
    assert (rates < 9e-8).all()
    assert np.abs(rounded_to([5000.0], "bfloat16")[0]) == 4992
    assert cast_error(frequencies, [1000], "bfloat16")[0] > 1.5
    held = np.unique(rounded_to(np.arange(1024, 2049), "bfloat16"))
    np.testing.assert_array_equal(held, np.arange(1024, 2049, 8))
    assert 0.002 < _norm_change_in_bfloat16() < 0.01
    sines = np.sin(100_000 * frequencies)
    assert round(np.abs(rounded_to(sines, "bfloat16") - sines).max(), 3) == 0.002
    exact = 100_000 * frequencies
    assert f"{_code_error(np.float32(sines), sines):.0e}" == "3e-08"
    least, most = _angle_error(np.float32(exact)), max(_errors_of_programs_in_float32())
    # NumPy's float32 power is another program on another processor: 0.015 with AVX-512, 0.006
    # without it. No error may be larger than the text says, and none is as small as `least`.
    assert least < most < 0.0155
    every_fourth = next(n for n in range(0, 5000, 4) if np.spacing(np.float16(n)) == 4)
    return {
        "positions-in-half": [
            f"up to {_grouped(65519)} are rounded to it; from {_grouped(65520)} on",
            _grouped(2**24),
            f"{np.float16(2049):.0f}",
            f"from {every_fourth} on only every fourth",
            "2049 has become 2048, 2051 has become 2052",
            "From 1024 on, bfloat16 has every eighth number only",
        ],
        "angles-in-float32": [
            f"An error of {gap / 2:.3f} in the angle",
            "an error of up to 0.004 in the sine",
            "100~000, is another 0.006".replace("~", "\u202f"),
        ],
        "tables-in-half": [
            "is within 0.00025 of the exact table",
            "has gaps of at most 0.0005",
            "the sine of 3000 and not of 3001",
        ],
        "what-to-do": [
            "0.0002 | casts last, to float16",
            "0.002 | casts last, to bfloat16",
            "3 × 10⁻⁸ | casts last, to float32",
            f"{least:.3f} to 0.015 | has angles in float32",
        ],
    }


def _code_error(found: npt.NDArray[np.floating], exact: npt.NDArray[np.float64]) -> float:
    return float(np.abs(found - exact).max())


def _angle_error(angles: npt.NDArray[np.floating]) -> float:
    """Return the largest error of a sine or cosine of the angles of position 100 000."""
    held, exact = angles.astype(np.float64), 100_000 * Sinusoidal(d_model=512).inv_freq
    return max(_code_error(wave(held), wave(exact)) for wave in (np.sin, np.cos))


def _errors_of_programs_in_float32() -> Iterator[float]:
    """Yield the largest error at position 100 000 of each usual way to compute frequencies."""
    one = np.float32
    position, base = one(100_000), one(10_000)
    exponents = np.arange(0, 512, 2, dtype=one) / one(512)
    for frequencies in (
        base**-exponents,
        one(1) / base**exponents,
        np.exp(-exponents * np.log(base)),
    ):
        angles = position * frequencies
        assert angles.dtype == np.float32
        yield _angle_error(angles)


def _norm_change_in_bfloat16() -> float:
    """Return by how much rotation with every number in bfloat16 changes the length of a pair."""
    rng = np.random.default_rng(0)
    cos, sin = (rounded_to(f(7 * Rope(head_dim=64).inv_freq), "bfloat16") for f in (np.cos, np.sin))
    x = rounded_to(rng.standard_normal((100, 32, 2)), "bfloat16")
    first = [rounded_to(x[..., i] * wave, "bfloat16") for i, wave in ((0, cos), (1, sin))]
    second = [rounded_to(x[..., i] * wave, "bfloat16") for i, wave in ((0, sin), (1, cos))]
    turned = np.stack([first[0] - first[1], second[0] + second[1]], axis=-1)
    ratio = np.linalg.norm(turned, axis=-1) / np.linalg.norm(x, axis=-1)
    return float(np.abs(ratio - 1).max())


def _grouped(number: int) -> str:
    return f"{number:,}".replace(",", "\u202f")


SAID = said()
