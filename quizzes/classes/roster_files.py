"""Rosters as files: our own form, Moodle's two and Canvas's are read, with every fault by its line.

A file is UTF-8, with or without a byte order mark; its cells are separated by commas, semicolons or
tabs. A cell that a spreadsheet would compute is written with an apostrophe before it, which is
taken off again when the file comes back.
"""

import csv
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from io import StringIO

from django.core.exceptions import ValidationError
from django.core.validators import validate_email

from quizzes.classes.exports.csv_lines import COMMA, as_typed, csv_lines
from quizzes.classes.folding import fold_email, fold_name
from quizzes.classes.models import Membership

MOST_LINES = 5_000
MOST_BYTES = 1024 * 1024
DELIMITERS = (",", ";", "\t")
FIELDS = ("email", "name", "external_id", "login_id", "section", "role")
LONGEST = {"email": 254, "name": 200, "external_id": 100, "login_id": 100, "section": 100}
ROLES = tuple(Membership.Role.values)

# What the columns of each form are, in small letters; several may make one field.
PLAIN = {name: name for name in FIELDS}
MOODLE = {
    "first name": "first",
    "firstname": "first",
    "last name": "last",
    "lastname": "last",
    "surname": "last",
    "email address": "email",
    "email": "email",
    "id number": "external_id",
    "idnumber": "external_id",
    "username": "login_id",
    "groups": "section",
    "group1": "section",
}
CANVAS = {
    "student": "sortable",
    "sis user id": "external_id",
    "sis login id": "login_id",
    "section": "section",
}
TEST_STUDENT = re.compile(r"student,\s*test(\s+\d+)?", re.IGNORECASE)  # Canvas's own


@dataclass(frozen=True)
class RosterLine:
    """One person as a file has them, by the line on which they begin; "" says nothing."""

    line: int
    email: str = ""
    name: str = ""
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
    """What a file holds: whose form it has, its people, its faults, and what was not read."""

    form: str = ""
    people: list[RosterLine] = field(default_factory=list)
    faults: list[RosterFault] = field(default_factory=list)
    left_out: list[RosterFault] = field(default_factory=list)
    ignored: list[str] = field(default_factory=list)  # columns


def read_roster(data: bytes) -> RosterFile:
    """Read a file. Its faults are in the result; nothing is raised."""
    if len(data) > MOST_BYTES:
        return _refused(f"the file has {len(data)} bytes: at most {MOST_BYTES}")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        return _refused(f"this is not UTF-8 (byte {error.start + 1}): save the file as UTF-8", line)
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        return _refused("there is a NUL character, as in UTF-16: save the file as UTF-8", line)
    return read_text(text)


def _refused(cause: str, line: int = 0) -> RosterFile:
    return RosterFile(faults=[RosterFault(line, cause)])


def read_text(text: str) -> RosterFile:
    """Read the text of a file."""
    if not text.strip():
        return _refused("the file is empty")
    form, columns, delimiter = _header(text)
    if not form:
        first = text.lstrip().splitlines()[0][:100]
        return _refused(
            f"the first line is {first!r}: must name columns, such as email,name,external_id,"
            "login_id,section,role",
            1,
        )
    found = RosterFile(form=form)
    cells = csv.reader(StringIO(text, newline=""), delimiter=delimiter, strict=True)
    ends = 0  # the line on which the row before ended
    header: list[str] = []
    try:
        for number, row in enumerate(cells):
            begins, ends = ends + 1, cells.line_num
            if not header:
                header = [_clean(cell) for cell in row] if any(map(str.strip, row)) else []
                continue
            if number > MOST_LINES:
                return _refused(f"the file has more than {MOST_LINES} lines of people", begins)
            if any(cell.strip() for cell in row):
                texts = [as_typed(cell, delimiter) for cell in row]
                _read_row(found, columns, header, texts, begins)
    except csv.Error as error:
        found.faults.append(RosterFault(ends + 1, f"cannot be read as a table: {error}"))
    known = set(columns)
    found.ignored = [name for name in header if name and name.lower() not in known]
    if not found.people and not found.faults:
        found.faults.append(RosterFault(0, "the file names nobody"))
    _find_doubles(found)
    return found


def _header(text: str) -> tuple[str, Mapping[str, str], str]:
    """Return the form of a file, what its columns mean and what separates them; "" for none."""
    best: tuple[int, str, Mapping[str, str], str] = (0, "", {}, ",")
    first = next(line for line in text.splitlines() if line.strip())
    for delimiter in DELIMITERS:
        try:
            names = {
                _clean(cell).lower() for cell in next(csv.reader([first], delimiter=delimiter))
            }
        except (csv.Error, StopIteration):
            continue
        for form, columns in _forms(names):
            score = len(names & set(columns))
            if score > best[0]:
                best = (score, form, columns, delimiter)
    return best[1:]


