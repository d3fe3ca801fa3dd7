"""The places of a concept map's nodes: in layers, each concept below all that it requires.

igraph orders each layer so that few lines cross (Sugiyama, Tagawa, Toda 1981). The drawing is as
narrow as its fullest layer: within it each node moves towards those it has lines with. The same map
gives the same places, always.

Units: those of the drawing; a node is NODE_WIDTH by NODE_HEIGHT, its place is its middle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import count, pairwise
from typing import Any

NODE_WIDTH, NODE_HEIGHT = 244, 62  # a picture stands next to the words
GAP_ACROSS, GAP_DOWN = 16, 20
BEND_WIDTH, GAP_BESIDE_BEND = 4, 6  # what a line takes where it passes through a layer
MARGIN_ACROSS, MARGIN_ABOVE, MARGIN_BELOW = 12, 24, 8  # above it says where the learner is
MOST_IN_LAYER = 6  # 1 600 units: in a window of 1280 px letters are of 12 px
SWEEPS = 24  # rounds, downwards and upwards in turn, of moving nodes towards their neighbours
PASSES = 1000  # rounds of ordering the layers; 25 nodes need far fewer

Point = tuple[float, float]
Places = Mapping[str, Sequence[str]]  # the requirements of each node


@dataclass(frozen=True)
class Drawing:
    """The places of the nodes, and for each requirement the points of its line."""

    width: float
    height: float
    nodes: Mapping[str, Point]
    lines: Sequence[tuple[str, str, Sequence[Point]]]  # from, to, points: downwards

    def content(self) -> dict[str, Any]:
        """Return the drawing as plain values for a JSON column."""
        return {
            "width": self.width,
            "height": self.height,
            "nodes": {slug: list(place) for slug, place in self.nodes.items()},
            "lines": [
                [tail, head, [list(point) for point in points]] for tail, head, points in self.lines
            ],
        }


def circle_in(requires: Places) -> list[str]:
    """Return nodes that require each other in a circle, the first repeated last; [] if none do."""
    try:
        TopologicalSorter(requires).prepare()
    except CycleError as error:
        return list(reversed(error.args[1]))
    return []


def layers_of(requires: Places) -> dict[str, int]:
    """Return each node's layer, below all that it requires. There must be no circle.

    That is the first one with room: of more than MOST_IN_LAYER, those on which the longest chains
    of others build come first (Coffman and Graham 1972). So a map is as narrow as a window.
    """
    sorter = TopologicalSorter(requires)
    above = dict.fromkeys(requires, 0)  # the length of the longest chain that builds on each
    for slug in reversed(list(TopologicalSorter(requires).static_order())):
        for needed in requires[slug]:
            above[needed] = max(above[needed], above[slug] + 1)
    order = {slug: number for number, slug in enumerate(requires)}
    layers: dict[str, int] = {}
    waiting: list[str] = []
    sorter.prepare()
    for layer in count():
        if not sorter.is_active():
            break
        waiting = sorted(
            [*waiting, *sorter.get_ready()], key=lambda slug: (-above[slug], order[slug])
        )
        row, waiting = waiting[:MOST_IN_LAYER], waiting[MOST_IN_LAYER:]
        layers |= dict.fromkeys(row, layer)
        sorter.done(*row)
    return layers


def lay_out(requires: Places) -> Drawing:
    """Draw a map. The keys name the nodes; all requirements are among them, without a circle."""
    if not requires:
        return Drawing(0, 0, {}, ())
    layers = layers_of(requires)
    bends = {
        (needed, slug): [(slug, layer) for layer in range(layers[needed] + 1, layers[slug])]
        for slug in requires
        for needed in requires[slug]
    }
    chains: dict[tuple[str, str], list[Name]] = {
        ends: [ends[0], *between, ends[1]] for ends, between in bends.items()
    }
    depth: dict[Any, int] = {**layers}
    for bend in (bend for between in bends.values() for bend in between):
        depth[bend] = bend[1]
    # Lines to one node run together from the layer where they meet: each piece is counted once.
    pieces = dict.fromkeys(pair for chain in chains.values() for pair in pairwise(chain))
    places = _places(depth, list(pieces))
    moved = {
        name: (round(x + MARGIN_ACROSS, 1), round(y + MARGIN_ABOVE + NODE_HEIGHT / 2, 1))
        for name, (x, y) in places.items()
    }
    return Drawing(
        width=max(x + _half_width(name) for name, (x, _) in moved.items()) + MARGIN_ACROSS,
        height=max(y for _, y in moved.values()) + NODE_HEIGHT / 2 + MARGIN_BELOW,
        nodes={slug: moved[slug] for slug in requires},
        lines=[(*ends, [moved[name] for name in chain]) for ends, chain in chains.items()],
    )


Bend = tuple[str, int]  # where long lines cross a layer: the node they all lead to, the layer
Name = str | Bend


def _places(depth: Mapping[Name, int], lines: list[tuple[Name, Name]]) -> dict[Name, Point]:
    from igraph import Graph  # a second to import: only the load of a map takes it

    names = sorted(depth, key=lambda name: (depth[name], str(name)))
    number = {name: index for index, name in enumerate(names)}
    graph = Graph(len(names), [(number[a], number[b]) for a, b in lines], directed=True)
    coordinates = graph.layout_sugiyama(
        layers=[depth[name] for name in names], hgap=1, vgap=1, maxiter=PASSES
    ).coords
    columns = {name: x for name, (x, _) in zip(names, coordinates, strict=True)}
    across = _across(_rows(columns, depth), lines)
    down = NODE_HEIGHT + GAP_DOWN
    return {name: (across[name], depth[name] * down) for name in names}


def _rows(columns: Mapping[Name, float], depth: Mapping[Name, int]) -> list[list[Name]]:
    """Return the layers from above, each in igraph's order; of two in one place, by their names."""
    rows: list[list[Name]] = [[] for _ in range(max(depth.values()) + 1)]
    for name in sorted(columns, key=lambda node: (columns[node], str(node))):
        rows[depth[name]].append(name)
    return rows


