"""Live circles: one for each pair of dimensions, earlier positions faded, the last one bold."""

import math

from posenc.figures.palettes import series_colour
from posenc.figures.scene import LABEL_SIZE, Attributes, Box, Part, Scene, shape, text
from posenc.views import ViewData

NARROWEST_CIRCLE = 150  # px, with its name
NAME_ABOVE = 28  # px
FAINTEST = 0.2  # opacity of the first position
OF_TWO = 0.7  # its opacity where only two are compared


def circles_scene(view_data: ViewData, width_px: int) -> Scene:
    """Return the scene of circles at the width it is shown at."""
    count, positions = view_data.values.shape
    boxes, height = place(count, width_px)
    parts = [part for row, box in enumerate(boxes) for part in circle(view_data, row, box)]
    return Scene(width_px, height, tuple(parts), boxes, count, positions, view_data)


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
    """Return the opacity of a position: from faint, the first, to solid, the last."""
    if positions == 1:
        return 1.0
    if positions == 2:
        return 1.0 if position else OF_TWO
    return FAINTEST + (1 - FAINTEST) * (position / (positions - 1)) ** 2


def circle(view_data: ViewData, row: int, box: Box) -> list[Part]:
    """Return a circle, its name, and a hand with a dot for each position, turning to the left."""
    radius = box.width / 2
    x, y = box.x + radius, box.y + radius
    colour = series_colour(row)
    name: Attributes = {"text_anchor": "middle", "font_size": LABEL_SIZE, "fill": "text"}
    parts: list[Part] = [
        text("labels", view_data.series[row], x, box.y - 10, **name),
        shape("axes", "circle", cx=x, cy=y, r=radius, fill="none", stroke="soft"),
    ]
    angles = view_data.values[row].tolist()
    for position, angle in enumerate(angles):
        last = position == len(angles) - 1
        end_x, end_y = x + radius * math.cos(angle), y - radius * math.sin(angle)
        solid = opacity(position, len(angles))
        hand: Attributes = {"stroke": colour, "stroke_width": 3 if last else 1.5}
        parts += [
            shape("lines", "line", x1=x, y1=y, x2=end_x, y2=end_y, stroke_opacity=solid, **hand),
            shape(
                "marks",
                "circle",
                cx=end_x,
                cy=end_y,
                r=5 if last else 3,
                fill=colour,
                fill_opacity=solid,
            ),
        ]
    return parts
