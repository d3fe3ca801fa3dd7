"""Print how true the verdicts on strangers' programs are: the columns of docs/verdicts.md.

Usage: python tools/verdict_table.py [first|second] [--list]

Each program is graded as a submission, by the sandbox that students have. --list prints of each
program what is true of it, the headline, the name of the mistake and what the student reads, for
somebody who judges whether that is true.
"""

import argparse
import re
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from quizzes.grader.judge.case_pack import CasePack  # noqa: E402
from quizzes.grader.judge.judge import grade_code  # noqa: E402
from quizzes.grader.judge.mistake_pairs import list_pairs  # noqa: E402
from quizzes.grader.judge.report import Report, Verdict  # noqa: E402
from quizzes.grader.protocol.verdict import Stage  # noqa: E402
from tests.shared_sandboxes import shared_pack, shared_sandbox  # noqa: E402
from tests.strangers.programs import Program, read_programs  # noqa: E402

SEED = 3
ACCEPTED = (Verdict.CORRECT, Verdict.CORRECT_OTHER_CONVENTION)
NOTHING_DIFFERS = (Stage.IMPORTS, Stage.NAME, Stage.SIGNATURE, Stage.RETURNED, Stage.LIMIT)
# What a headline says, and of which stages that is true.
SAID_OF = {
    r"does not load": {Stage.IMPORTS},
    r"does not define": {Stage.NAME},
    r"cannot be called": {Stage.SIGNATURE},
    r"stopped with|ends the program": {Stage.IMPORTS, Stage.RETURNED},
    r"[yY]ou returned|your code returned": {Stage.RETURNED, Stage.STRUCTURE},
    r"has shape": {Stage.SHAPE},
    r"has dtype": {Stage.DTYPE},
    r"contains NaN|contains an infinite number": {Stage.FINITE},
    r"result differs": {Stage.VALUES},
    r"error is missing": {Stage.RAISES},
    r"changed its argument": {Stage.SIDE_EFFECTS},
    r"does not hold": {Stage.PROPERTIES},
    r"gradient|trained parameters": {Stage.GRADIENTS},
    r"too slow": {Stage.TIME},
    r"reached a limit": {Stage.LIMIT},
}
DETAIL = re.compile(r"in line \d+|\([\d, ]*\)|\w+(?:Error|Exception)\b|\b[a-z]+(?:16|32|64|128)\b")


@dataclass(frozen=True)
class Graded:
    """A program and the report on it.

    `covered`: a known mistake is true of its one slip, or two that can be told beside each other
    are true of its two.
    """

    program: Program
    report: Report
    covered: bool

    @property
    def names(self) -> tuple[str, ...]:
        """The known mistakes that the report names."""
        told = (self.report.known_mistake, self.report.second_mistake)
        return tuple(mistake.slug for mistake in told if mistake is not None)

    @property
    def headline(self) -> str:
        """What the student reads first."""
        return self.report.headline


def grade(programs: Sequence[Program]) -> Iterator[Graded]:
    """Grade all, an exercise's programs by one pack."""
    student = shared_sandbox("student")
    slugs = sorted({program.exercise for program in programs})
    isolated = {slug: _isolated_pairs(shared_pack(slug, SEED)) for slug in slugs}
    for program in programs:
        report = grade_code(shared_pack(program.exercise, SEED), program.source, student)
        yield Graded(program, report, _is_covered(program, isolated[program.exercise]))


def _isolated_pairs(pack: CasePack) -> set[frozenset[str]]:
    """Return the pairs of known mistakes that can be named together."""
    return {frozenset((pair.first, pair.second)) for pair in list_pairs(pack) if pair.isolated}


def _is_covered(program: Program, isolated: set[frozenset[str]]) -> bool:
    names = program.names or ()
    if len(program.slips) <= 1:
        return bool(names)
    return any(frozenset(pair) in isolated for pair in combinations(names, 2))


def is_missed(graded: Graded) -> bool:
    """Say whether wrong code was called correct, or right by a convention it does not keep to."""
    if graded.program.truth != "wrong" or graded.report.verdict not in ACCEPTED:
        return False
    return not _is_truly_named(graded)


