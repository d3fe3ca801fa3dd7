"""How long a call took beside the reference, and when that is too long.

Times are processor seconds of the fastest of several calls, as the sandbox measured them. They
count only where the exercise says so (`speed: {at_most: ...}`), and only when both were measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quizzes.grader import wording
from quizzes.grader.case_pack import CasePack, EntryPoint
from quizzes.grader.facts import measured_by
from quizzes.grader.job import Job, Sandbox
from quizzes.grader.observation import Observation
from quizzes.grader.reading import read_run
from quizzes.grader.report import Rung
from quizzes.grader.rungs import CaseFault

SECONDS = "seconds"
TIMED_AGAIN = 2  # times: the reference for a pack, a submission before a call is too slow
LEAST_SECONDS = 1e-9  # what a clock can tell
ALWAYS_ALLOWED = 2e-3  # seconds; below that a busy machine decides, and nobody has to wait
WHOLE_ARRAYS = "If your code loops over elements in Python, working on whole arrays gains about"


@dataclass(frozen=True)
class Timed:
    """One call: the place of its case, the code's seconds and the reference's."""

    place: int
    seconds: float
    reference: float

    @property
    def ratio(self) -> float:
        """How many times as long as the reference it took."""
        return self.seconds / self.reference


def largest_timed(pack: CasePack, got: Sequence[Observation | None]) -> Timed | None:
    """The largest input on which both were timed; a child that lies about it has none."""
    for place in reversed(range(len(pack.cases))):
        seen = got[place]
        if pack.cases[place].probe != "time" or seen is None:
            continue
        seconds = measured_by(seen, SECONDS)
        reference = measured_by(pack.expected[place], SECONDS)
        if reference and seconds and LEAST_SECONDS <= seconds <= pack.entry.limits.wall_seconds:
            return Timed(place, seconds, reference)
    return None


def allowed_seconds(entry: EntryPoint, reference: float) -> float | None:
    """How long the call may take; None where time does not count."""
    if entry.speed_at_most is None:
        return None
    return max(entry.speed_at_most * reference, ALWAYS_ALLOWED)


def time_fault(timed: Timed, entry: EntryPoint) -> CaseFault | None:
    """None when it is fast enough, or when time does not count."""
    allowed = allowed_seconds(entry, timed.reference)
    if allowed is None or timed.seconds <= allowed:
        return None
    taken, most, reference = map(wording.duration, (timed.seconds, allowed, timed.reference))
    factor = f"{entry.speed_at_most:g} times the" if allowed > ALWAYS_ALLOWED else "the"
    message = (
        f"this call takes your code {taken}, at most {most} is allowed ({factor} reference's "
        f"{reference}). {WHOLE_ARRAYS} {wording.times(timed.ratio)} times the speed"
    )
    return CaseFault(Rung.TIME, message, sides=(f"at most {most}", taken))


def time_again(
    job: Job, places: Sequence[int], known: Sequence[Observation | None], sandbox: Sandbox
) -> tuple[Observation | None, ...]:
    """The same observations, with the faster of two measurements of the cases at these places.

    Another child had the core, maybe alone. What cannot be measured again stays as it is.
    """
    alone = replace(job, cases=tuple(job.cases[place] for place in places))
    again = read_run(sandbox.run(alone), alone.cases).observations
    observations = list(known)
    for place, other in zip(places, again, strict=True):
        observations[place] = _faster(observations[place], other)
    return tuple(observations)


def _faster(one: Observation | None, other: Observation | None) -> Observation | None:
    """The one of two measurements of a call that says less; the first where the other is none."""
    if one is None or other is None:
        return one
    known, again = measured_by(one, SECONDS), measured_by(other, SECONDS)
    return other if known and again and LEAST_SECONDS <= again < known else one
