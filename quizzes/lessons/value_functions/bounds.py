"""Bounds of the numbers in a text: sizes that a reader can wait for."""

from posenc.errors import ParameterError

MOST_POSITIONS = 100_000
MOST_WIDTH = 4096
MOST_CELLS = 8_000_000


def within(name: str, value: int, *, low: int = 0, high: int = MOST_POSITIONS) -> int:
    """Return a whole number between two limits. Raises ParameterError."""
    if not low <= value <= high:
        raise ParameterError(name, value, f"must be between {low} and {high}")
    return value


def table_size(positions: int, width: int) -> int:
    """Return the positions of a table that is not too large. Raises ParameterError."""
    within("d_model", width, low=2, high=MOST_WIDTH)
    return within("positions", positions, low=1, high=min(MOST_POSITIONS, MOST_CELLS // width))
