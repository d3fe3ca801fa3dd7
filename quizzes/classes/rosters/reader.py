"""Rosters as people have them: read in every form, with every fault by its line.

`table` works out encoding and separator, `columns` what the columns mean. A cell that a spreadsheet
would compute has an apostrophe before it in our own files, which is taken off again.
"""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from quizzes.classes.exports.csv_lines import as_typed
from quizzes.classes.models import Membership
from quizzes.classes.names import fold_email, fold_key, fold_name
from quizzes.classes.rosters.columns import KEYS, Columns, columns_of, guess, is_known
from quizzes.classes.rosters.identity import parts_at_comma
from quizzes.classes.rosters.table import Row, Table, TableError, read_table

LONGEST = {"email": 254, "name": 200, "external_id": 100, "login_id": 100, "section": 100}
ROLES = tuple(Membership.Role.values)
POINTS_POSSIBLE = "points possible"
TEST_STUDENT = re.compile(r"student,\s*test(\s+\d+)?", re.IGNORECASE)  # Canvas's own
SHORTENED = re.compile(r"[+-]?\d([.,]\d+)?E\+\d{1,3}", re.IGNORECASE)  # 120000000000 as 1.2E+11
MOST_SAMPLES, MOST_LOOKED_AT = 3, 20  # cells of each column, in so many lines


@dataclass(frozen=True)
class RosterLine:
    """One person as a file has them, by the line on which they begin; "" says nothing.

    `given_name` and `family_name` are the parts of `name` where the file has them apart; `sortable`
    is "family, given" where it has them so.
    """

    line: int
    email: str = ""
    name: str = ""
    given_name: str = ""
    family_name: str = ""
    sortable: str = ""
    external_id: str = ""
    login_id: str = ""
    section: str = ""
    role: str = ""


@dataclass(frozen=True)
class RosterFault:
    """What is wrong with a line, or with the file as a whole (line 0)."""

    line: int
    cause: str


@dataclass
class RosterFile:
    """What a file holds: its people, its faults, what was left out, and how it was read."""

    people: list[RosterLine] = field(default_factory=list)
    faults: list[RosterFault] = field(default_factory=list)
    left_out: list[RosterFault] = field(default_factory=list)
    table: Table | None = None  # None where it is none
    columns: Columns | None = None
    asks: bool = False  # a person must say first which column is which: `columns` is a guess
    first: list[str] = field(default_factory=list)  # the cells of the first row
    samples: list[list[str]] = field(default_factory=list)  # of each column, some cells


def read_roster(
    data: bytes,
    memory: Iterable[Mapping[str, list[str]]] = (),
    columns: Columns | None = None,
) -> RosterFile:
    """Read a file, by these columns or by their names. Its faults are in the result.

    `memory` has what the columns of earlier files of the class mean.
    """
    try:
        table = read_table(data, is_known)
    except TableError as error:
        return RosterFile(faults=[RosterFault(error.line, str(error))])
    rows = [
        (line, [fold_name(as_typed(cell, table.separator)) for cell in row])
        for line, row in table.rows
    ]
    first = rows[0][1]
    columns = columns or columns_of(first, memory)
    found = RosterFile(table=table, columns=columns, first=first)
    found.asks = not columns.are_known
    if found.asks:
        found.columns = columns = guess(first, [row for _, row in rows[1 : 1 + MOST_LOOKED_AT]])
    found.samples = _samples(columns, rows)
    if found.asks:
        return found
    for line, row in rows[1:] if columns.has_header else rows:
        _read_row(found, columns, row, line)
    if not found.people and not found.faults:
        found.faults.append(RosterFault(0, "the file lists nobody"))
    _fold_equal_lines(found)
    _find_doubles(found)
    return found


def _samples(columns: Columns, rows: Sequence[Row]) -> list[list[str]]:
    """Return the first cells of each column that say something, each once."""
    people = [row for _, row in (rows[1:] if columns.has_header else rows)]
    samples = []
    for place in range(len(columns.names)):
        cells = (row[place] for row in people[:MOST_LOOKED_AT] if place < len(row) and row[place])
        samples.append(list(dict.fromkeys(cells))[:MOST_SAMPLES])
    return samples


