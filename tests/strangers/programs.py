"""Programs that people wrote who had an exercise's statement and nothing else of the project.

The head of each says in plain lines what is true of it; the grader never reads that. `Names:` was
added afterwards, by somebody who knows the known mistakes: the names that would be true, or `none`.
"""

from dataclasses import dataclass
from functools import cache
from pathlib import Path

FOLDER = Path(__file__).parent
COLLECTIONS = ("first", "second")
TRUTHS = ("right", "wrong", "other convention")
FIELDS = ("Truth", "Slips", "Silent", "Says", "Names")
NONE = "none"


@dataclass(frozen=True)
class Program:
    """One file, and what a fair person says of it.

    `silent`: it returns wrong numbers in the right shape, without an error. `names`: the known
    mistakes whose sentence is true of it, None while nobody has said.
    """

    exercise: str
    name: str
    source: str
    truth: str
    slips: tuple[str, ...]
    silent: bool
    says: str
    names: tuple[str, ...] | None


@cache
def read_programs(collection: str) -> tuple[Program, ...]:
    """Return the programs of `first` or `second` by exercise and name; raise ValueError for one
    whose head has no truth.
    """
    files = sorted((FOLDER / collection).glob("*/*.py"))
    return tuple(_read(file) for file in files)


def right_programs(exercise: str) -> list[Program]:
    """Return all programs that are right answers to an exercise."""
    every = [program for collection in COLLECTIONS for program in read_programs(collection)]
    return [one for one in every if one.exercise == exercise and one.truth == "right"]


def _read(file: Path) -> Program:
    source = file.read_text(encoding="utf-8")
    head = _fields(source.split('"""')[1])
    truth = head.get("Truth", "")
    if truth not in TRUTHS:
        raise ValueError(f"{file}: Truth is {truth!r}, not one of {', '.join(TRUTHS)}")
    names = _listed(head["Names"], ",") if "Names" in head else None
    slips = _listed(head.get("Slips", NONE), ";")
    silent = head.get("Silent", "no") == "yes"
    says = head.get("Says", "")
    return Program(file.parent.name, file.stem, source, truth, slips, silent, says, names)


def _fields(docstring: str) -> dict[str, str]:
    pairs = (line.split(":", 1) for line in docstring.splitlines() if ":" in line)
    return {key.strip(): value.strip() for key, value in pairs if key.strip() in FIELDS}


def _listed(text: str, separator: str) -> tuple[str, ...]:
    items = (item.strip() for item in text.split(separator))
    return () if text.strip() == NONE else tuple(item for item in items if item)
