"""Figure 1: one value, with the formula it comes from and the numbers put in step by step."""

import math
from dataclasses import dataclass

import numpy as np

from posenc.analysis.numbers import require_numbers
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.encoding import Encoding
from posenc.errors import ParameterError
from posenc.figures.axes import palette_strip, signed_tick
from posenc.figures.describe import signed_digits
from posenc.figures.palettes import Scheme
from posenc.figures.picture import require_scheme_and_width
from posenc.figures.scene import Attributes, Box, Part, shape, text
from posenc.figures.svg import document
from posenc.number_format import grouped
from posenc.positions import require_whole_number

FARTHEST = 2**31
WRITTEN = {"sine": "sin", "cosine": "cos"}
TEX = {"=": "=", "≈": r"\approx"}


@dataclass(frozen=True)
class ValueCard:
    """The value of one cell and how it comes about; lines of the formula as text and as TeX."""

    position: int
    dimension: int
    pair: int
    value: float
    value_text: str
    kind_text: str
    formula_lines: tuple[str, ...]
    formula_tex: tuple[str, ...]
    wavelength: float | None  # positions in one turn; None for a column of zeros
    turn_text: str


def value_card(encoding: Encoding, position: int, dimension: int) -> ValueCard:
    """Return the card of one cell of a sinusoidal encoding.

    Raises ParameterError for another encoding, or a cell that is not in its table.
    """
    if not isinstance(encoding, Sinusoidal):
        raise ParameterError("encoding", type(encoding).__name__, "must be Sinusoidal")
    position = require_whole_number("position", position, low=0, high=FARTHEST)
    wave, pair = encoding.column(dimension)
    if wave == "zero":
        return _card_of_zeros(position, dimension, pair)
    value = float(encoding.encode(np.array([position]))[0, dimension])
    lines, tex = _steps(encoding, position, wave, pair)
    wavelength = float(encoding.wavelengths[pair])
    return ValueCard(
        position=position,
        dimension=dimension,
        pair=pair,
        value=value,
        value_text=signed_digits(value),
        kind_text=f"{_where(encoding, dimension, wave)}, so {wave}, with i = {pair}",
        formula_lines=lines,
        formula_tex=tex,
        wavelength=wavelength,
        turn_text=f"One turn every {_turn(wavelength)} positions.",
    )


def gauge(value: float, *, scheme: Scheme = "light", width_px: int = 240) -> str:
    """Return a bar in the colours of the plot from -1 to 1 with a mark at the value, as SVG.

    Raises ParameterError.
    """
    require_scheme_and_width(scheme, width_px)
    value = float(require_numbers("value", value, ndim=0))
    bar = Box(8, 3, width_px - 16, 14)
    mark = bar.x + bar.width * (min(max(value, -1), 1) + 1) / 2
    words: Attributes = {"fill": "text", "text_anchor": "middle"}
    parts: tuple[Part, ...] = (
        palette_strip("signed_unit", bar),
        shape("marks", "rect", x=mark - 2.5, y=0, width=5, height=20, fill="paper"),
        shape("marks", "rect", x=mark - 1.5, y=0, width=3, height=20, fill="text"),
        *(
            text("labels", signed_tick(tick), bar.x + bar.width * (tick + 1) / 2, 33, **words)
            for tick in (-1.0, 0.0, 1.0)
        ),
    )
    alt = f"{signed_digits(value)} on a scale from −1 to +1"
    return document(parts, width_px, 38, scheme=scheme, alt=alt)


def _steps(
    encoding: Sinusoidal, position: int, wave: str, pair: int
) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the formula with its numbers, as text and as TeX, three lines each."""
    name, base = WRITTEN[wave], repr(encoding.base).removesuffix(".0")
    above, below = encoding.exponent(pair)
    divisor, divisor_sign = _digits(float(1 / encoding.inv_freq[pair]))
    angle, angle_sign = _digits(position * float(encoding.inv_freq[pair]))
    plain = (
        f"{name}({position} / {base}^({above}/{below}))",
        f"{divisor_sign} {name}({position} / {divisor})",
        f"{angle_sign} {name}({angle})",
    )
    tex = (
        rf"\{name}\left(\frac{{{position}}}{{{base}^{{{above}/{below}}}}}\right)",
        rf"{TEX[divisor_sign]} \{name}\left(\frac{{{position}}}{{{divisor}}}\right)",
        rf"{TEX[angle_sign]} \{name}({angle})",
    )
    return plain, tex


def _where(encoding: Sinusoidal, dimension: int, wave: str) -> str:
    if encoding.layout == "interleaved":
        return "odd" if dimension % 2 else "even"
    return "first half" if wave == "sine" else "second half"


def _card_of_zeros(position: int, dimension: int, pair: int) -> ValueCard:
    reason = "the column that an odd d_model leaves over, always 0"
    line = ("0",)
    return ValueCard(position, dimension, pair, 0.0, "0.0000", reason, line, line, None, "")


def _turn(wavelength: float) -> str:
    return grouped(round(wavelength)) if wavelength >= 1000 else f"{wavelength:.1f}"


def _digits(number: float) -> tuple[str, str]:
    """Return a number with four decimals, or five digits if it is small, and "=" or "≈"."""
    decimals = 4 if number >= 1 or number == 0 else 4 - math.floor(math.log10(number))
    text = f"{number:.{decimals}f}".rstrip("0").rstrip(".")
    return text, "=" if float(text) == number else "≈"
