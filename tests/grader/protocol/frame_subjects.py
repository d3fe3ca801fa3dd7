"""Exercises whose judging is fuzzed: a pack, the frames of honest runs, and what they must say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from quizzes.grader.judge.built_in_mistakes import ROW_CONSTANT
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.report import Report, Verdict
from quizzes.grader.protocol.job import Job, Run, Sandbox
from quizzes.grader.protocol.wire import Array, Frame
from tests.grader.protocol.frame_oracle import is_right
from tests.hostile.forging import aim_at

Leaves = Mapping[str, tuple[str, Array]]
Told = tuple[str, int]  # a kind of frames, and the index in one
Wanted = Mapping[Told, Leaves | None]
SLUGS = (
    "alibi-bias",  # conventions, a property, masked scores that are infinite
    "rope-angles",  # a pair of arrays, conventions of another shape
    "apply-rope",  # the dtype of the argument, lengths and distances
    "relative-index",  # whole numbers
    "learned-positions",  # a module: errors that must come, facts of what is trained
    "sinusoidal-module",  # the same, with dropout and half precision
)


@dataclass(frozen=True, eq=False)
class Honest:
    """What a program that means it has sent, and what another one must send to be called alike."""

    frames: tuple[Frame, ...]
    wanted: Wanted


@dataclass(frozen=True, eq=False)
class Subject:
    """A pack without shrinking cases; its reference's run, and those of its conventions by name.

    `drawn`: the frames of hidden cases that change with the seed.
    """

    pack: CasePack
    drawn: frozenset[Told]
    reference: Honest
    conventions: Mapping[str, Honest]

    def may_say(self, report: Report, frames: Sequence[Frame]) -> bool:
        """Whether the verdict is one that the numbers in these frames allow."""
        if report.verdict is Verdict.CORRECT:
            return self._is_right(frames, self.reference)
        if report.verdict is Verdict.CORRECT_OTHER_CONVENTION:
            assert report.known_mistake is not None
            if report.known_mistake == ROW_CONSTANT:
                return self._is_right(frames, self.reference, by_rows=True)
            return self._is_right(frames, self.conventions[report.known_mistake.slug])
        return report.verdict is not Verdict.NOT_GRADED

    def _is_right(self, frames: Sequence[Frame], honest: Honest, *, by_rows: bool = False) -> bool:
        entry = self.pack.entry
        accepted = entry.dtypes, entry.tolerance
        return is_right(frames, honest.wanted, self.drawn, *accepted, by_rows=by_rows)


class Replay:
    """A sandbox whose child wrote these frames, whatever it was asked to do."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def run(self, job: Job) -> Run:
        return self._run


def subject_of(slug: str, author: Sandbox, student: Sandbox) -> Subject:
    """Everything that is needed of an exercise, from real runs."""
    target = aim_at(slug, author, student)
    pack = target.pack.keep([not case.spare for case in target.pack.cases])
    places = enumerate(pack.cases)
    drawn = frozenset(
        ("case", place) for place, case in places if case.label in target.drawn and not case.shown
    )
    conventions = {
        name: Honest(frames, wanted_of(pack, frames)) for name, frames in target.conventions.items()
    }
    return Subject(pack, drawn, Honest(target.frames, wanted_of(pack, target.frames)), conventions)


def wanted_of(pack: CasePack, frames: Sequence[Frame]) -> dict[Told, Leaves | None]:
    """What a run said of each graded case and each call of a pair; None where it raised."""
    told = [frame for frame in frames if frame.header["kind"] in ("case", "again")]
    by_index = {(frame.header["kind"], frame.header["index"]): frame for frame in told}
    return {
        (kind, index): None if frame.header["failure"] else _leaves(frame)
        for (kind, index), frame in by_index.items()
        if kind == "again" or pack.cases[index].graded
    }


def _leaves(frame: Frame) -> Leaves:
    """Results, facts, flags, gradients: what is looked at for a property need not be the same."""
    return {
        leaf["key"]: (leaf["dtype"], frame.arrays[leaf["array"]])
        for leaf in frame.header["leaves"]
        if leaf["key"].startswith(("out", "fact.", "changed.", "grad."))
    }
