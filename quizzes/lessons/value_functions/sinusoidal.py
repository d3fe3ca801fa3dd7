"""Numbers of the sinusoidal encoding and of tables compared with it."""

from functools import lru_cache
from typing import Literal

import numpy as np
import numpy.typing as npt
from posenc import analysis
from posenc.catalog.sinusoidal import Sinusoidal

from quizzes.lessons.value_functions.bounds import MOST_WIDTH, table_size, within

__all__ = [
    "angle",
    "closest_codes",
    "closest_offset",
    "code",
    "crossings",
    "dot_product",
    "dot_product_spread",
    "first_rise",
    "frequency",
    "pairs_not_turning",
    "pairs_turning",
    "pairs_within",
    "ratio_of_pairs",
    "rises",
    "shift_error",
    "shift_error_of_random_rows",
    "shift_residual",
    "wavelength",
]

Grid = Literal["paper", "tensor2tensor"]
Numbers = npt.NDArray[np.float64]


def code(*, position: int, dimension: int, d_model: int, base: float = 10_000.0) -> float:
    """Return one cell of the table of codes."""
    table = _encoding(d_model, base).encode(np.array([position]))
    return float(table[0, within("dimension", dimension, high=d_model - 1)])


def frequency(*, d_model: int, pair: int, base: float = 10_000.0, grid: Grid = "paper") -> float:
    """Return radians per position of a pair; pair=-1 is the last one."""
    return float(_of_pair(_encoding(d_model, base, grid).inv_freq, pair))


def wavelength(*, d_model: int, pair: int, base: float = 10_000.0, grid: Grid = "paper") -> float:
    """Return the number of positions in one turn of a pair; pair=-1 is the last one."""
    return float(_of_pair(_encoding(d_model, base, grid).wavelengths, pair))


def ratio_of_pairs(*, d_model: int, base: float = 10_000.0) -> float:
    """Return the factor by which each pair is slower than the pair before."""
    return float(base ** (2 / within("d_model", d_model, low=2, high=MOST_WIDTH)))


def angle(*, d_model: int, pair: int, position: int, base: float = 10_000.0) -> float:
    """Return the angle of a pair at a position, in radians; pair=-1 is the last one."""
    return position * frequency(d_model=d_model, pair=pair, base=base)


def pairs_not_turning(*, d_model: int, positions: int, base: float = 10_000.0) -> int:
    """Return how many pairs have a wave longer than a text of this many positions."""
    return int(np.sum(_encoding(d_model, base).wavelengths > positions))


def pairs_turning(*, d_model: int, positions: int, base: float = 10_000.0) -> int:
    """Return how many pairs make a whole turn between the first and the last position."""
    return int(np.sum(_encoding(d_model, base).wavelengths <= positions - 1))


def pairs_within(*, d_model: int, change: float, positions: int, base: float = 10_000.0) -> int:
    """Return how many pairs turn by less than `change` radians within this many positions."""
    turned = _encoding(d_model, base).inv_freq * (positions - 1)
    return int(np.sum(turned < change))


def dot_product(*, d_model: int, offset: int, base: float = 10_000.0) -> float:
    """Return PE(p) . PE(p + offset), the same at every p."""
    return float(analysis.dot_products(_encoding(d_model, base).inv_freq, [offset])[0])


def dot_product_spread(*, d_model: int, offset: int = 7, base: float = 10_000.0) -> float:
    """Return how much `dot_product` varies over the positions 0 .. 9999."""
    encoding = _encoding(d_model, base)
    positions = np.arange(0, 10_000, 37)
    products = np.sum(encoding.encode(positions) * encoding.encode(positions + offset), axis=1)
    return float(np.ptp(products))


def first_rise(*, d_model: int, base: float = 10_000.0) -> int:
    """Return the first offset with a larger dot product than the one before."""
    return int(analysis.rises(_products(d_model, base, 10_000))[0])


def rises(*, d_model: int, below: int, base: float = 10_000.0) -> int:
    """Return the number of offsets under `below` with a larger dot product than the one before."""
    return len(analysis.rises(_products(d_model, base, below)))


def crossings(*, d_model: int, dimension: int, positions: int, base: float = 10_000.0) -> int:
    """Return how often a column crosses zero within this number of positions."""
    table = _encoding(d_model, base).encode(np.arange(table_size(positions, d_model)))
    return analysis.sign_changes(table[:, dimension])


def closest_codes(*, d_model: int, positions: int, base: float = 10_000.0) -> float:
    """Return the smallest distance between the codes of any two positions 0 .. positions - 1."""
    return _closest(d_model, positions, base).distance


def closest_offset(*, d_model: int, positions: int, base: float = 10_000.0) -> int:
    """Return how far apart the two positions with the closest codes are."""
    return _closest(d_model, positions, base).second


def shift_residual(*, d_model: int, offset: int, positions: int, base: float = 10_000.0) -> float:
    """Return the largest error of M_k PE(p) = PE(p + k) in any cell over this many positions."""
    encoding = _encoding(d_model, base)
    at = np.arange(table_size(positions, d_model))
    matrix = analysis.shift_matrix(encoding.inv_freq, offset)
    return float(np.abs(encoding.encode(at) @ matrix.T - encoding.encode(at + offset)).max())


def shift_error(*, d_model: int, offset: int, positions: int, base: float = 10_000.0) -> float:
    """Return the error of the best single matrix that shifts the sinusoidal codes, as a share."""
    codes = _encoding(d_model, base).encode(np.arange(_fitted(positions, d_model)))
    return analysis.shift_error(codes, offset)


def shift_error_of_random_rows(*, d_model: int, offset: int, positions: int, seed: int) -> float:
    """Return `shift_error` for unrelated rows, such as a new learned table."""
    rng = np.random.default_rng(seed)
    rows = rng.standard_normal((_fitted(positions, d_model), d_model))
    return analysis.shift_error(rows, offset)


def _encoding(d_model: int, base: float, grid: Grid = "paper") -> Sinusoidal:
    return Sinusoidal(
        d_model=within("d_model", d_model, low=2, high=MOST_WIDTH), base=base, grid=grid
    )


@lru_cache(maxsize=32)
def _closest(d_model: int, positions: int, base: float) -> analysis.Closest:
    inv_freq = _encoding(d_model, base).inv_freq
    return analysis.closest_positions(inv_freq, table_size(positions, d_model))


def _products(d_model: int, base: float, count: int) -> Numbers:
    offsets = np.arange(table_size(count, d_model))
    return analysis.dot_products(_encoding(d_model, base).inv_freq, offsets)


def _of_pair(values: Numbers, pair: int) -> float:
    return float(values[within("pair", pair, low=-1, high=len(values) - 1)])


def _fitted(positions: int, d_model: int) -> int:
    """Return the rows of a least-squares fit, which takes time with the square of the width."""
    within("d_model", d_model, low=2, high=256)
    return within("positions", positions, low=1, high=2000)