def is_refused(graded: Graded) -> bool:
    """Say whether right code was not called correct.

    Another convention is refused when it was neither accepted nor told by its name.
    """
    if graded.program.truth == "right":
        return graded.report.verdict is not Verdict.CORRECT
    if graded.program.truth == "other convention":
        return graded.report.verdict not in ACCEPTED and not _is_truly_named(graded)
    return False


def is_falsely_named(graded: Graded) -> bool:
    """Say whether a name was given that is not among those that are true of the program."""
    true = graded.program.names
    return true is not None and not set(graded.names) <= set(true)


def is_headline_false(graded: Graded) -> bool:
    """Say whether the headline says that results differ although the first fault is an error."""
    fault = graded.report.first_fault
    crashed = fault is not None and fault.stage in NOTHING_DIFFERS
    return crashed and "result differs" in graded.headline


def is_headline_unlike_fault(graded: Graded) -> bool:
    """Say whether the headline says another fault than is found.

    That is another fault, line, error, shape or dtype, or a fault where there is none.
    """
    fault, line = graded.report.first_fault, graded.headline
    said = [stages for words, stages in SAID_OF.items() if re.search(words, line)]
    if fault is None:
        return bool(said)
    told = all(detail in fault.message for detail in DETAIL.findall(line))
    return not told or any(fault.stage not in stages for stages in said)


def rows(graded: Sequence[Graded]) -> list[tuple[str, str]]:
    """Return the table's rows: what is counted, and of how many."""
    wrong = [item for item in graded if item.program.truth == "wrong"]
    fair = [item for item in graded if item.program.truth != "wrong"]
    silent = [item for item in wrong if item.program.silent]
    covered = [item for item in silent if item.covered]
    without = [item for item in silent if not item.covered]
    named = [item for item in graded if item.names]
    return [
        ("programs", str(len(graded))),
        ("wrong code accepted", _share(wrong, is_missed)),
        ("right code refused", _share(fair, is_refused)),
        ("names given that are not true", _share(named, is_falsely_named)),
        ("headline says that results differ, but they do not", _share(graded, is_headline_false)),
        ("headline does not match the finding", _share(graded, is_headline_unlike_fault)),
        ("silent mistakes that known ones cover, named", _share(covered, _is_truly_named)),
        ("silent mistakes that none covers, one of them named", _share(without, _is_truly_named)),
    ]


def _is_truly_named(graded: Graded) -> bool:
    return bool(set(graded.names) & set(graded.program.names or ()))


def _share(items: Sequence[Graded], counts: Callable[[Graded], bool]) -> str:
    return f"{sum(map(counts, items))} of {len(items)}"


def describe(graded: Graded) -> str:
    """Describe a program's truth and what its student reads, in some lines."""
    program, report = graded.program, graded.report
    fault, mistake = report.first_fault, report.known_mistake
    lines = [
        f"{program.exercise}/{program.name}: {program.truth}; {'; '.join(program.slips) or 'none'}",
        f"  headline: {graded.headline} ({report.cases_passed} of {report.cases_total})",
    ]
    for told in (mistake, report.second_mistake):
        if told is not None:
            lines.append(f"  named:    {told.slug}: {told.sentence}")
    if fault is not None:
        lines.append(f"  fault:    ({fault.stage.value}) {fault.message}")
    if report.smallest_failing is not None:
        lines.append(f"  smallest: {report.smallest_failing.call}")
    flags = [check.__name__ for check in FLAGS if check(graded)]
    return "\n".join([*lines, *(f"  !! {flag}" for flag in flags)])


FLAGS = (
    is_missed,
    is_refused,
    is_falsely_named,
    is_headline_false,
    is_headline_unlike_fault,
)


def main() -> None:
    """Grade a collection and print its table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("collection", nargs="?", default="first", choices=("first", "second"))
    parser.add_argument("--list", action="store_true", help="what each student reads")
    options = parser.parse_args()
    graded = list(grade(read_programs(options.collection)))
    if options.list:
        print("\n".join(map(describe, graded)))
    for name, value in rows(graded):
        print(f"| {name} | {value} |")


if __name__ == "__main__":
    main()
