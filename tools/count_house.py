"""Print the size of the house, part by part: `count_house.py [COMMIT ...]`, else of these files.

Lines are those of files that git knows, without the shipped course and migrations where a row
says so. What a part is called stands in PARTS; other rows count patterns in the code.
"""

import re
import subprocess
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
HERE = "here"  # instead of a commit

Files = Mapping[str, str]  # path to text

PARTS = {
    "product Python": (
        r"(quizzes/(?!content/)|encodings/src/posenc/|ordinal_exercise/)(?!.*/migrations/).*\.py"
    ),
    "live drawing, Python and JavaScript": (
        r"encodings/src/posenc/figures/.*\.py|static/figures/.*\.js|quizzes/lessons/figures/.*\.py"
    ),
    "migrations": r"quizzes/.*/migrations/.*\.py",
    "benchmarks": r"benchmarks/.*\.py",
    "tests": r"tests/.*\.py",
    "templates": r"(templates|quizzes)/.*\.html",
    "JavaScript and styles": r"static/(?!vendor/).*\.(js|css)",
    "documents": r"(docs/.*|[A-Z]+)\.md",
}
PRODUCT = re.compile(r"quizzes/(?!content/).*\.py")


def _count_matches(files: Files, pattern: str) -> int:
    return sum(
        len(re.findall(pattern, text, re.M))
        for path, text in files.items()
        if PRODUCT.fullmatch(path) and "/migrations/" not in path
    )


COUNTS: dict[str, Callable[[Files], int]] = {
    "hooks": lambda files: _count_matches(files, r"^@Hook$"),
    "one-slot registries": lambda files: _count_matches(files, r"^_\w+: list\[.*\] = \[\]"),
    "signal receivers": lambda files: _count_matches(files, r"^\s*@receiver|\w+\.connect\("),
    "caching devices": lambda files: _count_matches(
        files, r"\b(?:Kept|KeptQuery)\(|@lru_cache|@cache\b"
    ),
    "own middlewares": lambda files: _count_matches(files, r'^\s+"quizzes\.[\w.]*Middleware"'),
}


def files_of(commit: str) -> Files:
    """Return path and text of each file of a commit, or of those here."""
    if commit == HERE:
        names = _git("ls-files", "-z").split("\0")
        paths = [name for name in names if name and (ROOT / name).is_file()]
        return {path: (ROOT / path).read_text(errors="replace") for path in paths if _counts(path)}
    names = _git("ls-tree", "-r", "-z", "--name-only", commit).split("\0")
    return {path: _git("show", f"{commit}:{path}") for path in names if _counts(path)}


def _counts(path: str) -> bool:
    return any(re.fullmatch(pattern, path) for pattern in PARTS.values())


def _git(*arguments: str) -> str:
    ran = subprocess.run(["git", *arguments], cwd=ROOT, capture_output=True, check=True)
    return ran.stdout.decode(errors="replace")


def column(files: Files) -> list[int]:
    """Return the numbers of one commit, row by row."""
    lines = [
        sum(text.count("\n") for path, text in files.items() if re.fullmatch(pattern, path))
        for pattern in PARTS.values()
    ]
    return [*lines, *(count(files) for count in COUNTS.values())]


def main(commits: list[str]) -> None:
    commits = commits or [HERE]
    columns = [column(files_of(commit)) for commit in commits]
    print("| |", " | ".join(commits), "|")
    print("|---|" + "--:|" * len(commits))
    for row, name in enumerate([*PARTS, *COUNTS]):
        print(f"| {name} |", " | ".join(f"{numbers[row]:,}" for numbers in columns), "|")


if __name__ == "__main__":
    main(sys.argv[1:])
