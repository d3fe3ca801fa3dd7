"""The table of attacks in docs/security.md, made from the attacks themselves.

`python -m tests.hostile.table` writes it anew; a test holds the two together.
"""

from pathlib import Path

from tests.hostile.test_attacks import ATTACKS, NUMPY_ATTACKS, OF_THE_MACHINE, tags

PAGE = Path(__file__).resolve().parents[2] / "docs/security.md"
HEAD = "| attack | family | stopped by | ends as | sandboxes |\n| --- | --- | --- | --- | --- |\n"
END = "\nBeside them:"


def table() -> str:
    """One row an attack, by family."""
    rows = sorted((tags(path)["FAMILY"], path) for path in ATTACKS)
    return HEAD + "".join(_row(path) for _, path in rows)


def _row(path: Path) -> str:
    said = tags(path)
    ends = ", ".join(said["EXPECT"].split())
    machine = f" ({said['MACHINE']})" if "MACHINE" in said else ""
    cells = (f"{path.stem}{machine}", said["FAMILY"], said["STOPPED"], ends, _sandboxes(path))
    return f"| {' | '.join(cells)} |\n"


def _sandboxes(path: Path) -> str:
    if path not in NUMPY_ATTACKS:
        return "torch, torch author"
    return "numpy, numpy author" + (", torch" if path in OF_THE_MACHINE else "")


def with_table(page: str) -> str:
    """The page with the table as it should be."""
    start = page.index(HEAD.splitlines()[0])
    return page[:start] + table() + page[page.index(END, start) :]


if __name__ == "__main__":
    PAGE.write_text(with_table(PAGE.read_text(encoding="utf-8")), encoding="utf-8")
