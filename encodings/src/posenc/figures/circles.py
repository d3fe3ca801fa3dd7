"""Live circles: one for each pair of dimensions, earlier positions faded, the last one bold."""

import math

from posenc.figures.axes import LABEL_SIZE, Box
from posenc.figures.describe import describe
from posenc.figures.palettes import INKS, Ink, Scheme
from posenc.figures.picture import LivePicture, document
from posenc.figures.svg import Attributes, element, text
from posenc.views import ViewData

NARROWEST_CIRCLE = 150  # px, with its name
NAME_ABOVE = 28  # px
FAINTEST = 0.2  # opacity of the first position


def draw_circles(view_data: ViewData, scheme: Scheme, width_px: int) -> LivePicture:
    """Return the picture of circles at the width it is shown at."""
    ink = INKS[scheme]
    count, positions = view_data.values.shape
    boxes, height = place(count, width_px)
    parts = [part for row, box in enumerate(boxes) for part in _circle(view_data, row, box, ink)]
    alt = describe(view_data)
    svg = document(parts, width_px, height, alt)
    return LivePicture(svg, None, width_px, height, boxes[0], count, positions, alt, "", boxes)


def place(count: int, width: int) -> tuple[tuple[Box, ...], int]:
    """Return the square around each circle, in reading order, and the height of the picture."""
    beside = min(count, max(2, width // NARROWEST_CIRCLE), 4)
    cell = width / beside
    size = min(cell - 24, 200)
    boxes = tuple(
        Box(
            (one % beside) * cell + (cell - size) / 2,
            NAME_ABOVE + (one // beside) * (size + NAME_ABOVE + 10),
            size,
            size,
        )
        for one in range(count)
    )
    return boxes, round(boxes[-1].bottom + 12)


def opacity(position: int, positions: int) -> float:
    """Return how solid a position is drawn: from faint, the first, to solid, the last."""
    if positions == 1:
        return 1.0
    return FAINTEST + (1 - FAINTEST) * (position / (positions - 1)) ** 2


def _circle(view_data: ViewData, row: int, box: Box, ink: Ink) -> list[str]:
    """Return a circle, its name, and a hand with a dot for each position, turning to the left."""
    radius = box.width / 2
    x, y = box.x + radius, box.y + radius
    colour = ink.series[row % len(ink.series)]
    name: Attributes = {"text_anchor": "middle", "font_size": LABEL_SIZE, "fill": ink.text}
    parts = [
        text(view_data.series[row], x, box.y - 10, **name),
        element("circle", cx=x, cy=y, r=radius, fill="none", stroke=ink.soft),
    ]
    angles = view_data.values[row].tolist()
    for position, angle in enumerate(angles):
        last = position == len(angles) - 1
        end_x, end_y = x + radius * math.cos(angle), y - radius * math.sin(angle)
        solid = opacity(position, len(angles))
        hand: Attributes = {"stroke": colour, "stroke_width": 3 if last else 1.5}
        parts += [
            element("line", x1=x, y1=y, x2=end_x, y2=end_y, stroke_opacity=solid, **hand),
            element(
                "circle", cx=end_x, cy=end_y, r=5 if last else 3, fill=colour, fill_opacity=solid
            ),
        ]
    return parts
