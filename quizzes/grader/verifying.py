"""An exercise proves itself: reference correct, starter not, each variant named and no other."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from quizzes.grader.case_pack import CasePack
from quizzes.grader.definition import ExerciseDefinition
from quizzes.grader.job import Sandbox
from quizzes.grader.judge import judge
from quizzes.grader.preparing import prepare
from quizzes.grader.report import Report, Verdict

SEEDS = (1, 2)
_NAMED = {
    "mistake": Verdict.KNOWN_MISTAKE,
    "convention": Verdict.CORRECT_OTHER_CONVENTION,
}


@dataclass(frozen=True)
class Verification:
    """Whether an exercise may be published, and every reason why not (`file: what`)."""

    problems: tuple[str, ...]

    @property
    def ok(self) -> bool:
        """No problem was found."""
        return not self.problems


def verify(definition: ExerciseDefinition, author: Sandbox, student: Sandbox) -> Verification:
    """Runs everything once over; raises AuthorError when the author's code does not even run.

    Author's code is judged in the author sandbox, the starter where students' code runs.
    """
    first = prepare(definition, author, seed=SEEDS[0])
    others = [prepare(definition, author, seed=s, identify=first.identify) for s in SEEDS[1:]]
    problems = [*_reference_problems(definition, [first, *others], author)]
    problems += _starter_problems(definition, first, student)
    problems += _variant_problems(definition, first, author)
    return Verification(tuple(problems))


def _reference_problems(
    definition: ExerciseDefinition, packs: list[CasePack], author: Sandbox
) -> Iterator[str]:
    for pack in packs:
        report = judge(pack, definition.reference, author)
        if report.verdict is not Verdict.CORRECT:
            yield f"reference.py: {_what_happened(report)} (seed {pack.seed})"


def _starter_problems(
    definition: ExerciseDefinition, pack: CasePack, student: Sandbox
) -> Iterator[str]:
    report = judge(pack, definition.starter, student)
    if report.verdict is Verdict.CORRECT:
        yield "starter.py: is graded correct as it stands"
    if report.known_mistake is not None:
        yield f"starter.py: is taken for the known mistake {report.known_mistake.slug}"


def _variant_problems(
    definition: ExerciseDefinition, pack: CasePack, author: Sandbox
) -> Iterator[str]:
    for slug, wrong in definition.wrong.items():
        report = judge(pack, wrong.source, author)
        named = report.known_mistake.slug if report.known_mistake else None
        if report.verdict is not _NAMED[wrong.kind] or named != slug:
            yield f"wrong/{slug}.py: {_what_happened(report)}, expected {_NAMED[wrong.kind]} {slug}"


def _what_happened(report: Report) -> str:
    named = f" {report.known_mistake.slug}" if report.known_mistake else ""
    fault = f": {report.first_fault.message}" if report.first_fault else ""
    return f"was graded {report.verdict}{named}{fault}"
