"""The places of a concept map's nodes: in layers, each concept below all that it requires.

igraph orders each layer so that few lines cross (Sugiyama, Tagawa, Toda 1981) and sets nodes
apart. The same map gives the same places, always.

Units: those of the drawing; a node is NODE_WIDTH by NODE_HEIGHT, its place is its middle.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from graphlib import CycleError, TopologicalSorter
from itertools import pairwise
from typing import Any

NODE_WIDTH, NODE_HEIGHT = 176, 80
GAP_ACROSS, GAP_DOWN = 24, 52
BEND_WIDTH = 8  # width that a line takes where it passes through a layer
MARGIN = 24
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
    """Return each node's layer: one below the deepest it requires. There must be no circle."""
    layers: dict[str, int] = {}
    for slug in TopologicalSorter(requires).static_order():
        layers[slug] = 1 + max((layers[needed] for needed in requires[slug]), default=-1)
    return layers


def lay_out(requires: Places) -> Drawing:
    """Draw a map. The keys name the nodes; all requirements are among them, without a circle."""
    if not requires:
        return Drawing(0, 0, {}, ())
    layers = layers_of(requires)
    bends = {
        (needed, slug): _bends(needed, slug, layers[slug] - layers[needed])
        for slug in requires
        for needed in requires[slug]
    }
    chains: dict[tuple[str, str], list[Name]] = {
        ends: [ends[0], *between, ends[1]] for ends, between in bends.items()
    }
    depth: dict[Any, int] = {**layers}
    for bend in (bend for between in bends.values() for bend in between):
        depth[bend] = layers[bend[0]] + bend[2]
    places = _places(depth, [pair for chain in chains.values() for pair in pairwise(chain)])
    moved = {
        name: (round(x + MARGIN + NODE_WIDTH / 2, 1), round(y + MARGIN + NODE_HEIGHT / 2, 1))
        for name, (x, y) in places.items()
    }
    return Drawing(
        width=max(x for x, _ in moved.values()) + NODE_WIDTH / 2 + MARGIN,
        height=max(y for _, y in moved.values()) + NODE_HEIGHT / 2 + MARGIN,
        nodes={slug: moved[slug] for slug in requires},
        lines=[(*ends, [moved[name] for name in chain]) for ends, chain in chains.items()],
    )


Bend = tuple[str, str, int]  # where a long line crosses a layer: its ends, layers after the first
Name = str | Bend


def _bends(tail: str, head: str, layers: int) -> list[Bend]:
    """Return a line's bends: one in every layer between its ends, so that it meets no node."""
    return [(tail, head, layer) for layer in range(1, layers)]


def _places(depth: Mapping[Name, int], lines: list[tuple[Name, Name]]) -> dict[Name, Point]:
    from igraph import Graph  # a second to import: only the load of a map takes it

    names = sorted(depth, key=lambda name: (depth[name], str(name)))
    number = {name: index for index, name in enumerate(names)}
    graph = Graph(len(names), [(number[a], number[b]) for a, b in lines], directed=True)
    coordinates = graph.layout_sugiyama(
        layers=[depth[name] for name in names], hgap=1, vgap=1, maxiter=PASSES
    ).coords
    columns = _apart({name: x for name, (x, _) in zip(names, coordinates, strict=True)}, depth)
    across = _across(columns, depth)
    down = NODE_HEIGHT + GAP_DOWN
    return {name: (across[columns[name]], depth[name] * down) for name in names}


def _apart(columns: dict[Name, float], depth: Mapping[Name, int]) -> dict[Name, float]:
    """Give each of two nodes that igraph puts into one place, as it sometimes does, a column."""
    last: dict[int, float] = {}
    for name in sorted(columns, key=lambda one: (columns[one], str(one))):
        columns[name] = max(columns[name], last.get(depth[name], -1.0) + 1e-6)
        last[depth[name]] = columns[name]
    return columns


def _across(columns: Mapping[Name, float], depth: Mapping[Name, int]) -> dict[float, float]:
    """Return the place of each column: as far left as its nodes fit beside those before them."""
    stands: dict[float, float] = {}
    last: dict[
        int, tuple[float, float]
    ] = {}  # of each layer: the place of its last node, half the node's width
    edge = 0.0
    for column in sorted(set(columns.values())):
        here = [name for name in columns if columns[name] == column]
        for name in here:
            before, half = last.get(depth[name], (0.0, -GAP_ACROSS - _half_width(name)))
            edge = max(edge, before + half + GAP_ACROSS + _half_width(name))
        stands[column] = edge
        for name in here:
            last[depth[name]] = (edge, _half_width(name))
    return stands


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
    """Return the path of a line from the foot of its first node to the head of its last."""
    (x, y), *bends, (end_x, end_y) = points
    stops = [(x, y + half_height), *bends, (end_x, end_y - half_height)]
    path = f"M{x:g} {y + half_height:g}"
    for (x0, y0), (x1, y1) in pairwise(stops):
        middle = (y0 + y1) / 2
        path += f"C{x0:g} {middle:g} {x1:g} {middle:g} {x1:g} {y1:g}"
    return path
