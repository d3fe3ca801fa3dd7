"""What the case packs of counted work cost a class: seconds of a processor, and bytes.

Usage: python benchmarks/reserved_packs.py [--quick | --smoke] [--json FILE]
Each Submit that counts takes a pack that no run has used. A later pack of each exercise is drawn
and stored as the worker does, five times; the median is taken. The last columns are what a class of
200 that submits three times needs. A full run has all exercises, --quick three, --smoke one.

  draw    building the pack and compressing it, in seconds of wall time
  read    what a verdict pays for a pack of its own, which no worker has kept: ms of the processor
  kB      as it is stored, until 30 days after the work closed
"""

import statistics
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from quizzes.exercises.stored_packs import compressed, plain  # noqa: E402
from quizzes.grader.definitions.case_pack_builder import build_case_pack  # noqa: E402
from quizzes.grader.definitions.definition import read_definition, read_folder  # noqa: E402
from quizzes.grader.judge.case_pack import CasePack  # noqa: E402
from quizzes.grader.protocol.job import Sandbox  # noqa: E402
from quizzes.grader.sandbox.factory import open_sandbox  # noqa: E402

FOLDERS = sorted(ROOT.glob("quizzes/content/*/exercises/*"))
QUICK = ("apply-rope", "learned-positions", "sinusoidal-table")
MEMBERS, SUBMITS = 200, 3
ROUNDS = 5


@dataclass(frozen=True)
class Cost:
    """One pack of an exercise."""

    exercise: str
    draw_seconds: float
    read_ms: float
    kilobytes: float


def measure(folder: Path, author: Sandbox, rounds: int) -> Cost:
    definition = read_definition(folder.name, read_folder(folder))
    known = build_case_pack(definition, author, seed=1).fingerprints
    drawn, read, sizes = [], [], []
    for seed in range(2, 2 + rounds):
        started = time.perf_counter()
        pack = build_case_pack(definition, author, seed=seed, fingerprints=known)
        stored = compressed(pack.to_bytes())
        drawn.append(time.perf_counter() - started)
        used = time.process_time()
        CasePack.from_bytes(plain(stored), fingerprints=known)
        read.append(time.process_time() - used)
        sizes.append(len(stored))
    middle = statistics.median
    return Cost(folder.name, middle(drawn), middle(read) * 1e3, middle(sizes) / 1e3)


def print_table(costs: list[Cost]) -> None:
    packs = MEMBERS * SUBMITS
    print(f"| exercise | draw s | read ms | kB | {packs} packs: s | MB |")
    print("|---|--:|--:|--:|--:|--:|")
    for cost in costs:
        seconds, megabytes = packs * cost.draw_seconds, packs * cost.kilobytes / 1e3
        numbers = f"{cost.draw_seconds:.3f} | {cost.read_ms:.1f} | {cost.kilobytes:.0f}"
        print(f"| {cost.exercise} | {numbers} | {seconds:.0f} | {megabytes:.0f} |")


def main() -> int:
    options = parser_of(__doc__).parse_args()
    names = [folder.name for folder in FOLDERS]
    chosen = sizes_of(options, full=names, quick=list(QUICK), smoke=["alibi-slopes"])
    rounds = sizes_of(options, full=ROUNDS, quick=ROUNDS, smoke=1)
    with open_sandbox("author") as author:
        costs = [measure(at, author, rounds) for at in FOLDERS if at.name in chosen]
    print_table(costs)
    return end(options, [asdict(cost) for cost in costs], missed=())


if __name__ == "__main__":
    raise SystemExit(main())
