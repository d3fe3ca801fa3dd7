"""Print how many wrong and right programs an X-ray names a place in: a table of docs/verdicts.md.

Usage: python tools/place_table.py [--list] [EXERCISE ...]

Every file of `wrong/` runs on each shown case, as in an X-ray of it; the first place counts. It is
in a line of the reference if that has the same line, too. Every right program of the tests is
searched as if its result were wrong: what has the value of the result does not count, since it
would speak for all that leads to it. --list prints each place.
"""

import argparse
import sys
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from quizzes.grader.judge.case_pack import EntryPoint  # noqa: E402
from quizzes.grader.judge.comparison import agree  # noqa: E402
from quizzes.grader.programs.xray.first_difference import (  # noqa: E402
    FirstDifference,
    find_first_difference,
)
from quizzes.grader.programs.xray.look_inside import other_cases, shown_cases  # noqa: E402
from quizzes.grader.programs.xray.place_search import PlaceSearch  # noqa: E402
from quizzes.grader.programs.xray.recorded_tree import RecordedProgram  # noqa: E402
from quizzes.grader.programs.xray.right_solutions import RightRun, RightSolutions  # noqa: E402
from quizzes.grader.protocol.case import RETURNING, Case  # noqa: E402
from quizzes.grader.protocol.observation import results_of  # noqa: E402
from quizzes.grader.protocol.recording import RecordedExpression, Recording  # noqa: E402
from tests.shared_sandboxes import shared_pack, shared_sandbox  # noqa: E402
from tests.shipped_exercises.folders import SLUGS, definition_of  # noqa: E402
from tests.shipped_exercises.programs import right_codes, wrong_codes  # noqa: E402

TITLES = (
    "known mistakes with a place",
    "places with the reference's value next to them",
    "places in a line that the reference has too",
    "right programs with a place",
)
ELSEWHERE = "a right value from elsewhere"
LEFT_OUT = "a step left out"
# Known mistakes whose place is in a line of the reference, each with its class.
IN_REFERENCE = {
    "read-config/one_scaling_for_all": ELSEWHERE,
    "rope-scaling/kinds_swapped": ELSEWHERE,
    "rope-scaling/ntk_is_linear": LEFT_OUT,
}


class KeptSolutions(RightSolutions):
    """Right solutions of an exercise, which run on each case once."""

    def __init__(self, slug: str) -> None:
        pack = shared_pack(slug)
        super().__init__(definition_of(slug).right_sources, pack.entry, shared_sandbox("author"))
        self._runs: dict[str, RightRun | None] = {}

    def run(self, case: Case) -> RightRun | None:
        """Return what the right solutions gave on a case, by its label."""
        if case.label not in self._runs:
            self._runs[case.label] = super().run(case)
        return self._runs[case.label]


@cache
def solutions_of(slug: str) -> KeptSolutions:
    """Return the right solutions of an exercise."""
    return KeptSolutions(slug)


def place_of_wrong(slug: str, code: str) -> FirstDifference | None:
    """Return the first place that an X-ray of any shown case names in a wrong program."""
    for number, right, search in _searches(slug, code):
        difference = search.find(right, other_cases(shared_pack(slug), number))
        if difference is not None:
            return difference
    return None


def place_of_right(slug: str, code: str) -> FirstDifference | None:
    """Return the place that a right program would get if its result were called wrong."""
    for _, right, search in _searches(slug, code):
        _, recording = search.record(right.case)
        program = RecordedProgram(code, without_result(recording, right, search.entry))
        difference = find_first_difference(program, right.programs, right.case, right.results())
        if difference is not None:
            return difference
    return None


def without_result(recording: Recording, right: RightRun, entry: EntryPoint) -> Recording:
    """Return a recording without the expressions that have a value of the expected result."""
    results = [leaf.values for leaf in results_of(right.observation).values()]

    def is_result(expression: RecordedExpression) -> bool:
        arrays = [value.numbers for value in expression.values if value.numbers is not None]
        pairs = ((np.squeeze(a), np.squeeze(b)) for a in arrays for b in results if b is not None)
        alike = ((a, b) for a, b in pairs if a.size > 1 and a.shape == b.shape)
        return any(agree(b, a, entry.tolerance) for a, b in alike)

    return Recording(tuple(item for item in recording.expressions if not is_result(item)))


def is_in_reference(slug: str, code: str, difference: FirstDifference) -> bool:
    """Say whether the reference has the line of a place, indented in any way."""
    lines = {line.strip() for line in definition_of(slug).reference.splitlines()}
    return code.splitlines()[difference.place[0] - 1].strip() in lines


def counts(slugs: Iterable[str], *, lists: bool = False) -> list[tuple[int, int]]:
    """Return, for each title, how many of how many."""
    wrong = right = placed = beside = alike = named = 0
    for slug in slugs:
        for name, code in wrong_codes(slug):
            wrong += 1
            difference = place_of_wrong(slug, code)
            placed += difference is not None
            beside += difference is not None and difference.right is not None
            is_alike = difference is not None and is_in_reference(slug, code, difference)
            alike += is_alike
            if is_alike != (f"{slug}/{name}" in IN_REFERENCE):
                print(f"{slug}/{name}: IN_REFERENCE is not true of it", file=sys.stderr)
            if lists:
                print(
                    f"{slug}/{name}: {_words(code, difference)}{' (same line)' * is_alike}",
                    flush=True,
                )
        for name, code in right_codes(slug):
            right += 1
            difference = place_of_right(slug, code)
            named += difference is not None
            if lists:
                print(f"{slug}/{name}, which is right: {_words(code, difference)}", flush=True)
    return [(placed, wrong), (beside, placed), (alike, placed), (named, right)]


def _searches(slug: str, code: str) -> Iterator[tuple[int, RightRun, PlaceSearch]]:
    pack, solutions = shared_pack(slug), solutions_of(slug)
    for number, case in enumerate(shown_cases(pack.cases)):
        if case.raises or case.probe not in RETURNING:
            continue
        right = solutions.run(case)
        if right is not None:
            yield number, right, PlaceSearch(code, pack.entry, shared_sandbox("student"), solutions)


def _words(code: str, difference: FirstDifference | None) -> str:
    if difference is None:
        return "-"
    line, column, end_line, end = difference.place
    text = code.splitlines()[line - 1][column : end if line == end_line else None]
    return f"line {line}, {text}"


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exercise", nargs="*", default=SLUGS)
    parser.add_argument("--list", action="store_true", help="each program and its place")
    options = parser.parse_args()
    rows = counts(options.exercise, lists=options.list)
    for title, (count, every) in zip(TITLES, rows, strict=True):
        print(f"| {title} | {count} of {every} |")


if __name__ == "__main__":
    main()
