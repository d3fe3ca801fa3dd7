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

from quizzes.content_files.files import DiskFiles  # noqa: E402
from quizzes.grader.definitions.case_pack_builder import build_case_pack  # noqa: E402
from quizzes.grader.definitions.definition import read_definition, read_folder  # noqa: E402
from quizzes.grader.judge.case_pack import CasePack  # noqa: E402
from quizzes.grader.judge.judge import grade_code  # noqa: E402
from quizzes.grader.judge.report import Verdict  # noqa: E402
from quizzes.grader.protocol.job import Sandbox  # noqa: E402
from quizzes.grader.sandbox.factory import open_sandbox  # noqa: E402

EXERCISES = ROOT / "quizzes/content/positional-encodings/exercises"
PROFILE = {"numpy": "numpy", "torch": "torch", "module": "torch"}  # which fork server runs it
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
    p99: float
    max: float


def read_submissions(kind: str) -> tuple[CasePack, list[Submission]]:
    """Return a case pack and its submissions: "numpy", "torch" or "module" (a torch.nn.Module)."""
    folder = EXERCISES / ("sinusoidal-module" if kind == "module" else "sinusoidal-table")
    definition = read_definition(folder.name, read_folder(DiskFiles(folder)))
    with open_sandbox("author") as author:
        pack = build_case_pack(definition, author, seed=1)
    if kind == "torch":
        return pack, [Submission(TORCH_CODE, Verdict.CORRECT)]
    right = Submission(definition.reference, Verdict.CORRECT)
    if kind == "module":
        return pack, [right]
    mistakes = [definition.wrong[slug].source for slug in ("exp_double", "swap")]
    return pack, [
        right,
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
    """Return times to the result, and to the verdict, of `count` submissions in turn."""
    results, verdicts = [], []
    for submission in islice(cycle(submissions), count):
        time.sleep(pause_seconds)
        started = time.perf_counter()
        report = grade_code(pack, submission.code, sandbox)
        verdicts.append(time.perf_counter() - started)
        results.append(report.seconds)
        assert report.verdict is submission.verdict, report
    return latency_of(results), latency_of(verdicts)


def measure_busy(
    profile: str, workers: int, seconds: float, pack: CasePack, submissions: Sequence[Submission]
) -> float:
    """Return submissions a second through `grade_code`, each process with its own sandbox."""
    context = multiprocessing.get_context("spawn")
    barrier, counts = context.Barrier(workers), context.Queue()
    arguments = (profile, barrier, seconds, (pack.to_bytes(), submissions), counts.put)
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
    work: tuple[bytes, Sequence[Submission]],
    tell: Callable[[float], None],
) -> None:
    pack, submissions = CasePack.from_bytes(work[0]), work[1]
    with open_sandbox(profile) as sandbox:
        measure(pack, submissions, sandbox, WARM_UP, 0)
        barrier.wait()
        started, done = time.perf_counter(), 0
        while time.perf_counter() - started < seconds:
            measure(pack, submissions, sandbox, len(submissions), 0)
            done += len(submissions)
        tell(done / (time.perf_counter() - started))


def latency_of(seconds: Sequence[float]) -> Latency:
    """Return the percentiles of times in seconds, as milliseconds."""
    milliseconds = sorted(1000 * value for value in seconds)
    p95, p99 = (
        milliseconds[min(len(milliseconds) - 1, int(share * len(milliseconds)))]
        for share in (0.95, 0.99)
    )
    return Latency(len(milliseconds), statistics.median(milliseconds), p95, p99, milliseconds[-1])