def _forms(names: set[str]) -> Iterable[tuple[str, Mapping[str, str]]]:
    """Yield the forms that a header with these names may have."""
    if "student" in names and names & {"sis user id", "sis login id", "id"}:
        yield "canvas", CANVAS
    elif names & {"first name", "firstname", "last name", "lastname", "surname", "email address"}:
        yield "moodle", MOODLE
    elif names & {"email", "external_id", "login_id"}:
        yield "plain", PLAIN


def _clean(cell: str) -> str:
    return " ".join(cell.replace("\ufeff", "").split())


def _read_row(
    found: RosterFile, columns: Mapping[str, str], header: list[str], row: list[str], line: int
) -> None:
    if len(row) > len(header):
        cause = f"has {len(row)} cells, the first line has {len(header)} columns"
        found.faults.append(RosterFault(line, cause))
        return
    values: dict[str, str] = {}
    for name, cell in zip(header, row, strict=False):
        if (meaning := columns.get(name.lower())) is not None:
            values[meaning] = values.get(meaning) or _clean(cell)
    if found.form == "canvas":
        if not values.get("sortable") or values["sortable"].lower() == "points possible":
            return  # Canvas's second line; for some teachers a line of "Manual Posting" before it
        if TEST_STUDENT.fullmatch(values["sortable"]):
            found.left_out.append(RosterFault(line, "is Canvas's own test student"))
            return
    person, causes = _person(values, line)
    found.faults += [RosterFault(line, cause) for cause in causes]
    if not causes:
        found.people.append(person)


def _person(values: dict[str, str], line: int) -> tuple[RosterLine, list[str]]:
    name = values.get("name") or " ".join(
        part for part in (values.get("first"), values.get("last")) if part
    )
    name = name or _in_order(values.get("sortable", ""))
    login = fold_name(values.get("login_id", ""))
    email = fold_email(values.get("email", "") or (login if "@" in login else ""))
    person = RosterLine(
        line,
        email=email,
        name=fold_name(name),
        external_id=fold_name(values.get("external_id", "")),
        login_id=login,
        section=fold_name(values.get("section", "")),
        role=values.get("role", "").lower(),
    )
    return person, _causes(person)


def _in_order(sortable: str) -> str:
    """Return "Ada Lovelace" of Canvas's "Lovelace, Ada"; other texts as they are."""
    last, comma, first = sortable.partition(",")
    if not comma or "," in first:
        return sortable
    return f"{first.strip()} {last.strip()}"


def _causes(person: RosterLine) -> list[str]:
    causes = []
    if not (person.email or person.external_id or person.login_id):
        causes.append("has no e-mail address, no id and no login: who is it?")
    if person.email:
        try:
            validate_email(person.email)
        except ValidationError:
            causes.append(f"email: {person.email!r} is no address")
    if person.role and person.role not in ROLES:
        causes.append(f"role: must be one of {', '.join(ROLES)}, not {person.role!r}")
    for name, most in LONGEST.items():
        if (length := len(getattr(person, name))) > most:
            causes.append(f"{name}: has {length} characters, at most {most}")
    return causes


def _find_doubles(found: RosterFile) -> None:
    """Move people whose address, id or login stands in an earlier line to the faults."""
    seen: dict[tuple[str, str], int] = {}
    kept = []
    for person in found.people:
        causes = [
            f"{name}: {value!r} stands in line {seen[name, value]} too"
            for name in ("email", "external_id", "login_id")
            if (value := getattr(person, name)) and (name, value) in seen
        ]
        found.faults += [RosterFault(person.line, cause) for cause in causes]
        for name in ("email", "external_id", "login_id"):
            if value := getattr(person, name):
                seen.setdefault((name, value), person.line)
        if not causes:
            kept.append(person)
    found.people = kept
    found.faults.sort(key=lambda one: one.line)


# ---- out


def write_roster(
    members: Iterable[Membership], form: str, separator: str = COMMA
) -> Iterator[bytes]:
    """Yield the lines of a roster: plain, as Moodle's upload_users or as Canvas's gradebook."""
    return csv_lines(WRITERS[form](members), separator)


def _plain(members: Iterable[Membership]) -> Iterable[list[str]]:
    yield list(FIELDS)
    for one in members:
        yield [one.email, one.name, one.external_id, one.login_id, one.section, one.role]


def _moodle(members: Iterable[Membership]) -> Iterable[list[str]]:
    yield ["username", "email", "firstname", "lastname", "idnumber", "group1"]
    for one in members:
        first, _, last = one.name.rpartition(" ")
        login = one.login_id or one.email
        yield [login, one.email, first or last, last if first else "", one.external_id, one.section]


def _canvas(members: Iterable[Membership]) -> Iterable[list[str]]:
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    yield ["    Points Possible", "", "", "", ""]
    for one in members:
        first, _, last = one.name.rpartition(" ")
        sortable = f"{last}, {first}" if first else last
        yield [sortable, "", one.external_id, one.login_id or one.email, one.section]


WRITERS = {"plain": _plain, "moodle": _moodle, "canvas": _canvas}
