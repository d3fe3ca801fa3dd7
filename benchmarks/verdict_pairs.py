"""Whether a change made verdicts slower: the code here beside that of a commit, in turns.

Usage: python benchmarks/verdict_pairs.py [COMMIT] [--kinds numpy module] [--rounds 40]
       [--quick | --smoke] [--json FILE]
COMMIT is HEAD unless given; it is checked out beside, and runs with the packages and the engine
that are installed here. It must have `read_submissions` and `measure` of graded_submissions.py.
"." is this checkout: a ratio then says how much two equal sides differ. --quick is for about a
minute; --smoke is one pair of blocks of this checkout.

Two runs of one benchmark, a minute apart, differ by more than most changes do. So a process for
each side grades the reference of an exercise in a sandbox of its own, and they take turns in blocks
of ten, by turns as to which is first: what the machine does meanwhile meets both. Printed are the
medians of all verdicts, from the call to the report, their ratio, and its 95 % interval by
bootstrap over the pairs of blocks.
"""

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402

KINDS = {"numpy": "numpy", "module": "torch"}  # which fork server runs them
THIS = "."  # in place of a commit
BLOCK, WARM_UP = 10, 2
PAUSE_SECONDS = 0.05
DRAWS = 4000
SIDE = f"""
import json, sys
from benchmarks.graded_submissions import measure, open_sandbox, read_submissions
kind, profile = sys.argv[1:]
pack, submissions = read_submissions(kind)
with open_sandbox(profile) as sandbox:
    def grade(count):
        right = submissions[:1]
        return [measure(pack, right, sandbox, 1, {PAUSE_SECONDS})[1].p50 for _ in range(count)]
    grade({BLOCK})
    print("ready", flush=True)
    for _ in sys.stdin:
        print(json.dumps(grade({WARM_UP} + {BLOCK})[{WARM_UP}:]), flush=True)
"""


class Side:
    """One checkout: a process that grades a block when it is asked."""

    def __init__(self, checkout: Path, kind: str) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-c", SIDE, kind, KINDS[kind]],
            cwd=checkout,
            env={name: value for name, value in os.environ.items() if name != "PYTHONPATH"},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        assert self._process.stdin
        assert self._process.stdout
        self._in, self._out = self._process.stdin, self._process.stdout
        if self._out.readline().strip() != "ready":
            raise SystemExit("that commit cannot be measured: see above")

    def block(self) -> list[float]:
        """Return the milliseconds of ten verdicts."""
        print(file=self._in, flush=True)
        return list(json.loads(self._out.readline()))

    def end(self) -> None:
        self._in.close()
        self._process.wait()


def ratio_of(blocks: list[tuple[list[float], list[float]]]) -> float:
    """Return the median here over the one there."""
    other, this = ([value for block in blocks for value in block[side]] for side in (0, 1))
    return statistics.median(this) / statistics.median(other)


@dataclass(frozen=True)
class Comparison:
    """Milliseconds of a verdict on both sides, and the ratio with its 95 % interval."""

    exercise: str
    there: float
    here: float
    ratio: float
    low: float
    high: float

    def __str__(self) -> str:
        times = f"{self.there:.1f} | {self.here:.1f}"
        return (
            f"| {self.exercise} | {times} | {self.ratio:.2f} | {self.low:.2f} to {self.high:.2f} |"
        )


def compare(kind: str, other: Path, rounds: int) -> Comparison:
    """Measure one kind of exercise on both sides."""
    sides = Side(other, kind), Side(ROOT, kind)
    blocks = []
    for number in range(rounds):
        first, second = sides if number % 2 == 0 else sides[::-1]
        one, two = first.block(), second.block()
        blocks.append((one, two) if number % 2 == 0 else (two, one))
    for side in sides:
        side.end()
    chance = random.Random(1)
    drawn = sorted(ratio_of(chance.choices(blocks, k=rounds)) for _ in range(DRAWS))
    there, here = (statistics.median(v for block in blocks for v in block[side]) for side in (0, 1))
    low, high = drawn[DRAWS // 40], drawn[-DRAWS // 40]
    return Comparison(kind, there, here, ratio_of(blocks), low, high)


@contextmanager
def checkout_of(commit: str) -> Iterator[Path]:
    """Give a folder with the files of a commit, or this checkout."""
    if commit == THIS:
        yield ROOT
        return
    with tempfile.TemporaryDirectory(prefix="ordinal-pairs-") as name:
        folder = Path(name) / "other"
        git = ["git", "-C", str(ROOT), "worktree"]
        subprocess.run([*git, "add", "--quiet", "--detach", str(folder), commit], check=True)
        try:
            yield folder
        finally:
            subprocess.run([*git, "remove", "--force", str(folder)], check=True)


def main() -> int:
    parser = parser_of(__doc__)
    parser.add_argument("commit", nargs="?", help="HEAD unless given")
    parser.add_argument("--rounds", type=int, default=40, help="pairs of blocks for each kind")
    parser.add_argument("--kinds", nargs="+", choices=KINDS, default=list(KINDS))
    options = parser.parse_args()
    rounds = sizes_of(options, full=options.rounds, quick=6, smoke=1)
    kinds = sizes_of(options, full=options.kinds, quick=options.kinds, smoke=["numpy"])
    commit = options.commit or sizes_of(options, full="HEAD", quick="HEAD", smoke=THIS)
    found = []
    with checkout_of(commit) as other:
        print(f"| exercise | {commit}, p50 ms | here, p50 ms | ratio | 95 % |", flush=True)
        print("|---|--:|--:|--:|--:|")
        for kind in kinds:
            found.append(compare(kind, other, rounds))
            print(found[-1], flush=True)
    return end(options, [asdict(one) for one in found], [])


if __name__ == "__main__":
    sys.exit(main())
