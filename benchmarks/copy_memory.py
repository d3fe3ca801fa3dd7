"""The memory of `manage.py copy_database`, by the size of the site that is copied.

Usage: python tools/with_postgres.py python benchmarks/copy_memory.py [--responses 50000 200000]
For each number the database of benchmarks/upgrade.py is made with so many responses, as a new file
of SQLite's, and copied into a new database of the PostgreSQL server that DATABASE_URL names. What
is told is the most memory that the command had at one time, by the kernel's account of its process.
Goal: four times the rows take less than 1.2 times the memory.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from tests.databases import new_database, on_postgresql  # noqa: E402

MAKE = "import sys; from benchmarks.upgrade import measure; measure(int(sys.argv[1]))"
GOAL = 1.2


def copy(responses: int) -> tuple[float, float]:
    """Return the megabytes and the seconds of one copy."""
    with tempfile.TemporaryDirectory(prefix="ordinal-benchmark-") as name:
        source = f"sqlite:///{Path(name) / 'site.sqlite3'}"
        made = os.environ | {"DATABASE_URL": source, "ORDINAL_VAR": name}
        subprocess.run([sys.executable, "-c", MAKE, str(responses)], cwd=ROOT, env=made, check=True)
        target = made | {"DATABASE_URL": new_database(Path(name))}
        command = [sys.executable, "manage.py", "copy_database", source]
        began = time.perf_counter()
        process = subprocess.Popen(command, cwd=ROOT, env=target)
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise SystemExit(f"copy_database ended with {process.returncode}")
        return used.ru_maxrss / 1024, time.perf_counter() - began


def main() -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--responses", type=int, nargs="+", default=[50_000, 200_000], metavar="N")
    numbers = parser.parse_args().responses
    if not on_postgresql():
        raise SystemExit("DATABASE_URL names no PostgreSQL server: run it by with_postgres.py")
    found = {number: copy(number) for number in numbers}
    print("| responses | most memory, MB | seconds |\n|--:|--:|--:|")
    for number, (megabytes, seconds) in found.items():
        print(f"| {number} | {megabytes:.0f} | {seconds:.0f} |")
    grown = found[numbers[-1]][0] / found[numbers[0]][0]
    print(f"{grown:.2f} times the memory; load {os.getloadavg()[0]:.0f}")
    return int(grown >= GOAL)


if __name__ == "__main__":
    sys.exit(main())
