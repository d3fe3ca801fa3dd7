"""A race of functions that make the same array: in turn, warm, the best time of each counts."""

import math
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass

Contestants = dict[str, Callable[[], object]]
Clock = Callable[[], float]
SHORT = 0.02  # seconds; longer calls do not live in the cache
COPY = "copy"  # of the same bytes, warm, into existing memory: the limit


@dataclass(frozen=True)
class Race:
    """One size: the array, its bytes, the best seconds of each contestant."""

    what: str
    size: str
    dtype: str
    numbers: int
    bytes: int
    seconds: dict[str, float]

    def ours(self) -> dict[str, float]:
        """Return the times of posenc, with and without `out=`."""
        return {name: took for name, took in self.seconds.items() if name.startswith("posenc")}

    def fastest_peer(self) -> tuple[str, float] | None:
        """Return the fastest peer, or None where no peer can do it."""
        others = [
            (took, name)
            for name, took in self.seconds.items()
            if name != COPY and not name.startswith("posenc")
        ]
        return min(others)[::-1] if others else None


def race(
    contestants: Contestants,
    *,
    seconds: float,
    least: int = 3,
    clock: Clock = time.perf_counter,
    before: Callable[[str], None] | None = None,
) -> dict[str, float]:
    """Return the best time of each; they take turns, so that a busy moment hits all of them.

    `before` is called with the name of the contestant before its turn, and is not measured.

    If calls are short, an unmeasured call comes before each measured call: else a contestant that
    follows a similar one would find its memory in the cache.
    """
    best = dict.fromkeys(contestants, math.inf)
    end, rounds = time.perf_counter() + seconds, 0
    while rounds < least or (time.perf_counter() < end and rounds < 1000):
        for name, call in contestants.items():
            if before:
                before(name)
            if best[name] < SHORT:
                call()
            start = clock()
            made = call()
            best[name] = min(best[name], clock() - start)
            del made  # given back outside of the measured time
        rounds += 1
    return best


def exponent(points: Iterable[tuple[int, float]]) -> float | None:
    """Return e of the best fit seconds = c * numbers^e, or None for fewer than three sizes."""
    logs = [(math.log(numbers), math.log(took)) for numbers, took in points]
    if len(logs) < 3:
        return None
    middle = [sum(values) / len(logs) for values in zip(*logs, strict=True)]
    across = sum((x - middle[0]) * (y - middle[1]) for x, y in logs)
    return across / sum((x - middle[0]) ** 2 for x, _ in logs)


def milliseconds(seconds: float) -> str:
    """Return "0.041" or "12.3": three significant digits."""
    shown = seconds * 1000
    return f"{shown:.3f}" if shown < 1 else f"{shown:.3g}" if shown < 100 else f"{shown:.0f}"


def size_of(count: int) -> str:
    """Return "64 KB" or "32 MB"."""
    return f"{count >> 20} MB" if count >= 2**20 else f"{count >> 10} KB"


def markdown(head: list[str], rows: Iterable[list[str]], left: int = 1) -> str:
    """Return a table; the first `left` columns are words, the others numbers."""
    rules = ["---"] * left + ["--:"] * (len(head) - left)
    return "\n".join(f"| {' | '.join(row)} |" for row in (head, rules, *rows))
