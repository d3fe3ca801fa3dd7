"""What the end of a lesson, a quiz or an exercise says, decided from facts: no database, no clock.

What was done stands first, then what was shaky by the name of each mistake, which concepts it lit,
and one button: the next thing. A quiz with few answers right celebrates nothing. Its button leads
to the step that most of its wrong answers point to, since what comes next builds on that.

Where a class hides the answers for now, the facts hold neither a result nor a mistake, and the
concepts that the quiz is about are left out too: a state that has just changed is a result.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Literal

from quizzes.lessons.models import Step
from quizzes.study.concept_states import MASTERED, PRACTISED, SEEN, ConceptState
from quizzes.study.misconceptions import MistakePicture
from quizzes.study.next_thing import STEP, Recommendation

FEW = 1 / 2  # of the points
MOST_UNMASTERED = 2  # the map says it of each concept
MOST_SHAKY = 3  # the rest of a quiz stands below its ending, question by question
Kind = Literal["lesson", "quiz", "exercise"]
Tone = Literal["good", "fair", "few", "hidden"]


@dataclass(frozen=True)
class Miss:
    """A wrong answer, or a known mistake in code: what was said, and why it is not so.

    Both are HTML or text, "" where nobody knows more than that it was wrong. `step` is the address
    of the step that explains it, "" for none.
    """

    step: str
    claim: str = ""
    reason: str = ""
    times: int = 1


@dataclass(frozen=True)
class Shaky:
    """The same mistake of one ending, and the step that explains it; None where none is known."""

    miss: Miss
    step: Recommendation | None


@dataclass(frozen=True)
class Code:
    """A program that solved an exercise: how it is called, and its lines beyond the starter's.

    `pictures` are two of one case: what a wrong program of the same learner gave, and what was
    expected, as this one gives it. There are none where none was wrong, or a number alone.
    """

    signature: str
    lines: int
    pictures: tuple[MistakePicture, ...] = ()


@dataclass(frozen=True)
class EndingFacts:
    """What somebody did. Of the answers that count `right` of `total` are right.

    `share` is the part of the points; `number` is worth showing, and `label` says what it counts.
    `steps` are those of the course as things to read, by address, in its order; `concepts` are
    those that the thing is about, `deeper` the steps off a lesson's path.
    """

    kind: Kind
    title: str
    right: int = 0
    total: int = 0
    share: float = 1.0
    number: str = ""
    label: str = ""
    code: Code | None = None
    deeper: Sequence[Step] = ()
    is_hidden: bool = False
    misses: Sequence[Miss] = ()
    concepts: Sequence[ConceptState] = ()
    steps: Mapping[str, Recommendation] = field(default_factory=dict)


@dataclass(frozen=True)
class Ending:
    """What a page shows: heading, number and code, then what was shaky and what is lit."""

    tone: Tone
    heading: str
    number: str
    label: str
    code: Code | None
    deeper: Sequence[Step]
    shaky: tuple[Shaky, ...]
    lit: tuple[str, ...]  # concepts, by their slugs
    unmastered: tuple[ConceptState, ...]  # some of them, of which is known what is left to do
    verb: str  # of the button: "Next" or "Read"
    act: Recommendation | None

    @property
    def mark(self) -> str:
        return {"good": "✓", "fair": "◐", "few": "↺"}.get(self.tone, "…")


def ending_of(facts: EndingFacts, following: Recommendation | None) -> Ending:
    """Return the ending of a thing that the next thing follows, None where all is done."""
    tone = _tone(facts)
    shaky = () if facts.is_hidden else _shaky(facts)
    to_read = _step_to_read(facts) if tone == "few" else None
    return Ending(
        tone=tone,
        heading=_heading(facts),
        number="" if facts.is_hidden else facts.number,
        label=facts.label,
        code=facts.code,
        deeper=facts.deeper,
        shaky=shaky[:MOST_SHAKY],
        lit=() if tone in {"few", "hidden"} else tuple(state.concept.slug for state in _lit(facts)),
        unmastered=() if tone in {"few", "hidden"} else _unmastered(_lit(facts), following),
        verb="Read" if to_read else "Next",
        act=to_read or following,
    )


def _tone(facts: EndingFacts) -> Tone:
    """Return how to speak. Reading to an end and solving are done; only a quiz can go badly."""
    if facts.is_hidden:
        return "hidden"
    if facts.kind != "quiz" or (facts.total and facts.share >= 1):
        return "good"
    return "few" if facts.share < FEW else "fair"


def _heading(facts: EndingFacts) -> str:
    if facts.is_hidden:
        return "Submitted"
    if facts.kind == "quiz":
        return f"{facts.right} of {facts.total} right"
    return "Solved" if facts.kind == "exercise" else f"Finished: {facts.title}"


def _shaky(facts: EndingFacts) -> tuple[Shaky, ...]:
    """Return each mistake once: those with a name first, then by the misses that its step has."""
    times: Counter[Miss] = Counter()
    for miss in facts.misses:
        times[replace(miss, times=1)] += miss.times
    of_step = _misses_by_step(facts)
    grouped = [replace(miss, times=number) for miss, number in times.items()]
    grouped.sort(key=lambda miss: (not (miss.claim or miss.reason), -of_step[miss.step]))
    entries = (Shaky(miss, facts.steps.get(miss.step)) for miss in grouped)
    return tuple(entry for entry in entries if entry.step or entry.miss.claim or entry.miss.reason)


def _misses_by_step(facts: EndingFacts) -> Counter[str]:
    count: Counter[str] = Counter()
    for miss in facts.misses:
        count[miss.step] += miss.times
    return count


def _step_to_read(facts: EndingFacts) -> Recommendation | None:
    """Return the step that most misses point to; of several the first, which others build on."""
    count = _misses_by_step(facts)
    known = [address for address in facts.steps if count[address]]
    if not known:
        return None
    address = max(known, key=lambda step: count[step])
    missed, total = count[address], count.total()
    answers = "It explains the answer that you missed."
    if total > 1:
        answers = f"It explains {missed} of the {total} answers that you missed."
    return replace(facts.steps[address], reason=answers)


def _lit(facts: EndingFacts) -> list[ConceptState]:
    """Return the concepts that show on the map; reading alone lights those of a lesson a little."""
    states = {PRACTISED, MASTERED} | ({SEEN} if facts.kind == "lesson" else set())
    return [lit for lit in facts.concepts if lit.state in states]


def _unmastered(
    lit: Sequence[ConceptState], following: Recommendation | None
) -> tuple[ConceptState, ...]:
    """Return those of which something is left to do, the practised ones first.

    What the button names is not named again.
    """
    address = following.address if following else ""
    states = sorted(lit, key=lambda state: state.state != PRACTISED)
    left = [state for state in states if state.left][:MOST_UNMASTERED]
    return tuple(_without_title(state, address) for state in left)


def _without_title(state: ConceptState, address: str) -> ConceptState:
    """Return the state whose gaps do not name the place at this address."""
    if state.gaps is None:
        return state
    asking = tuple(
        (count, place._replace(title="") if place.address == address else place)
        for count, place in state.gaps.asking
    )
    return replace(state, gaps=replace(state.gaps, asking=asking))


def step_to_read(course: str, path: str, title: str, address: str, seconds: int) -> Recommendation:
    """Return a step as a thing to read."""
    return Recommendation(STEP, course, path, title, address, seconds, "", path.partition("/")[0])
