"""The fast loop: `quick.py` checks what changed, `quick.py ROOM` tests one room whole.

Without a room: ruff and djlint on the files that git calls changed, mypy with what it remembers of
the last time, and every test that needs no torch, no sandbox, no browser, no site and no more than
half a second, in two processes with the files of their rooms: two that share all files would each
collect 11 000 tests. With a room, such as `quizzes/grader` or `encodings`: all of its tests but the
soak.
"""

import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.lanes import LEFT_OUT, has_none_of  # noqa: E402  (found only now)

TESTS = ROOT / "tests"
TWO = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
QUICK = " and ".join(f"not {mark}" for mark in ("soak", "races", *sorted(LEFT_OUT)))
# Half of the quick tests by their seconds; a new room is in the other half by itself.
ROOMS = [
    f"tests/{room}"
    for room in (
        *("assessment", "courses", "journeys", "learners", "lessons"),
        *("operations", "site", "study", "teaching"),
    )
]
OTHER_NAMES = {"encodings": "posenc"}  # rooms whose tests are called otherwise


def changed_files() -> list[str]:
    """Return the files that differ from the last commit, new ones too, as git names them."""
    ask = ["git", "ls-files", "--modified", "--others", "--exclude-standard", "-z"]
    staged = ["git", "diff", "--cached", "--name-only", "-z"]
    found = [
        subprocess.run(each, cwd=ROOT, capture_output=True, check=True) for each in (ask, staged)
    ]
    names = {name for each in found for name in each.stdout.decode().split("\0")}
    return sorted(name for name in names if name and (ROOT / name).is_file())


def lint_of(files: Sequence[str]) -> list[list[str]]:
    """Return the commands that lint these files."""
    python = [name for name in files if name.endswith(".py")]
    templates = [name for name in files if name.endswith(".html")]
    commands = []
    if python:
        commands.append([sys.executable, "-m", "ruff", "check", "--force-exclude", *python])
        commands.append(
            [sys.executable, "-m", "ruff", "format", "--check", "--force-exclude", *python]
        )
    if templates:
        for mode in ("--lint", "--check"):
            commands.append([sys.executable, "-m", "djlint", mode, "--quiet", *templates])
    return commands


def tests_of(room: str) -> Path:
    """Return the folder of a room's tests; `room` is its folder, as `quizzes/grader/judge`."""
    parts = [part for part in Path(room).parts if part != "quizzes"]
    name = "/".join(OTHER_NAMES.get(part, part) for part in parts)
    folder = TESTS / name
    if not name or ".." in parts or not folder.is_dir():
        rooms = sorted(path.name for path in TESTS.iterdir() if any(path.glob("**/test_*.py")))
        raise SystemExit(f"T={room}: no tests/{name}/. Expected one of: {', '.join(rooms)}")
    return folder


def left_out() -> str:
    """Say which files of tests are not even read."""
    files = [path for path in TESTS.rglob("test_*.py") if has_none_of(path.read_text(), QUICK)]
    rooms: dict[str, int] = {}
    for path in files:
        room = path.relative_to(TESTS).parts[0]
        rooms[room] = rooms.get(room, 0) + 1
    counts = ", ".join(f"{room} {count}" for room, count in sorted(rooms.items()))
    marks = ", ".join(sorted({*LEFT_OUT, "races", "soak"}))
    return (
        f"left out: tests marked {marks}. Whole files of them: {counts}; single tests are"
        " counted above as deselected. `make test` runs all"
    )


def say(text: str) -> None:
    print(f"[ordinal] {text}", flush=True)


def run_room(room: str) -> int:
    folder = tests_of(room)
    command = [sys.executable, "-m", "pytest", "-q", *TWO, str(folder.relative_to(ROOT))]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    say(f"left out: every other room than {folder.name}, PostgreSQL, tests marked soak")
    return code


def run_quick_tests() -> list[int]:
    """Run both halves at once; what the second says is shown when the first has ended."""
    tests = [sys.executable, "-m", "pytest", "-q", "-n", "0", "--hypothesis-profile=quick"]
    tests += ["-m", QUICK]
    others = [f"--ignore={room}" for room in ROOMS]
    with tempfile.TemporaryFile() as output:
        second = subprocess.Popen(
            [*tests, *others], cwd=ROOT, stdout=output, stderr=subprocess.STDOUT
        )
        codes = [subprocess.run([*tests, *ROOMS], cwd=ROOT, check=False).returncode, second.wait()]
        output.seek(0)
        print(output.read().decode(errors="replace"), flush=True)
    return codes


def check_what_is_quick() -> int:
    began = time.monotonic()
    types = subprocess.Popen([sys.executable, "-m", "mypy"], cwd=ROOT)
    codes = [
        subprocess.run(command, cwd=ROOT, check=False).returncode
        for command in lint_of(changed_files())
    ]
    codes += [*run_quick_tests(), types.wait()]
    say(left_out())
    say(f"{'FAILED' if any(codes) else 'passed'} in {time.monotonic() - began:.0f} s")
    return int(any(codes))


def main(arguments: Sequence[str]) -> int:
    os.chdir(ROOT)
    return run_room(arguments[0]) if arguments else check_what_is_quick()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
