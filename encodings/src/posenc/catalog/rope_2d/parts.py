"""Positions of a text with pictures in it, as M-RoPE numbers them.

Source: Wang et al. 2024, Qwen2-VL, arXiv:2409.12191, section 2.1, and its code in transformers.
"""

from typing import Any

import numpy as np
import numpy.typing as npt

from posenc.errors import ParameterError
from posenc.views import MOST_NUMBERS

EXPECTED = "must be a count of text tokens, or (time, rows, columns) of a picture's patches"


def positions_of(parts: object) -> npt.NDArray[np.int64]:
    """Return time, height and width of each token, (3, L), for parts of a text in their order.

    A part is a number of text tokens, or (time, rows, columns) of the patches of a picture or film.
    Text has three equal coordinates. A picture's coordinates begin at the next position, and the
    part after it goes on one behind its highest coordinate: a picture of 2 x 3 patches takes 6
    tokens but advances by 3, max(rows, columns). Raises ParameterError that names the part.

    >>> positions_of([2, (1, 2, 3), 2])[0].tolist()
    [0, 1, 2, 2, 2, 2, 2, 2, 5, 6]
    """
    if not isinstance(parts, list | tuple):
        raise ParameterError("parts", parts, f"must be a list; a part {EXPECTED}")
    shapes = [_require_part(f"parts[{place}]", part) for place, part in enumerate(parts)]
    if 3 * sum(rows * columns * time for time, rows, columns, _ in shapes) > MOST_NUMBERS:
        raise ParameterError("parts", parts, f"must be at most {MOST_NUMBERS // 3} tokens in all")
    start, grids = 0, [np.empty((3, 0), dtype=np.int64)]
    for time, rows, columns, is_text in shapes:
        grid = np.indices((time, rows, columns), dtype=np.int64).reshape(3, -1)
        grids.append(start + (np.broadcast_to(grid[0], grid.shape) if is_text else grid))
        start += time if is_text else max(time, rows, columns)
    return np.concatenate(grids, axis=1)


def _require_part(name: str, part: Any) -> tuple[int, int, int, bool]:
    """Return time, rows and columns of a part, and whether it is text, whose rows are 1."""
    is_text = not isinstance(part, list | tuple)
    numbers = [part, 1, 1] if is_text else [*part]
    if len(numbers) != 3:
        raise ParameterError(name, part, EXPECTED)
    for number in numbers:
        whole = isinstance(number, int | np.integer) and not isinstance(number, bool)
        if not whole or not (0 if is_text else 1) <= number <= MOST_NUMBERS:
            raise ParameterError(name, part, EXPECTED)
    time, rows, columns = map(int, numbers)
    return time, rows, columns, is_text
