"""Kill workers at random moments, as their nearest living ancestor: what is left becomes ours.

Run as `python -m tests.exercises.kill_workers COUNT EARLIEST LATEST COMMAND...`. Each of COUNT
processes is killed between EARLIEST and LATEST seconds after it wrote its first line. Ten seconds
after the last kill nothing below us may live; what does is printed.
"""

import os
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

from gate import adopt_orphans, children, end_what_is_left  # noqa: E402  (found only now)

from tests.child_environment import ENDS_WITH_US  # noqa: E402

AT_ONCE = 2
PATIENCE_SECONDS = 10


def kill_some(command: list[str], earliest: float, latest: float, chance: random.Random) -> None:
    workers = [
        subprocess.Popen([*ENDS_WITH_US, *command], stdout=subprocess.PIPE, start_new_session=True)
        for _ in range(AT_ONCE)
    ]
    for worker in workers:
        assert worker.stdout is not None
        assert worker.stdout.readline(), "it said nothing"
        worker.stdout.close()
    began = time.monotonic()
    moments = sorted(chance.uniform(earliest, latest) for _ in workers)
    for worker, moment in zip(workers, moments, strict=True):
        time.sleep(max(0.0, began + moment - time.monotonic()))
        worker.send_signal(signal.SIGKILL)
    for worker in workers:
        worker.wait()


def what_is_left() -> list[str]:
    """Return the names of what lives below us after a while."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while (left := children()) and time.monotonic() < deadline:
        for pid in left:
            os.waitpid(pid, os.WNOHANG)
        time.sleep(0.1)
    return [Path(f"/proc/{pid}/cmdline").read_text().replace("\0", " ")[:60] for pid in left]


def main(arguments: list[str]) -> None:
    count, earliest, latest = int(arguments[0]), float(arguments[1]), float(arguments[2])
    seed = int(os.environ.get("KILL_SEED", "0")) or random.SystemRandom().randrange(1, 10**6)
    print(f"KILL_SEED={seed}", file=sys.stderr)
    chance = random.Random(seed)
    adopt_orphans()
    for _ in range(0, count, AT_ONCE):
        kill_some(arguments[3:], earliest, latest, chance)
    print("left:", what_is_left())
    end_what_is_left()


if __name__ == "__main__":
    main(sys.argv[1:])
