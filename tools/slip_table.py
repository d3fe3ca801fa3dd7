"""Print which known mistake each slip is in each exercise, or why there is none.

Usage: python tools/slip_table.py [EXERCISE ...]

The table is `tools/slips.yaml` beside the files of `wrong/` as they are: a slip that is known in
one exercise is looked for in its neighbours. The command ends with 1 if a place is empty or a name
has no file.
"""

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import yaml

ROOT = Path(__file__).resolve().parents[1]
TABLE = ROOT / "tools/slips.yaml"
FOLDERS = "quizzes/content/*/exercises/*"


@dataclass(frozen=True)
class Slip:
    """One row: `named` has the files of each exercise, `reasons` a word where there is none."""

    words: str
    needs: tuple[str, ...]
    named: Mapping[str, tuple[str, ...]]
    reasons: Mapping[str, str]


@dataclass(frozen=True)
class SlipTable:
    """All rows, and what each exercise has that a slip can be made in."""

    has: Mapping[str, frozenset[str]]
    slips: tuple[Slip, ...]

    def is_looked_for(self, slip: Slip, exercise: str) -> bool:
        """Say whether the exercise has something that the slip can be made in."""
        return bool(self.has[exercise] & set(slip.needs))

    def cell(self, slip: Slip, exercise: str) -> str:
        """Return the files, or why there is none; "" where neither is said."""
        if exercise in slip.named:
            return ", ".join(slip.named[exercise])
        if exercise in slip.reasons:
            return f"({slip.reasons[exercise]})"
        return "" if self.is_looked_for(slip, exercise) else f"(no {' or '.join(slip.needs)})"


def read_slips(text: str) -> SlipTable:
    """Return the table of a YAML text. Raises KeyError where a row lacks a field."""
    written = yaml.safe_load(text)
    has = {exercise: frozenset(things) for exercise, things in written["has"].items()}
    return SlipTable(has, tuple(_slip(row) for row in written["slips"]))


def _slip(row: Mapping[str, Any]) -> Slip:
    named = {
        exercise: (files,) if isinstance(files, str) else tuple(files)
        for exercise, files in row["in"].items()
    }
    return Slip(row["slip"], tuple(row["needs"]), named, row.get("not", {}))


def known_mistakes() -> dict[str, frozenset[str]]:
    """Return the files of `wrong/` of each exercise of the shipped courses."""
    return {
        folder.name: frozenset(file.stem for file in folder.glob("wrong/*.py"))
        for folder in sorted(ROOT.glob(FOLDERS))
    }


def problems(table: SlipTable, known: Mapping[str, frozenset[str]]) -> Iterator[str]:
    """Yield what is missing from the table, or is in it and nowhere else."""
    for exercise in sorted(known.keys() - table.has.keys()):
        yield f"{exercise}: `has` has no line for it, expected what slips can be made in there"
    for exercise in sorted(table.has.keys() - known.keys()):
        yield f"{exercise}: `has` has a line for it, but there is no such exercise"
    things = {need for slip in table.slips for need in slip.needs}
    for exercise, has in table.has.items():
        for thing in sorted(has - things):
            yield f"{exercise}: it has {thing}, which no slip needs"
    for slip in table.slips:
        yield from _problems_of_row(table, slip, known)


def _problems_of_row(
    table: SlipTable, slip: Slip, known: Mapping[str, frozenset[str]]
) -> Iterator[str]:
    for exercise, files in slip.named.items():
        for file in files:
            if file not in known.get(exercise, ()):
                yield f"{slip.words} {exercise}: there is no wrong/{file}.py"
    for exercise in sorted(slip.named.keys() & slip.reasons.keys()):
        yield f"{slip.words} {exercise}: it has files and a reason why there is none"
    for exercise in sorted((slip.named.keys() | slip.reasons.keys()) & table.has.keys()):
        if not table.is_looked_for(slip, exercise):
            yield f"{slip.words} {exercise}: it has none of {', '.join(slip.needs)}"
    for exercise in table.has:
        if not table.cell(slip, exercise):
            yield f"{slip.words} {exercise}: expected files of wrong/ or a reason"
    for exercise in sorted(slip.reasons.keys() - table.has.keys()):
        yield f"{slip.words} {exercise}: there is no such exercise"


def summary(table: SlipTable, known: Mapping[str, frozenset[str]]) -> str:
    """Return how full the table is, as docs/verdicts.md quotes it."""
    places = [(slip, exercise) for slip in table.slips for exercise in table.has]
    looked_for = [place for place in places if table.is_looked_for(*place)]
    named = sum(exercise in slip.named for slip, exercise in looked_for)
    inside = {
        (exercise, file)
        for slip in table.slips
        for exercise, files in slip.named.items()
        for file in files
    }
    every = sum(map(len, known.values()))
    return (
        f"{len(table.slips)} slips, looked for in {len(looked_for)} of {len(places)} places: "
        f"{named} have a known mistake and {len(looked_for) - named} a reason. "
        f"{len(inside)} of {every} known mistakes are in a row."
    )


def rows(table: SlipTable, exercises: Sequence[str]) -> Iterator[str]:
    """Yield the table as lines, a row's exercises under its slip."""
    for slip in table.slips:
        yield slip.words
        for exercise in exercises:
            yield f"    {exercise:24}{table.cell(slip, exercise) or 'EMPTY'}"


def main() -> int:
    """Print the table; return 1 where something is missing."""
    table, known = read_slips(TABLE.read_text(encoding="utf-8")), known_mistakes()
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("exercise", nargs="*", default=sorted(table.has))
    exercises = parser.parse_args().exercise
    for exercise in exercises:
        if exercise not in table.has:
            parser.error(f"{exercise}: `has` of {TABLE.name} has no line for it")
    print("\n".join(rows(table, exercises)))
    missing = list(problems(table, known))
    print("\n".join([*missing, summary(table, known)]))
    return 1 if missing else 0


if __name__ == "__main__":
    sys.exit(main())
