"""Draw docs/rooms.svg from docs/rooms.txt. Rooms stand where the file puts them. An arrow is left
out where a longer way leads to the same room: study -> lessons -> learners."""

from html import escape
from pathlib import Path

DOCS = Path(__file__).resolve().parents[1] / "docs"
WIDE, HIGH, BOX_WIDE, BOX_HIGH, MARGIN = 138, 94, 124, 44, 16
STYLE = """<style>
.ground { fill: #fbfaf7 } .site { fill: #dde9f7 } .pure { fill: #f7e9c6 } .engine { fill: #d5eeda }
rect { rx: 6px } .frame { fill: none; stroke: #a58a4c; stroke-dasharray: 5 4 }
path { fill: none; stroke: #5b6672; stroke-width: 1.4 } .tip { fill: #5b6672; stroke: none }
text { font: 10.5px system-ui, sans-serif; fill: #3a434d; text-anchor: middle }
.name { font: 600 13px ui-monospace, monospace; fill: #12171c }
@media (prefers-color-scheme: dark) {
 .ground { fill: #14181d } .site { fill: #25384f } .pure { fill: #473b20 } .engine { fill: #21432b }
 path { stroke: #909ca9 } .tip { fill: #909ca9 } text { fill: #c8d0d9 } .name { fill: #f3f5f8 }
}</style>
<marker id="tip" viewBox="0 0 8 8" refX="3" refY="4" markerWidth="6" orient="auto">
<path class="tip" d="M0 0L8 4L0 8z"/></marker><rect class="ground" width="100%" height="100%"/>"""
Edge = tuple[str, str]
Box = tuple[int, int, int]  # left, top, width


def read_parts() -> dict[str, list[str]]:
    """Return the lines of docs/rooms.txt by part, without comments."""
    parts = {}
    for part in (DOCS / "rooms.txt").read_text().split("\n[")[1:]:
        heading, _, lines = part.partition("]\n")
        parts[heading] = [line for line in lines.splitlines() if line and line[0] != "#"]
    return parts


def without_shortcuts(edges: list[Edge]) -> list[Edge]:
    """Leave out every edge whose end is also reached by a longer way."""

    def reached(start: str) -> set[str]:
        return {end for a, b in edges if a == start for end in {b} | reached(b)}

    longer = {(a, end) for a, b in edges for end in reached(b)}
    return [edge for edge in edges if edge not in longer]


def place_box(name: str, rows: list[list[str]]) -> Box:
    """Return the box of a room."""
    top, row = next((top, row) for top, row in enumerate(rows) if name in row)
    width = (row.count(name) - 1) * WIDE + BOX_WIDE
    return MARGIN + row.index(name) * WIDE, MARGIN + top * HIGH, width


def surround(boxes: list[Box]) -> tuple[int, int, int, int]:
    """Return left, top, width and height of a frame around boxes."""
    (left, right), (top, low) = ((min(e), max(e)) for e in list(zip(*boxes, strict=True))[:2])
    return left, top, right - left + BOX_WIDE, low - top + BOX_HIGH


def draw_box(name: str, box: Box, about: str) -> str:
    """Draw one room with its name and what it holds."""
    (left, top, width), middle = box, box[0] + box[2] // 2
    kind = "pure" if name.startswith(("grader.", "content_files")) else "site"
    kind = "engine" if name == "posenc" else kind
    return (
        f'<rect class="{kind}" x="{left}" y="{top}" width="{width}" height="{BOX_HIGH}"/>'
        f'<text class="name" x="{middle}" y="{top + 19}">{name.removeprefix("grader.")}</text>'
        f'<text x="{middle}" y="{top + 34}">{escape(about)}</text>'
    )


def draw_edge(edge: Edge, edges: list[Edge], boxes: dict[str, Box]) -> str:
    """Draw one arrow. The arrows of a box stand along its side in the order of their other ends."""
    (left, top, width), (end_left, end_top, end_width) = boxes[edge[0]], boxes[edge[1]]
    ends = sorted((b for a, b in edges if a == edge[0]), key=boxes.__getitem__)
    starts = sorted((a for a, b in edges if b == edge[1]), key=boxes.__getitem__)
    x = left + width * (ends.index(edge[1]) + 1) // (len(ends) + 1)
    end_x = end_left + end_width * (starts.index(edge[0]) + 1) // (len(starts) + 1)
    if end_width > BOX_WIDE and end_left < x < end_left + end_width:  # a wide box: straight down
        end_x = x
    y, half, end_y = top + BOX_HIGH, (top + BOX_HIGH + end_top) // 2, end_top - 5
    return f'<path d="M{x} {y}C{x} {half} {end_x} {half} {end_x} {end_y}" marker-end="url(#tip)"/>'


def draw() -> str:
    """Return the drawing."""
    parts = read_parts()
    about = dict(line.split(": ", 1) for line in parts["what a room holds"])
    boxes = {name: place_box(name, [row.split() for row in parts["places"]]) for name in about}
    edges = without_shortcuts([(a, b) for a, _, b in map(str.split, parts["imports"])])
    _, _, width, height = surround(list(boxes.values()))
    left, top, inner_width, inner_height = surround([boxes[n] for n in boxes if "grader." in n])
    svg = f"""<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width + 32} {height + 32}">
{STYLE}<rect class="frame" x="{left - 8}" y="{top - 24}" width="{inner_width + 16}"
 height="{inner_height + 32}"/>
<text x="{left + inner_width - 60}" y="{top - 8}">quizzes.grader</text>
"""
    svg += "\n".join(draw_edge(edge, edges, boxes) for edge in edges)
    return svg + "\n".join(draw_box(name, boxes[name], about[name]) for name in about) + "</svg>\n"


if __name__ == "__main__":
    (DOCS / "rooms.svg").write_text(draw())
