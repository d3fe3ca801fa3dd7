"""The lines of a concept map as SVG paths."""

from collections.abc import Sequence
from itertools import pairwise


def path_down(points: Sequence[Sequence[float]], *, half_height: float) -> str:
    """Return the path of a line from the foot of its first node to the head of its last."""
    (x, y), *bends, (end_x, end_y) = points
    stops = [(x, y + half_height), *bends, (end_x, end_y - half_height)]
    path = f"M{x:g} {y + half_height:g}"
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (y0 + y1) / 2
        path += f"C{x0:g} {middle:g} {x1:g} {middle:g} {x1:g} {y1:g}"
    return path
