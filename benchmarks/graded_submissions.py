"""The submissions that `grading.py` measures, and the two ways of running them."""

import multiprocessing
import statistics
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import cycle, islice
from multiprocessing.synchronize import Barrier
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from quizzes.grader.case_pack import CasePack  # noqa: E402
from quizzes.grader.definition import read_definition, read_folder  # noqa: E402
from quizzes.grader.job import Sandbox  # noqa: E402
from quizzes.grader.judge import judge  # noqa: E402
from quizzes.grader.preparing import prepare  # noqa: E402
from quizzes.grader.report import Verdict  # noqa: E402
from quizzes.grader.sandbox import open_sandbox  # noqa: E402

EXERCISE = ROOT / "quizzes/content/positional-encodings/exercises/sinusoidal-table"
CRASH = "def sinusoidal_table(n, d, base=1e4):\n    return undefined\n"
TORCH_CODE = """
import torch
def sinusoidal_table(n, d, base=10000.0):
    rates = torch.exp(torch.arange(0, d, 2) * (-torch.log(torch.tensor(base)) / d))
    angles = torch.arange(n)[:, None] * rates
    table = torch.zeros(n, d)
    table[:, 0::2] = torch.sin(angles)
    table[:, 1::2] = torch.cos(angles)[:, : d // 2]
    return table
"""
WARM_UP = 10


@dataclass(frozen=True)
class Submission:
    """Code, and the verdict it must get: a benchmark of wrong answers measures nothing."""

    code: str
    verdict: Verdict


@dataclass(frozen=True)
class Latency:
    """Milliseconds of `count` submissions."""

    count: int
    p50: float
    p95: float
    max: float


def read_submissions() -> tuple[CasePack, list[Submission]]:
    """A case pack of the shipped exercise; its reference, two known mistakes and a crash."""
    definition = read_definition(EXERCISE.name, read_folder(EXERCISE))
    with open_sandbox("author") as author:
        pack = prepare(definition, author, seed=1)
    mistakes = [definition.wrong[slug].source for slug in ("exp_double", "swap")]
    return pack, [
        Submission(definition.reference, Verdict.CORRECT),
        *(Submission(code, Verdict.KNOWN_MISTAKE) for code in mistakes),
        Submission(CRASH, Verdict.COULD_NOT_RUN),
    ]


def measure(
    pack: CasePack,
    submissions: Sequence[Submission],
    sandbox: Sandbox,
    count: int,
    pause_seconds: float,
) -> tuple[Latency, Latency]:
    """Result complete, and verdict, of `count` submissions one after the other."""
    results, verdicts = [], []
    for submission in islice(cycle(submissions), count):
        time.sleep(pause_seconds)
        started = time.perf_counter()
        report = judge(pack, submission.code, sandbox)
        verdicts.append(time.perf_counter() - started)
        results.append(report.seconds)
        assert report.verdict is submission.verdict, report
    return _latency(results), _latency(verdicts)


def measure_busy(profile: str, workers: int, seconds: float, code: Submission | None) -> float:
    """Submissions a second through `judge`, each worker process with its own sandbox."""
    context = multiprocessing.get_context("spawn")
    barrier, counts = context.Barrier(workers), context.Queue()
    arguments = (profile, barrier, seconds, code, counts.put)
    processes = [context.Process(target=_be_busy, args=arguments) for _ in range(workers)]
    for process in processes:
        process.start()
    total: float = sum(counts.get(timeout=120) for _ in processes)
    for process in processes:
        process.join()
    return total


def _be_busy(
    profile: str,
    barrier: Barrier,
    seconds: float,
    code: Submission | None,
    tell: Callable[[float], None],
) -> None:
    pack, submissions = read_submissions()
    submissions = submissions if code is None else [code]
    with open_sandbox(profile) as sandbox:
        measure(pack, submissions, sandbox, WARM_UP, 0)
        barrier.wait()
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            measure(pack, submissions, sandbox, 1, 0)
            done += 1
        tell(done / (time.perf_counter() - started))


def _latency(seconds: Sequence[float]) -> Latency:
    milliseconds = sorted(1000 * value for value in seconds)
    p95 = milliseconds[min(len(milliseconds) - 1, int(0.95 * len(milliseconds)))]
    return Latency(len(milliseconds), statistics.median(milliseconds), p95, milliseconds[-1])