def _across(rows: list[list[Name]], lines: list[tuple[Name, Name]]) -> dict[Name, float]:
    """Return the place of each name: within the width of the fullest row, near its neighbours."""
    starts = {name: start for row in rows for name, start in zip(row, _starts(row), strict=True)}
    room = max(_end(row, starts) for row in rows)
    slack = {name: room - _end(row, starts) for row in rows for name in row}
    above: dict[Name, list[Name]] = {name: [] for row in rows for name in row}
    below: dict[Name, list[Name]] = {name: [] for row in rows for name in row}
    for upper, lower in lines:
        above[lower].append(upper)
        below[upper].append(lower)
    places = {name: start + slack[name] / 2 for name, start in starts.items()}
    for sweep in range(SWEEPS):
        for row in rows if sweep % 2 == 0 else reversed(rows):
            near = above if sweep % 2 == 0 else below
            if sweep >= SWEEPS - 2:  # at last each minds both sides
                near = {name: above[name] + below[name] for name in row}
            wishes = [_mean([places[one] for one in near[name]] or [places[name]]) for name in row]
            free = _increasing(
                [wish - starts[name] for wish, name in zip(wishes, row, strict=True)]
            )
            for name, shift in zip(row, free, strict=True):
                places[name] = starts[name] + min(max(shift, 0.0), slack[name])
    return places


def _starts(row: list[Name]) -> list[float]:
    """Return the places of a row's names when it is as narrow as possible, its edge at 0."""
    starts = [_half_width(row[0])]
    for before, name in pairwise(row):
        nodes = isinstance(before, str) and isinstance(name, str)
        gap = GAP_ACROSS if nodes else GAP_BESIDE_BEND
        starts.append(starts[-1] + _half_width(before) + gap + _half_width(name))
    return starts


def _end(row: list[Name], starts: Mapping[Name, float]) -> float:
    return starts[row[-1]] + _half_width(row[-1])


def _increasing(wishes: list[float]) -> list[float]:
    """Return the numbers nearest to the wishes, by least squares, of which none is below the last.

    Neighbours in the wrong order share their mean (pool adjacent violators).
    """
    pools: list[tuple[float, int]] = []
    for wish in wishes:
        pools.append((wish, 1))
        while len(pools) > 1 and pools[-2][0] > pools[-1][0]:
            (left, count), (right, more) = pools[-2:]
            pools[-2:] = [((left * count + right * more) / (count + more), count + more)]
    return [mean for mean, count in pools for _ in range(count)]


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers)


def _half_width(name: Name) -> float:
    return (NODE_WIDTH if isinstance(name, str) else BEND_WIDTH) / 2


LINES, LINE_LENGTH = 2, 18  # the characters that fit into a node, see layout.py


def title_lines(title: str) -> list[str] | None:
    """Return a title in one line or two of similar length; None when it does not fit."""
    if len(title) <= LINE_LENGTH:
        return [title]
    words = title.split(" ")
    breaks = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    fitting = [pair for pair in breaks if max(map(len, pair)) <= LINE_LENGTH]
    return list(min(fitting, key=lambda pair: max(map(len, pair)))) if fitting else None


def path_down(points: Sequence[Sequence[float]], *, half_height: float) -> str:
    """Return the path of a line from the foot of its first node to the head of its last.

    It moves aside only between layers: beside the nodes of a layer it goes straight down.
    """
    path = f"M{points[0][0]:g} {points[0][1] + half_height:g}"
    for (x0, y0), (x1, y1) in pairwise(points):
        foot, head = y0 + half_height, y1 - half_height
        middle = (foot + head) / 2
        path += f"C{x0:g} {middle:g} {x1:g} {middle:g} {x1:g} {head:g}"
        if (x1, y1) != tuple(points[-1]):
            path += f"V{y1 + half_height:g}"
    return path