def _read_row(roster: RosterFile, columns: Columns, row: list[str], line: int) -> None:
    if any(row[len(columns.meanings) :]):  # empty cells at the end are a spreadsheet's
        cause = f"has {len(row)} cells, the first line has {len(columns.meanings)} columns"
        roster.faults.append(RosterFault(line, cause))
        return
    values: dict[str, str] = {}
    for meaning, cell in zip(columns.meanings, row, strict=False):
        if meaning:
            values[meaning] = values.get(meaning) or cell
    if columns.form == "canvas" and (cause := _of_canvas_itself(values)):
        if cause != POINTS_POSSIBLE:
            roster.left_out.append(RosterFault(line, cause))
        return
    if columns.form == "brightspace":
        for key in ("external_id", "login_id"):  # which keeps spreadsheets from computing them
            values[key] = values.get(key, "").removeprefix("#")
    person = _person(values, line)
    causes = list(_causes(person))
    roster.faults += [RosterFault(line, cause) for cause in causes]
    if not causes:
        roster.people.append(person)


def _of_canvas_itself(values: Mapping[str, str]) -> str:
    """Return why a line of Canvas is nobody, "" for a person.

    The second line has points; for some teachers a line of "Manual Posting" stands before it.
    """
    name = values.get("sortable") or values.get("family", "")
    if name.lower() == POINTS_POSSIBLE or not any(values.values()):
        return POINTS_POSSIBLE
    both = name if "," in name else f"{name}, {values.get('given', '')}"
    return "is Canvas's own test student" if TEST_STUDENT.fullmatch(both) else ""


def _person(values: Mapping[str, str], line: int) -> RosterLine:
    sortable, name = values.get("sortable", ""), values.get("name", "")
    given, family = values.get("given", ""), values.get("family", "")
    if not (given or family):
        family, given = parts_at_comma(sortable)
    login = fold_key(values.get("login_id", ""))
    email = fold_email(values.get("email", ""))
    if not email and is_address(login):
        email = fold_email(login)
    return RosterLine(
        line,
        email=email,
        name=name or f"{given} {family}".strip() or sortable,
        given_name=given,
        family_name=family,
        sortable=sortable,
        external_id=fold_key(values.get("external_id", "")),
        login_id=login,
        section=values.get("section", ""),
        role=values.get("role", "").lower(),
    )


def is_address(text: str) -> bool:
    """Return whether a text is an e-mail address."""
    try:
        validate_email(text)
    except ValidationError:
        return False
    return True


def _causes(person: RosterLine) -> Iterable[str]:
    if not any(getattr(person, key) for key in KEYS):
        yield "has no e-mail address, no id and no login: add one of them."
    if person.email and not is_address(person.email):
        yield f"email: {person.email!r} is not an address"
    if person.role and person.role not in ROLES:
        yield f"role: must be one of {', '.join(ROLES)}, not {person.role!r}"
    for key in ("external_id", "login_id", "section"):
        if SHORTENED.fullmatch(value := getattr(person, key)):
            yield (
                f"{key}: {value!r} is a number that a spreadsheet shortened: format the column as "
                "text there, type the number again, and save the file"
            )
    for key, most in LONGEST.items():
        if (length := len(getattr(person, key))) > most:
            yield f"{key}: has {length} characters, at most {most} are allowed"


def _fold_equal_lines(roster: RosterFile) -> None:
    """Leave out the lines that say the same as an earlier one."""
    seen: dict[RosterLine, int] = {}
    for person in roster.people:
        first = seen.setdefault(replace(person, line=0), person.line)
        if first != person.line:
            roster.left_out.append(RosterFault(person.line, f"is the same as line {first}"))
    lines = set(seen.values())
    roster.people = [person for person in roster.people if person.line in lines]


def _find_doubles(roster: RosterFile) -> None:
    """Move people whose address, id or login stands in an earlier line to the faults."""
    seen: dict[tuple[str, str], int] = {}
    people = []
    for person in roster.people:
        causes = [
            f"{name}: {value!r} is also in line {seen[name, value]}"
            for name in KEYS
            if (value := getattr(person, name)) and (name, value) in seen
        ]
        roster.faults += [RosterFault(person.line, cause) for cause in causes]
        for name in KEYS:
            if value := getattr(person, name):
                seen.setdefault((name, value), person.line)
        if not causes:
            people.append(person)
    roster.people = people
    roster.faults.sort(key=lambda fault: fault.line)
    roster.left_out.sort(key=lambda fault: fault.line)
