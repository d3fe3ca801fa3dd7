"""Hostile runs at everything that reads results: `make fuzz` (FUZZ_SECONDS=600).

Half of the time runs are drawn that are right but for one thing or a few, by a grammar: the judge
may say `correct` only of right numbers. Then bytes: with atheris they are steered by what code they
reach; without it hypothesis draws nearly right frames. Either way: no exception but BadFrame, no
allocation beyond the bounds.
"""

from __future__ import annotations

import argparse
import resource
import subprocess
import sys
import time
import warnings
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from quizzes.grader.protocol.wire import FEW_BYTES

MEMORY_BYTES = 3 << 30
MOST_BYTES = 3 * FEW_BYTES  # so that headers are counted too


def with_atheris(seconds: int, corpus: Path) -> None:
    """Does not return: libFuzzer ends the process, with a status of its own at a crash."""
    import atheris

    with atheris.instrument_imports(include=["quizzes.grader"]):
        from tests.grader.protocol.fuzz_target import seeds, take
    corpus.mkdir(parents=True, exist_ok=True)
    for number, seed in enumerate(seeds()):
        (corpus / f"seed-{number}").write_bytes(seed)
    limits = [f"-max_total_time={seconds}", f"-max_len={MOST_BYTES}", "-malloc_limit_mb=256"]
    atheris.Setup([sys.argv[0], *limits, str(corpus)], take)
    atheris.Fuzz()


def by_the_grammar(seconds: int) -> None:
    """In a process of its own: atheris must be there before the grader is imported."""
    asked = ["--seconds", str(seconds)]
    subprocess.run([sys.executable, "-m", "tests.grader.protocol.frame_fuzz", *asked], check=True)


def with_hypothesis(seconds: int) -> int:
    """Draws until the time is over; the number of inputs."""
    from tests.grader.protocol.fuzz_target import seeds, take
    from tests.grader.protocol.test_forged_frames import streams

    deadline, count = time.monotonic() + seconds, 0
    framed = st.tuples(st.binary(min_size=1, max_size=1), streams).map(b"".join)

    @settings(
        max_examples=100,
        deadline=None,
        database=None,
        phases=[Phase.generate, Phase.shrink],
        suppress_health_check=list(HealthCheck),
    )
    @given(framed | st.binary(max_size=300) | st.sampled_from(seeds()))
    def draw(data: bytes) -> None:
        nonlocal count
        count += 1
        take(data)

    while time.monotonic() < deadline:
        draw()
    return count


def main() -> None:
    """Fuzzes for the seconds asked for; any failure ends with a status that is not 0."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--corpus", type=Path, default=Path(".fuzz/frames"))
    asked = parser.parse_args()
    half = asked.seconds // 2
    by_the_grammar(half)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY_BYTES, MEMORY_BYTES))
    warnings.simplefilter("error")
    try:
        import atheris  # noqa: F401
    except ImportError:
        print(f"no atheris here: hypothesis draws for {half} s", flush=True)
        print(f"{with_hypothesis(half)} inputs, no fault")
        return
    print(f"atheris draws for {half} s", flush=True)
    with_atheris(half, asked.corpus)


if __name__ == "__main__":
    main()
