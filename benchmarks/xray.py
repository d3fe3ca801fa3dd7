"""How much slower programs run while an X-ray notes what their expressions are.

Each program runs plain and noted in turn, in this process, without a sandbox. What counts is the
processor time of the fastest of several runs.
"""

import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from quizzes.grader.inside.recorder import Recorder  # noqa: E402

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
    """The fastest run of a program, plain and noted; milliseconds."""

    program: str
    size: int
    plain: float
    noted: float

    @property
    def times(self) -> float:
        return self.noted / self.plain


def measure_slowdown(name: str, size: int, repeats: int) -> Slowdown:
    """Return how long a program of this name takes for a size."""
    source = PROGRAMS[name]
    plain, noted = [], []
    for _ in range(repeats):
        plain.append(_seconds(lambda: compile(source, "p.py", "exec"), size))
        noted.append(_seconds(lambda: Recorder().instrument(source, "p.py"), size))
    return Slowdown(name, size, 1e3 * min(plain), 1e3 * min(noted))


def _seconds(compiled: Callable[[], Any], size: int) -> float:
    names: dict[str, Any] = {}
    exec(compiled(), names)
    start = time.thread_time()
    names["run"](size)
    return time.thread_time() - start


def main() -> int:
    options = parser_of(__doc__).parse_args()
    sizes, repeats = sizes_of(
        options, full=((32, 128, 512), 5), quick=((32, 128), 3), smoke=((8,), 1)
    )
    rows = [measure_slowdown(name, size, repeats) for name in PROGRAMS for size in sizes]
    print("program | size | plain, ms | noted, ms | times")
    for row in rows:
        print(f"{row.program} | {row.size} | {row.plain:.2f} | {row.noted:.2f} | {row.times:.1f}")
    return end(options, [asdict(row) | {"times": row.times} for row in rows], [])


if __name__ == "__main__":
    sys.exit(main())
