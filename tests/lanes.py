"""Which tests a lane of the gate takes, and what a test may take that says nothing of itself.

A run names marks, `-m "both_databases and not races"`. pytest imports every file before it looks
at marks, which is 16 seconds of the processor in each process, a torch among them; so files that
cannot have a test for the run are told from their text, and stay unread.
"""

import re
from collections.abc import Sequence
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

LEFT_OUT = {"slow", "torch", "sandbox", "browser", "site"}  # of `make quick`
QUICK_SECONDS = 0.5

# The words by which a file says that it has tests with a mark that conftest.py does not set alone.
_WRITTEN = {
    "both_databases": ("mark.both_databases",),
    "races": ("mark.races",),
    "soak": ("mark.soak", "mark.covering", '="soak"'),
    "hypothesis": ("hypothesis",),  # which marks by itself what draws examples
}
_OF_THE_FILE = re.compile(r"^pytestmark = (\[.*?\]|[^\n]*)$", re.M | re.S)


def has_none_of(text: str, expression: str) -> bool:
    """Say whether no test of the file with this text can have the marks of the expression.

    An expression that is more than names and `not`s joined by `and` is left to pytest.
    """
    parts = [part.strip() for part in expression.split(" and ")]
    if not all(re.fullmatch(r"(not )?\w+", part) for part in parts):
        return False
    wanted = {part for part in parts if not part.startswith("not ")} & _WRITTEN.keys()
    refused = {part.removeprefix("not ") for part in parts if part.startswith("not ")}
    of_the_file = _OF_THE_FILE.search(text)
    marks = set(re.findall(r"mark\.(\w+)", of_the_file[1])) if of_the_file else set()
    said = (any(word in text for word in _WRITTEN[name]) for name in wanted)
    return bool(marks & refused) or not all(said)


def is_covering(
    indices: Sequence[int], sizes: Sequence[int], times: int = 1, most: int = 0
) -> bool:
    """Say whether a cell of a grid is among those that have each value of each axis `times` times.

    These are the cells of as many diagonals, each wound around the shorter axes. With `most`, only
    so many values of the longest axis, evenly spread.
    """
    longest = sizes.index(max(sizes))
    if most and indices[longest] * most % sizes[longest] >= most:
        return False
    others = [axis for axis in range(len(sizes)) if axis != longest]
    return any(
        all(indices[axis] == (indices[longest] + shift) % sizes[axis] for axis in others)
        for shift in range(times)
    )


def processor_seconds() -> float:
    """Return what this process and its ended children have used."""
    used = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
