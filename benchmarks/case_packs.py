"""What it costs a case pack to hold the results of other conventions: bytes and seconds.

Usage: python benchmarks/case_packs.py [--rounds 3] [--quick] [--json FILE]
--quick takes three exercises once and ends within a minute. Exit code 1 when a full run misses the
goal: at most 30 % more bytes and more seconds, over all exercises together.

Every variant that is right by another convention runs on the graded cases of each pack, so that
"another convention" is said only where every case agrees. The pack without that is built from the
same exercise with its conventions marked as plain mistakes: their fingerprints stay. Bytes are
those that are stored: of that pack as they were then, of the pack with conventions compressed, as
they are now; `same` is the first compressed too. Both are built in turns and the median is taken.
`first` is the first pack of a version, which runs every variant on the fingerprint cases too;
`later` are the packs after it, which take these over.
"""

import argparse
import json
import statistics
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from quizzes.exercises.stored_packs import compressed  # noqa: E402
from quizzes.grader.definitions.case_pack_builder import build_case_pack  # noqa: E402
from quizzes.grader.definitions.definition import (  # noqa: E402
    ExerciseDefinition,
    read_definition,
    read_folder,
)
from quizzes.grader.protocol.job import Sandbox  # noqa: E402
from quizzes.grader.sandbox.factory import open_sandbox  # noqa: E402

EXERCISES = ROOT / "quizzes/content/positional-encodings/exercises"
QUICK = ("apply-rope", "learned-positions", "sinusoidal-table")
MOST = 1.30
SEED = 1


@dataclass(frozen=True)
class Cost:
    """One pack: its size when stored, and how long it takes to build."""

    bytes: int
    compressed: int
    first_seconds: float
    later_seconds: float


@dataclass(frozen=True)
class Measured:
    """An exercise without and with what its conventions give."""

    exercise: str
    conventions: int
    before: Cost
    after: Cost


def measure(definition: ExerciseDefinition, author: Sandbox, rounds: int) -> Measured:
    """Build both packs in turns, after one that is not counted."""
    plain = {
        slug: replace(wrong, header=wrong.header._replace(kind="mistake"))
        for slug, wrong in definition.wrong.items()
    }
    sides = replace(definition, wrong=plain), definition
    warm = build_case_pack(definition, author, seed=SEED)
    costs: tuple[list[Cost], list[Cost]] = ([], [])
    for number in range(rounds):
        order = (0, 1) if number % 2 == 0 else (1, 0)
        for side in order:
            costs[side].append(_cost(sides[side], author))
    before, after = map(_median, costs)
    return Measured(definition.slug, len(warm.conventions), before, after)


def _cost(definition: ExerciseDefinition, author: Sandbox) -> Cost:
    start = time.perf_counter()
    pack = build_case_pack(definition, author, seed=SEED)
    first = time.perf_counter()
    build_case_pack(definition, author, seed=SEED, fingerprints=pack.fingerprints)
    later = time.perf_counter()
    data = pack.to_bytes()
    return Cost(len(data), len(compressed(data)), first - start, later - first)


def _median(costs: Sequence[Cost]) -> Cost:
    return Cost(
        costs[0].bytes,
        costs[0].compressed,
        statistics.median(cost.first_seconds for cost in costs),
        statistics.median(cost.later_seconds for cost in costs),
    )


def total(costs: Sequence[Cost]) -> Cost:
    """Add up the packs of several exercises."""
    return Cost(
        sum(cost.bytes for cost in costs),
        sum(cost.compressed for cost in costs),
        sum(cost.first_seconds for cost in costs),
        sum(cost.later_seconds for cost in costs),
    )


def row(name: str, conventions: int, before: Cost, after: Cost) -> str:
    """Return one line of the table."""
    return (
        f"| {name} | {conventions} | {before.bytes / 1000:.0f} | {after.compressed / 1000:.0f}"
        f" | {before.compressed / 1000:.0f}"
        f" | {before.first_seconds:.2f} | {after.first_seconds:.2f}"
        f" | {before.later_seconds:.2f} | {after.later_seconds:.2f} |"
    )


def main() -> int:
    """Measure, print, and return 1 when a full run misses the goal."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=3, help="builds of each pack")
    parser.add_argument("--quick", action="store_true", help="three exercises, once")
    parser.add_argument("--json", type=Path, help="write the numbers to this file as well")
    options = parser.parse_args()
    slugs = QUICK if options.quick else sorted(path.name for path in EXERCISES.iterdir())
    print(
        "| exercise | conventions | kB before | after | same | first, s, before | after"
        " | later | after |"
    )
    print("|---|--:|--:|--:|--:|--:|--:|--:|--:|")
    found = []
    with open_sandbox("author") as author:
        for slug in slugs:
            definition = read_definition(slug, read_folder(EXERCISES / slug))
            one = measure(definition, author, 1 if options.quick else options.rounds)
            print(row(slug, one.conventions, one.before, one.after), flush=True)
            found.append(one)
    before, after = total([one.before for one in found]), total([one.after for one in found])
    print(row("together", sum(one.conventions for one in found), before, after))
    ratios = {
        "bytes": after.compressed / before.bytes,
        "seconds of a first pack": after.first_seconds / before.first_seconds,
    }
    for what, ratio in ratios.items():
        word = "met" if ratio <= MOST else "MISSED"
        print(f"Goal: {what}: at most {MOST - 1:.0%} more: {word} ({ratio - 1:+.0%})")
    if options.json:
        numbers = {"packs": [asdict(one) for one in found], "ratios": ratios}
        options.json.write_text(json.dumps(numbers, indent=2) + "\n", encoding="utf-8")
    return 0 if options.quick or all(ratio <= MOST for ratio in ratios.values()) else 1


if __name__ == "__main__":
    sys.exit(main())
