"""Which tests a lane of the gate takes, and what a test may take that says nothing of itself.

A run names marks, `-m "both_databases and not races"`. pytest imports every file before it looks
at marks, which is 16 seconds of the processor in each process, a torch among them; so files that
cannot have a test for the run are told from their text, and stay unread.
"""

import re
from resource import RUSAGE_CHILDREN, RUSAGE_SELF, getrusage

LEFT_OUT = {"slow", "torch", "sandbox", "browser", "site"}  # of `make quick`
QUICK_SECONDS = 0.5

_WRITTEN = {"both_databases", "races", "soak"}  # no mark that conftest.py sets by itself
_OF_THE_FILE = re.compile(r"^pytestmark = (\[.*?\]|[^\n]*)$", re.M | re.S)


def has_none_of(text: str, expression: str) -> bool:
    """Say whether no test of the file with this text can have the marks of the expression.

    An expression that is more than names and `not`s joined by `and` is left to pytest.
    """
    parts = [part.strip() for part in expression.split(" and ")]
    if not all(re.fullmatch(r"(not )?\w+", part) for part in parts):
        return False
    wanted = {part for part in parts if not part.startswith("not ")} & _WRITTEN
    refused = {part.removeprefix("not ") for part in parts if part.startswith("not ")}
    of_the_file = _OF_THE_FILE.search(text)
    marks = set(re.findall(r"mark\.(\w+)", of_the_file[1])) if of_the_file else set()
    return bool(marks & refused) or not all(f"mark.{name}" in text for name in wanted)


def processor_seconds() -> float:
    """Return what this process and its ended children have used."""
    used = [getrusage(RUSAGE_SELF), getrusage(RUSAGE_CHILDREN)]
    return sum(each.ru_utime + each.ru_stime for each in used)
