"""What goes into a sandbox and what comes out, and the one Protocol between judge and sandbox."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Protocol

from quizzes.grader.protocol.case import Case, encode_cases
from quizzes.grader.protocol.pairs import Pair, PairedCall, calls_of
from quizzes.grader.protocol.wire import Frame

MAX_LISTED = 200  # as many cases as `cases.py` may yield
MOST_RECORDINGS = 420  # frames with what the expressions of a program were


@dataclass(frozen=True)
class Limits:
    """What one run may use; the memory comes on top of what the ready fork server maps.

    `wall_seconds`: computing and sleeping together; waiting for a processor does not count.
    """

    wall_seconds: float = 2.0
    memory_mb: int = 600

    @property
    def cpu_seconds(self) -> float:
        """Of all threads, from the rehearsal on: what the clock does not stop, this does."""
        return self.wall_seconds + 1


class Task(StrEnum):
    """What the harness does with the code once it is loaded."""

    RUN_CASES = "run_cases"
    LIST_CASES = "list_cases"
    RECORD = "record"  # runs the cases and says of expressions of the code what they were


def order_of(cases: Sequence[Case]) -> list[int]:
    """Return the places of the cases in the order in which they run: shown, hidden, timed.

    Timed cases are last, shown or not: they may take long. Pairs are called before them.
    """
    shown: list[int] = []
    hidden: list[int] = []
    timed: list[int] = []
    for place, case in enumerate(cases):
        (timed if case.probe == "time" else shown if case.shown else hidden).append(place)
    return shown + hidden + timed


def count_shown(cases: Sequence[Case]) -> int:
    """Count the cases that run first, before the hidden ones are sent."""
    return sum(case.shown and case.probe != "time" for case in cases)


@dataclass(frozen=True, eq=False)
class Job:
    """Code, the name it must define, and the cases to run it on. Nothing else goes in.

    `pairs`: of these cases, those that are called again, see `pairs`. `below`: the author's code
    that runs after `source`, in the same module. `most_values`: how many of an
    expression are recorded.
    """

    source: str
    name: str
    cases: tuple[Case, ...] = ()
    library: str = "numpy"
    seed: int = 0
    limits: Limits = Limits()
    filename: str = "submission.py"
    task: Task = Task.RUN_CASES
    pairs: tuple[Pair, ...] = ()
    below: str = ""
    most_values: int = 2

    @property
    def paired_calls(self) -> tuple[PairedCall, ...]:
        """The calls that are made of the pairs."""
        return calls_of(self.pairs, self.cases)

    @property
    def most_frames(self) -> int:
        """As many as a run can send: of each case one, and what stands before and after them."""
        if self.task is Task.LIST_CASES:
            return 6 + MAX_LISTED
        if self.task is Task.RECORD:
            return 6 + len(self.cases) + MOST_RECORDINGS
        return 6 + len(self.cases) + len(self.paired_calls)

    def to_frames(self) -> Iterator[bytes]:
        """Yield the code with its shown cases, then the hidden ones and pairs, if there are any.

        Each is made when it is asked for, so the second can be made while the first is at work.
        Pairs of shown cases are in the second too: what a shown case prints is reported once.

        Code that runs can read whatever its process holds, arguments of calls to come included,
        and what it prints during the shown cases is reported. So a hidden case must not be there
        yet: its frame is sent when the shown ones are done and nothing printed counts any more.
        """
        order, shown = order_of(self.cases), count_shown(self.cases)
        header = {
            "source": self.source,
            **({"below": self.below} if self.below else {}),
            "name": self.name,
            "library": self.library,
            "seed": self.seed,
            "filename": self.filename,
            "task": self.task.value,
            **({"most_values": self.most_values} if self.task is Task.RECORD else {}),
            "more": shown < len(order) or bool(self.pairs),
        }
        yield self._encode(order[:shown], header)
        if header["more"]:
            pairs = [[pair.first, pair.second] for pair in self.pairs]
            yield self._encode(order[shown:], {"pairs": pairs})

    def _encode(self, places: Sequence[int], header: Mapping[str, Any]) -> bytes:
        cases = tuple(self.cases[place] for place in places)
        return encode_cases(cases, {**header, "places": list(places)})


class Ending(StrEnum):
    """How a run ended. Every one of them is the code's own doing."""

    FINISHED = "finished"
    TIME_LIMIT = "time"
    MEMORY_LIMIT = "memory"
    OUTPUT_LIMIT = "output"
    RESULT_LIMIT = "result"
    DIED = "died"
    GARBLED = "garbled"


@dataclass(frozen=True)
class Death:
    """How a child ended by itself: its exit code, or the signal's name.

    Neither: it closed its result channel and lived on. `exited`: by an exit code that is not told.
    """

    exit_code: int | None = None
    signal: str = ""
    exited: bool = False


@dataclass(frozen=True, eq=False)
class Run:
    """The frames that arrived whole, what the shown cases printed, and how it ended.

    `seconds`: from sending the job to the complete result, without the seconds that the code
    `waited` for a processor. `detail` says what was wrong with its frames. `in_time`: how many
    frames were there when the code was told to stop, None when it was not: what it still says
    afterwards, having caught the stop, does not count. `death`: of a run that died.
    """

    ending: Ending
    frames: tuple[Frame, ...]
    stdout: bytes
    seconds: float
    detail: str = ""
    in_time: int | None = None
    death: Death | None = None
    waited: float = 0.0

    @property
    def ran_out_of_time(self) -> bool:
        """Whether the code was told to stop, whatever it did then, or used up its processor."""
        return self.in_time is not None or self.ending is Ending.TIME_LIMIT


class Sandbox(Protocol):
    """Runs hostile code. Raises SandboxBroken when the failure is ours."""

    def run(self, job: Job) -> Run:
        """Run one job to its end, at most its limit, which a busy machine does not use up."""
        ...


class ServingSandbox(Sandbox, Protocol):
    """One that leaves for later what can wait until the verdict is recorded."""

    def can_run_soon(self, source: str, library: str) -> bool:
        """Say whether this code could run now; if it would wait, what it needs is being started."""
        ...

    def get_ready(self) -> None:
        """Prepare for the next job; call it after one. It never fails."""
        ...

    def renew(self) -> None:
        """Replace what is due for it; call it now and then while nobody waits.

        Raises SandboxUnavailable when what takes its place does not hold.
        """
        ...
