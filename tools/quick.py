"""The fast loop: `quick.py` checks what changed, `quick.py ROOM` tests one room whole.

Without a room: ruff and djlint on the files that differ from the last commit, mypy with what it
remembers of the last time, and the quick tests of three kinds of files:
- the rules for the whole tree, always: tests/setup and tests/site;
- the tests of each room with a changed file: tests/grader/judge for a module of
  quizzes/grader/judge, tests/teaching for a template of templates/teaching, those beside a changed
  conftest.py;
- test files that changed, or that import a changed module.
A test is quick that needs no torch, no sandbox, no browser, no site and no more than half a second.
With a room, such as `quizzes/grader` or `encodings`: all of its tests but the soak.
"""

import os
import re
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.lanes import LEFT_OUT, has_none_of  # noqa: E402  (the path is set only now)

TESTS = ROOT / "tests"
TWO = ["-n", "2", "--dist", "loadfile", "--no-loadscope-reorder"]
QUICK = " and ".join(f"not {mark}" for mark in ("soak", "races", *sorted(LEFT_OUT)))
ALWAYS = (TESTS / "setup", TESTS / "site")
SOURCES = ("encodings/src/", "quizzes/", "templates/")
# Folders whose tests are called differently; of templates, those of the sign-in are in learners.
OTHER_NAMES = {"encodings": "posenc"} | dict.fromkeys(
    ("account", "allauth", "mfa", "socialaccount", "usersessions"), "learners"
)


def changed_files() -> list[str]:
    """Return the files that differ from the last commit, new and deleted ones too."""
    ask = ["git", "ls-files", "--modified", "--others", "--exclude-standard", "-z"]
    staged = ["git", "diff", "--cached", "--name-only", "--no-renames", "-z"]
    answers = [
        subprocess.run(each, cwd=ROOT, capture_output=True, check=True) for each in (ask, staged)
    ]
    names = {name for each in answers for name in each.stdout.decode().split("\0")}
    return sorted(names - {""})


def lint_of(files: Sequence[str]) -> list[list[str]]:
    """Return the commands that lint these files."""
    present = [name for name in files if (ROOT / name).is_file()]
    python = [name for name in present if name.endswith(".py")]
    templates = [name for name in present if name.endswith(".html")]
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


def room_tests(file: str) -> Path | None:
    """Return the folder with the tests of a file's room, the deepest there is; None without one."""
    if file.startswith("tests/") and file.endswith("/conftest.py"):
        return (ROOT / file).parent if Path(file).parts[1:-1] else None
    source = next((folder for folder in SOURCES if file.startswith(folder)), None)
    if source is None:
        return None
    first, *rest = Path(file.removeprefix(source)).parts[:-1] or ("",)
    folder = TESTS.joinpath(OTHER_NAMES.get(first, first), *rest)
    while not folder.is_dir():
        folder = folder.parent
    return None if folder == TESTS else folder


def import_of(file: str) -> re.Pattern[str] | None:
    """Return what an import of this module looks like; None for a file that is no module."""
    if not file.endswith(".py"):
        return None
    path = Path(file.removeprefix("encodings/src/")).with_suffix("")
    *package, name = path.parent.parts if path.name == "__init__" else path.parts
    parent = r"\.".join(package)
    whole = rf"{parent}\.{name}\b" if package else rf"\b{name}\b"
    from_parent = rf"from {parent} import (\([^)]*|[^\n]*)\b{name}\b"
    return re.compile(rf"{whole}|{from_parent}" if package else rf"^(from|import) {whole}", re.M)


def quick_test_files(changed: Sequence[str]) -> list[str]:
    """Return the files with a quick test that this change needs, from the root of the tree."""
    folders = {*ALWAYS, *filter(None, map(room_tests, changed))}
    imports = [pattern for pattern in map(import_of, changed) if pattern is not None]
    chosen = []
    for path in sorted(TESTS.rglob("test_*.py")):
        name, text = str(path.relative_to(ROOT)), path.read_text()
        is_near = name in changed or any(folder in path.parents for folder in folders)
        if has_none_of(text, QUICK):
            continue
        if is_near or any(pattern.search(text) for pattern in imports):
            chosen.append(name)
    return chosen


def tests_of(room: str) -> Path:
    """Return the folder of a room's tests; `room` is its folder, as `quizzes/grader/judge`."""
    parts = [part for part in Path(room).parts if part != "quizzes"]
    name = "/".join(OTHER_NAMES.get(part, part) for part in parts)
    folder = TESTS / name
    if not name or ".." in parts or not folder.is_dir():
        rooms = sorted(path.name for path in TESTS.iterdir() if any(path.glob("**/test_*.py")))
        raise SystemExit(f"T={room}: no tests/{name}/. Expected one of: {', '.join(rooms)}")
    return folder


def left_out(files: Sequence[str]) -> str:
    """Say which tests are not run."""
    marks = ", ".join(sorted({*LEFT_OUT, "races", "soak"}))
    count = sum(1 for _ in TESTS.rglob("test_*.py")) - len(files)
    return (
        f"left out: {count} files of tests, of rooms that did not change or without a quick test;"
        f" tests marked {marks}. `make test` runs all"
    )


def say(text: str) -> None:
    print(f"[ordinal] {text}", flush=True)


def run_room(room: str) -> int:
    folder = tests_of(room)
    command = [sys.executable, "-m", "pytest", "-q", *TWO, str(folder.relative_to(ROOT))]
    code = subprocess.run(command, cwd=ROOT, check=False).returncode
    say(f"left out: every other room than {folder.name}, PostgreSQL, tests marked soak")
    return code


def check_what_is_quick() -> int:
    began = time.monotonic()
    changed = changed_files()
    files = quick_test_files(changed)
    say(f"{len(changed)} files differ from the last commit: {len(files)} files of tests")
    types = subprocess.Popen([sys.executable, "-m", "mypy"], cwd=ROOT)
    tests = [sys.executable, "-m", "pytest", "-q", *TWO, "--hypothesis-profile=quick", "-m", QUICK]
    commands = [*lint_of(changed), [*tests, *files]]
    codes = [subprocess.run(command, cwd=ROOT, check=False).returncode for command in commands]
    codes.append(types.wait())
    say(left_out(files))
    say(f"{'FAILED' if any(codes) else 'passed'} in {time.monotonic() - began:.0f} s")
    return int(any(codes))


def main(arguments: Sequence[str]) -> int:
    os.chdir(ROOT)
    return run_room(arguments[0]) if arguments else check_what_is_quick()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
