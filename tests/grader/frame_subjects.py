"""Exercises whose judging is fuzzed: a pack, the frames of honest runs, and what they must say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from quizzes.grader.case_pack import CasePack
from quizzes.grader.job import Ending, Job, Run, Sandbox
from quizzes.grader.judge import judge
from quizzes.grader.observation import Observation
from quizzes.grader.reading import read_run
from quizzes.grader.report import Report, Verdict
from quizzes.grader.wire import Array, Frame
from tests.grader.frame_oracle import is_right
from tests.hostile.forging import aim_at
from tests.shipped_exercises.folders import definition_of

Wanted = Mapping[int, Mapping[str, tuple[str, Array]] | None]
SLUGS = (
    "alibi-bias",  # conventions, a property, masked scores that are infinite
    "rope-angles",  # a pair of arrays, conventions of another shape
    "apply-rope",  # the dtype of the argument, lengths and distances
    "relative-index",  # whole numbers
    "learned-positions",  # a module: errors that must come, facts of what is trained
    "sinusoidal-module",  # the same, with dropout and half precision
)
VALUE_PROBES = ("call", "call_eval")


@dataclass(frozen=True, eq=False)
class Honest:
    """What a program that means it has sent, and what another one must send to be called alike."""

    frames: tuple[Frame, ...]
    wanted: Wanted


@dataclass(frozen=True, eq=False)
class Subject:
    """A pack without spare cases; its reference's run, and those of its conventions by name.

    `drawn`: the places of hidden cases that change with the seed.
    """

    pack: CasePack
    drawn: frozenset[int]
    reference: Honest
    conventions: Mapping[str, Honest]

    def may_say(self, report: Report, frames: Sequence[Frame]) -> bool:
        """Whether the verdict is one that the numbers in these frames allow."""
        if report.verdict is Verdict.CORRECT:
            return self._is_right(frames, self.reference)
        if report.verdict is Verdict.CORRECT_OTHER_CONVENTION:
            assert report.known_mistake is not None
            return self._is_right(frames, self.conventions[report.known_mistake.slug])
        return report.verdict is not Verdict.NOT_GRADED

    def _is_right(self, frames: Sequence[Frame], honest: Honest) -> bool:
        entry = self.pack.entry
        return is_right(frames, honest.wanted, self.drawn, entry.dtypes, entry.tolerance)


class Replay:
    """A sandbox whose child wrote these frames, whatever it was asked to do."""

    def __init__(self, run: Run) -> None:
        self._run = run

    def run(self, job: Job) -> Run:
        return self._run


class _Keeping:
    """A sandbox that keeps the first run."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.first: Run | None = None

    def run(self, job: Job) -> Run:
        run = self._sandbox.run(job)
        self.first = self.first or run
        return run


def subject_of(slug: str, author: Sandbox, student: Sandbox) -> Subject:
    """Everything that is needed of an exercise, from real runs."""
    target = aim_at(slug, author)
    pack = target.pack.keep([not case.spare for case in target.pack.cases])
    places = enumerate(pack.cases)
    drawn = frozenset(i for i, case in places if case.label in target.drawn and not case.shown)
    wanted = _told(pack, pack.expected)
    conventions = {
        wrong.slug: _honest(pack, wrong.source, student, wanted)
        for wrong in definition_of(slug).wrong.values()
        if wrong.kind == "convention"
    }
    reference = _honest(pack, definition_of(slug).reference, student, wanted)
    return Subject(pack, drawn, Honest(reference.frames, wanted), conventions)


def _honest(pack: CasePack, source: str, student: Sandbox, reference: Wanted) -> Honest:
    """A run, and the reference's leaves with this program's results in their place."""
    keeping = _Keeping(student)
    judge(pack, source, keeping)
    assert keeping.first is not None
    assert keeping.first.ending is Ending.FINISHED
    seen = read_run(keeping.first, len(pack.cases)).observations
    own = _told(pack, [item or Observation() for item in seen])
    values = [place for place in reference if pack.cases[place].probe in VALUE_PROBES]
    return Honest(keeping.first.frames, {**reference, **{place: own[place] for place in values}})


def _told(
    pack: CasePack, seen: Sequence[Observation]
) -> dict[int, dict[str, tuple[str, Array]] | None]:
    return {
        place: None if item.failure is not None else _leaves(item)
        for place, (case, item) in enumerate(zip(pack.cases, seen, strict=True))
        if case.graded
    }


def _leaves(seen: Observation) -> dict[str, tuple[str, Array]]:
    kept = ("out", "fact.", "grad.")
    return {
        key: (leaf.dtype, np.zeros(0) if leaf.values is None else leaf.values)
        for key, leaf in seen.leaves.items()
        if key.startswith(kept)
    }
