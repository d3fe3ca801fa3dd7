"""A config.json that a reader pastes: read within bounds, and what is true of it.

Nothing of it is stored, and nothing that it names is opened or fetched.
"""

import math
from dataclasses import dataclass

from posenc.configs import Turning, findings, frequencies_in, read_config, read_json, turning_of
from posenc.configs.ladder import MOST_PAIRS
from posenc.errors import ParameterError
from posenc.number_format import grouped
from posenc.stack import Stack, as_runs

from quizzes.lessons.released.rope_names import NamedRope, rope_entry
from quizzes.lessons.released.strips import Strip, strip_of

MOST_BYTES = 64 * 1024
MOST_WAYS = 4  # in which layers turn: each has two figures
TURN = 2 * math.pi


@dataclass(frozen=True)
class Way:
    """Layers that turn in the same way. `name`: of their pictures, "" where none can be drawn."""

    title: str
    name: str
    base: str
    turning: str
    slowest: str
    less: str


@dataclass(frozen=True)
class PastedConfig:
    """What is true of a config: the first sentence is the most surprising."""

    first: str
    others: tuple[str, ...]
    strip: Strip
    ways: tuple[Way, ...]
    left_out: int
    notes: tuple[str, ...]
    stated: str

    @property
    def names(self) -> list[str]:
        """Return the names of what is drawn."""
        return [way.name for way in self.ways if way.name]


@dataclass(frozen=True)
class Refusal:
    """Why a text is no config that can be read. `field` names the field, "" for the whole text."""

    field: str
    words: str


def read_pasted(text: str) -> PastedConfig | Refusal:
    """Return what is true of the text of a config.json, or why it cannot be read."""
    try:
        config = read_json(text, most_bytes=MOST_BYTES)
    except ParameterError as error:
        return Refusal("", error.expected)
    try:
        return _facts_of(read_config(config))
    except ParameterError as error:
        return Refusal(error.argument, str(error))


def _facts_of(stack: Stack) -> PastedConfig:
    first, *others = findings(stack)
    ways = turning_of(stack)
    return PastedConfig(
        first,
        tuple(others),
        strip_of(stack),
        tuple(_way(way, stack, len(ways) == 1) for way in ways[:MOST_WAYS]),
        max(0, len(ways) - MOST_WAYS),
        stack.notes,
        "" if stack.context is None else grouped(stack.context),
    )


def _way(way: Turning, stack: Stack, is_only: bool) -> Way:
    rope, context = way.rope, stack.context
    name = NamedRope(rope, context, way.trained is not None).name
    inv_freq = frequencies_in(rope, context)
    moving = inv_freq[inv_freq > 0]
    less = "–" if context is None else f"{int((moving * context < TURN).sum())}"
    count, runs = len(way.places), as_runs(way.places)
    title = f"{'Layer' if count == 1 else 'Layers'} {runs}"
    if count == len(stack.layers):
        title = "All layers"
    elif "," in runs:
        title = f"The {count} layers that turn"
        title = title if is_only else f"{count} layers with base {grouped(rope.base)}"
    drawn = len(inv_freq) <= MOST_PAIRS and name and rope_entry(name) is not None
    return Way(
        title,
        name if drawn else "",
        grouped(rope.base),
        f"{2 * len(moving)} of {rope.head_dim + way.layer.unturned}",
        grouped(round(TURN / float(moving.min()))),
        f"{less} of {len(moving)}",
    )
