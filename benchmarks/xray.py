"""How much slower programs run while an X-ray notes what their expressions are.

Each program runs plain and noted in turn, in this process, without a sandbox. What counts is the
processor time of the fastest of several runs. First come loops and whole arrays, then all right
NumPy functions of exercises, from their references and `tests/strangers`, on their shown cases.
Exit code 1 when a full run has a program that takes both over 3 times and over 25 ms more.
"""

import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median
from typing import Any

import numpy as np

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from quizzes.grader.inside.recorder import Recorder  # noqa: E402
from tests.shipped_exercises.folders import SLUGS, definition_of  # noqa: E402
from tests.strangers.programs import right_programs  # noqa: E402

MOST_TIMES, MOST_MORE = 3.0, 25.0  # milliseconds

PROGRAMS = {
    "numbers, a double loop": """
import math
def run(size):
    total = 0.0
    for i in range(size):
        for j in range(size):
            total += math.sin(i * 0.01) * j
    return total
""",
    "numbers into an array": """
import numpy as np
def run(size):
    table = np.zeros((size, size))
    for i in range(size):
        for j in range(size):
            table[i, j] = i / 10000 ** (2 * (j // 2) / size)
    return table
""",
    "rows of an array": """
import numpy as np
def run(size):
    table = np.zeros((size, size))
    for i in range(size):
        table[i] = np.sin(i / 10000 ** (np.arange(size) / size))
    return table
""",
    "whole arrays": """
import numpy as np
def run(size):
    angles = np.arange(size)[:, None] / 10000 ** (np.arange(size) / size)
    return np.where(np.arange(size) % 2, np.cos(angles), np.sin(angles))
""",
}


@dataclass(frozen=True)
class Slowdown:
    """The fastest run of a program, plain and noted; milliseconds. `size`: or a case's label."""

    program: str
    size: int | str
    plain: float
    noted: float

    @property
    def times(self) -> float:
        return self.noted / self.plain

    @property
    def is_slow(self) -> bool:
        return self.times > MOST_TIMES and self.noted - self.plain > MOST_MORE


@dataclass(frozen=True)
class Program:
    """A program and a call of it. `below`: an author's code that runs after it."""

    label: str
    source: str
    name: str
    below: str = ""

    def seconds(self, compiled: Callable[[], Any], call: dict[str, Any]) -> float:
        """Return the processor time of a call."""
        names: dict[str, Any] = {"__name__": "submission"}
        exec(compiled(), names)
        exec(self.below, names)
        start = time.thread_time()
        names[self.name](**call)
        return time.thread_time() - start

    def slowdown(self, size: int | str, call: dict[str, Any], repeats: int) -> Slowdown:
        """Return how long a call takes plain and noted."""
        plain, noted = [], []
        for _ in range(repeats):
            plain.append(self.seconds(lambda: compile(self.source, "p.py", "exec"), call))
            noted.append(self.seconds(lambda: Recorder().instrument(self.source, "p.py"), call))
        return Slowdown(self.label, size, 1e3 * min(plain), 1e3 * min(noted))


def measure_slowdown(name: str, size: int, repeats: int) -> Slowdown:
    """Return how long a program of this name takes for a size."""
    return Program(name, PROGRAMS[name], "run").slowdown(size, {"size": size}, repeats)


def measure_exercises(repeats: int, most: int) -> Iterator[Slowdown]:
    """Yield the same of right programs of so many exercises, on each plain call that is shown."""
    for slug in SLUGS[:most]:
        definition = definition_of(slug)
        if definition.library != "numpy" or definition.kind != "function":
            continue
        names: dict[str, Any] = {}
        exec(definition.cases, names)
        shown = [case for case in names["cases"](np.random.default_rng(3)) if case.shown]
        plain = [case for case in shown if case.probe == "call" and not case.raises]
        sources = [("reference", definition.reference)]
        sources += [(program.name, program.source) for program in right_programs(slug)]
        for name, source in sources:
            program = Program(f"{slug}, {name}", source, definition.name, definition.below)
            for case in plain:
                yield program.slowdown(case.label, dict(case.kwargs), repeats)


def main() -> int:
    options = parser_of(__doc__).parse_args()
    sizes, repeats, most = sizes_of(
        options,
        full=((32, 128, 512), 5, len(SLUGS)),
        quick=((32, 128), 3, len(SLUGS)),
        smoke=((8,), 1, 1),
    )
    rows = [measure_slowdown(name, size, repeats) for name in PROGRAMS for size in sizes]
    print("program | size | plain, ms | noted, ms | times")
    for row in rows:
        print(f"{row.program} | {row.size} | {row.plain:.2f} | {row.noted:.2f} | {row.times:.1f}")
    shown = list(measure_exercises(repeats, most))
    _tell(shown)
    rows += shown
    missed = [f"{row.program}, {row.size}" for row in rows if row.is_slow]
    return end(options, [asdict(row) | {"times": row.times} for row in rows], missed)


def _tell(rows: list[Slowdown]) -> None:
    more = [row.noted - row.plain for row in rows]
    print(f"\nright programs of exercises, on shown cases: {len(rows)} runs")
    print(f"median {median(row.times for row in rows):.1f} times, {median(more):.2f} ms more")
    print(f"most {max(row.times for row in rows):.0f} times, {max(more):.1f} ms more:")
    for row in sorted(rows, key=lambda row: row.plain - row.noted)[:8]:
        print(f"{row.program} | {row.size} | {row.plain:.2f} | {row.noted:.2f} | {row.times:.1f}")


if __name__ == "__main__":
    sys.exit(main())
