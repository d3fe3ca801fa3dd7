"""Live circles: one for each pair of dimensions, earlier positions faded, the last one bold.

More than a few circles with one position are small clocks.
"""

import math

from posenc.figures.palettes import series_colour
from posenc.figures.scene import (
    LABEL_SIZE,
    TICK_SIZE,
    Attributes,
    Box,
    Part,
    Scene,
    number,
    shape,
    text,
)
from posenc.views import ViewData

NARROWEST_CIRCLE = 150  # px, with its name
NAME_ABOVE = 28  # px
FAINTEST = 0.2  # opacity of the first position
OF_TWO = 0.7  # its opacity where only two are compared
MOST_LARGE = 4  # circles of one position; more of them are clocks
NARROWEST_CLOCK = 44  # px, with the gap to the next one
BETWEEN_CLOCKS = 12  # px, next to each other
CLOCK_NAME = 20  # px above each
ROUND, BEHIND = series_colour(0), series_colour(1)


def circles_scene(view_data: ViewData, width_px: int) -> Scene:
    """Return the scene of circles at the width it is shown at."""
    count, positions = view_data.values.shape
    is_clock = positions == 1 and count > MOST_LARGE
    boxes, height = (place_clocks if is_clock else place)(count, width_px)
    drawn = clock if is_clock else circle
    parts = [part for row, box in enumerate(boxes) for part in drawn(view_data, row, box)]
    return Scene(width_px, height, tuple(parts), boxes, count, positions, view_data)


def place(count: int, width: int) -> tuple[tuple[Box, ...], int]:
    """Return the square around each circle, in reading order, and the height of the picture."""
    columns = min(count, max(2, width // NARROWEST_CIRCLE), 4)
    cell = width / columns
    size = min(cell - 24, 200)
    boxes = tuple(
        Box(
            (index % columns) * cell + (cell - size) / 2,
            NAME_ABOVE + (index // columns) * (size + NAME_ABOVE + 10),
            size,
            size,
        )
        for index in range(count)
    )
    return boxes, round(boxes[-1].bottom + 12)


def place_clocks(count: int, width: int) -> tuple[tuple[Box, ...], int]:
    """Return the square around each clock, in reading order, and the height of the picture."""
    columns = max(2, width // NARROWEST_CLOCK)
    cell = width / columns
    size = cell - BETWEEN_CLOCKS
    boxes = tuple(
        Box(
            index % columns * cell + BETWEEN_CLOCKS / 2,
            CLOCK_NAME + index // columns * (size + CLOCK_NAME),
            size,
            size,
        )
        for index in range(count)
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


def clock(view_data: ViewData, row: int, box: Box) -> list[Part]:
    """Return a small circle with one hand, that of the last position.

    The way of a hand that has not gone round once is an arc, in the second colour; behind one that
    has, the whole circle is thick.
    """
    radius = box.width / 2
    x, y = box.x + radius, box.y + radius
    name: Attributes = {"text_anchor": "middle", "font_size": TICK_SIZE, "fill": "text"}
    parts: list[Part] = [
        text("labels", view_data.series[row], x, box.y - 5, **name),
        shape("axes", "circle", cx=x, cy=y, r=radius, fill="none", stroke="soft"),
    ]
    angle = float(view_data.values[row, -1])
    end_x, end_y = x + radius * math.cos(angle), y - radius * math.sin(angle)
    way: Attributes = {"fill": "none", "stroke_width": 2.5}
    if angle >= 2 * math.pi:
        parts.append(shape("lines", "circle", cx=x, cy=y, r=radius, stroke=ROUND, **way))
    else:
        long = int(angle > math.pi)
        arc = f"M{number(x + radius)} {number(y)}A{number(radius)} {number(radius)} 0 {long} 0"
        path = f"{arc} {number(end_x)} {number(end_y)}"
        parts.append(shape("lines", "path", d=path, stroke=BEHIND, **way))
    colour = ROUND if angle >= 2 * math.pi else BEHIND
    hand: Attributes = {"stroke": colour, "stroke_width": 2.5}
    parts.append(shape("marks", "line", x1=x, y1=y, x2=end_x, y2=end_y, **hand))
    return parts
