"""How long a call took beside the reference, and when that is too long.

Times are processor seconds of the fastest of several calls, as the sandbox measured them. They
count only where the exercise says so (`speed: {at_most: ...}`), and only when both were measured.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from quizzes.grader.judge import messages
from quizzes.grader.judge.case_pack import CasePack, EntryPoint
from quizzes.grader.judge.formatting import call_text
from quizzes.grader.judge.report import Speed
from quizzes.grader.judge.stages import Finding
from quizzes.grader.judge.timed_results import is_compared
from quizzes.grader.protocol.job import Job, Sandbox
from quizzes.grader.protocol.observation import Observation, measured_by
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.protocol.verdict import Stage

SECONDS = "seconds"
TIMED_AGAIN = 2  # times: the reference for a pack, a submission before a call is too slow
LEAST_SECONDS = 1e-9  # what a clock can tell
ALWAYS_ALLOWED = 2e-3  # seconds; below that a busy machine decides, and nobody has to wait


@dataclass(frozen=True)
class TimedCall:
    """One call: the place of its case, the code's seconds and the reference's."""

    place: int
    seconds: float
    reference: float

    @property
    def ratio(self) -> float:
        """How many times as long as the reference it took."""
        return self.seconds / self.reference


def largest_timed(pack: CasePack, got: Sequence[Observation | None]) -> TimedCall | None:
    """Return the largest input on which both were timed; a child that lies about it has none."""
    for place in reversed(range(len(pack.cases))):
        seen = got[place]
        if pack.cases[place].probe != "time" or seen is None:
            continue
        seconds = measured_by(seen, SECONDS)
        reference = measured_by(pack.expected[place], SECONDS)
        if reference and seconds and LEAST_SECONDS <= seconds <= pack.entry.limits.wall_seconds:
            return TimedCall(place, seconds, reference)
    return None


def allowed_seconds(entry: EntryPoint, reference: float) -> float | None:
    """Return the seconds that the call may take; None where time does not count."""
    if entry.speed_at_most is None:
        return None
    return max(entry.speed_at_most * reference, ALWAYS_ALLOWED)


def check_time(timed: TimedCall, entry: EntryPoint) -> Finding | None:
    """Say that a call is too slow; None when it is fast enough, or when time does not count."""
    allowed = allowed_seconds(entry, timed.reference)
    if allowed is None or timed.seconds <= allowed:
        return None
    at_most = entry.speed_at_most if allowed > ALWAYS_ALLOWED else None
    message = messages.too_slow(timed.seconds, timed.reference, allowed, at_most)
    return Finding(Stage.TIME, message, sides=messages.time_sides(timed.seconds, allowed))


def timing_report(
    pack: CasePack,
    timed: TimedCall | None,
    failed: Stage | None,
    got: Sequence[Observation | None],
) -> Speed | None:
    """Return the card of the timed call; None unless the values are right.

    `failed`: the first stage that failed. How fast something else is computed teaches nothing.
    """
    wrong = failed is not None and (failed is Stage.LIMIT or failed.order <= Stage.VALUES.order)
    if timed is None or wrong or not is_compared(pack.expected[timed.place], got[timed.place]):
        return None
    ratio = _two_digits(timed.ratio)
    return Speed(
        call_text(pack.entry, pack.cases[timed.place]),
        _two_digits(timed.seconds),
        timed.reference,
        ratio,
        messages.beside_the_reference(timed.seconds, ratio),
        allowed_seconds(pack.entry, timed.reference),
    )


def _two_digits(number: float) -> float:
    """Round a measured number: more digits tell nothing, or what code wrote into them."""
    return float(f"{number:.2g}")


def time_again(
    job: Job, places: Sequence[int], known: Sequence[Observation | None], sandbox: Sandbox
) -> tuple[Observation | None, ...]:
    """Return the same observations, with the faster of two measurements of cases at these places.

    Another child had the core, maybe alone. What cannot be measured again stays as it is.
    """
    alone = replace(job, cases=tuple(job.cases[place] for place in places))
    again = read_run(sandbox.run(alone), alone.cases).observations
    observations = list(known)
    for place, other in zip(places, again, strict=True):
        observations[place] = _faster(observations[place], other)
    return tuple(observations)


def _faster(first: Observation | None, second: Observation | None) -> Observation | None:
    """Return the shorter of two measurements of a call; the first where the second is none."""
    if first is None or second is None:
        return first
    known, again = measured_by(first, SECONDS), measured_by(second, SECONDS)
    return second if known and again and LEAST_SECONDS <= again < known else first
