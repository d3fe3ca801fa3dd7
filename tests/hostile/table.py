"""The tables of attacks in docs/security.md: the first made from the attacks, the second read.

`python -m tests.hostile.table` writes the first anew; tests hold both to what is there.
"""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path

from tests.hostile import test_attacks
from tests.hostile.test_attacks import ATTACKS, tags

TESTS = Path(__file__).resolve().parents[1]
PAGE = TESTS.parent / "docs/security.md"
HEAD = "| attack | family | stopped by | ends as | tests |\n| --- | --- | --- | --- | --- |\n"
END = "\n### Around the sandbox"
OTHERS = "| attack | family | stopped by | test |\n| --- | --- | --- | --- |\n"


def table() -> str:
    """One row an attack, by family."""
    rows = sorted((tags(path)["FAMILY"], path) for path in ATTACKS)
    return HEAD + "".join(_row(path) for _, path in rows)


def _row(path: Path) -> str:
    said = tags(path)
    ends = ", ".join(said["EXPECT"].split())
    machine = f" ({said['MACHINE']})" if "MACHINE" in said else ""
    tests = ", ".join(f"`{name}`" for name in runs_of(path))
    cells = (f"{path.stem}{machine}", said["FAMILY"], said["STOPPED"], ends, tests)
    return f"| {' | '.join(cells)} |\n"


def runs_of(path: Path) -> list[str]:
    """The tests that run an attack, without `test_`."""
    return [name.removeprefix("test_") for name, of in _runs().items() if path in of]


@cache
def _runs() -> dict[str, list[Path]]:
    tests: dict[str, Callable[..., None]] = {
        name: value for name, value in vars(test_attacks).items() if name.startswith("test_")
    }
    marks = {name: getattr(test, "pytestmark", ()) for name, test in tests.items()}
    return {
        name: mark.args[1]
        for name, of in marks.items()
        for mark in of
        if mark.name == "parametrize" and mark.args[0] == "path"
    }


def with_table(page: str) -> str:
    """The page with the first table as it should be."""
    start = page.index(HEAD.splitlines()[0])
    return page[:start] + table() + page[page.index(END, start) :]


def other_attacks(page: str) -> Iterator[tuple[str, str, str, list[str]]]:
    """The rows of the second table: attack, family, what stops it, tests as `file::name`."""
    rows = page.split(OTHERS, 1)[1].split("\n\n", 1)[0].splitlines()
    for row in rows:
        attack, family, layer, tests = (cell.strip() for cell in row.strip("| ").split(" | "))
        yield attack, family, layer, re.findall(r"`([^`]+)`", tests)


@cache
def names_in(file: str) -> frozenset[str]:
    """The names of the tests in a file below tests/; none when there is no such file."""
    path = TESTS / file
    if not path.is_file():
        return frozenset()
    return frozenset(re.findall(r"^def (test_\w+)\(", path.read_text(encoding="utf-8"), re.M))


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
