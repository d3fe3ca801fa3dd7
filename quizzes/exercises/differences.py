"""What changed between two tries, line by line, for people."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

CONTEXT_LINES = 3
MOST_LINES = 600  # of either text: beyond, comparing may take seconds


@dataclass(frozen=True)
class Line:
    """`sign`: "+" new, "-" gone, "" the same, "…" lines left out. Numbers count from 1."""

    sign: str
    text: str
    old_number: int | None = None
    new_number: int | None = None

    @property
    def kind(self) -> str:
        """What style and screen readers call the line."""
        return {"+": "added", "-": "removed", "…": "skipped"}.get(self.sign, "same")


@dataclass(frozen=True)
class Difference:
    """The changed lines with a few around them; empty for equal texts."""

    lines: tuple[Line, ...]

    @property
    def added(self) -> int:
        return sum(line.sign == "+" for line in self.lines)

    @property
    def removed(self) -> int:
        return sum(line.sign == "-" for line in self.lines)


def compare(old: str, new: str) -> Difference | None:
    """Return what turns `old` into `new`; None when they are too long to compare at once."""
    before, after = old.splitlines(), new.splitlines()
    if max(len(before), len(after)) > MOST_LINES:
        return None
    matcher = SequenceMatcher(None, before, after)
    lines: list[Line] = []
    end = 0
    for group in matcher.get_grouped_opcodes(CONTEXT_LINES):
        if group[0][1] > end:
            lines.append(Line("…", ""))
        for tag, i1, i2, j1, j2 in group:
            lines.extend(_lines(tag, before, after, (i1, i2, j1, j2)))
        end = group[-1][2]
    if lines and end < len(before):
        lines.append(Line("…", ""))
    return Difference(tuple(lines))


def _lines(
    tag: str, before: list[str], after: list[str], span: tuple[int, int, int, int]
) -> Iterator[Line]:
    i1, i2, j1, j2 = span
    if tag == "equal":
        for i, j in zip(range(i1, i2), range(j1, j2), strict=True):
            yield Line("", after[j], i + 1, j + 1)
        return
    for i in range(i1, i2):
        yield Line("-", before[i], old_number=i + 1)
    for j in range(j1, j2):
        yield Line("+", after[j], new_number=j + 1)
