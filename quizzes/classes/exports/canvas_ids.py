"""The ids of an uploaded Canvas gradebook export, matched to a class and its assignments.

A key that names two people, on either side, is left to a person: nobody gets another's marks.
"""

import csv
import io
import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quizzes.classes.exports.csv_lines import as_typed
from quizzes.classes.exports.marks_csv import CanvasIds, titled
from quizzes.classes.models import Assignment, Membership

MOST_BYTES = 1_000_000
MOST_LINES = 5_000
NAMES = ("Student", "ID", "SIS User ID", "SIS Login ID", "Section")
HEADER_WITH_ID = re.compile(r"(?P<title>.*) \((?P<id>\d+)\)\Z", re.DOTALL)


class CanvasFileError(ValueError):
    """The file is no Canvas gradebook export; the message says why."""


@dataclass(frozen=True)
class CanvasMatch:
    """What was found, and who or what was not, in words."""

    ids: CanvasIds
    problems: Sequence[str]
    matched: int


@dataclass(frozen=True)
class _Person:
    line: int
    values: Mapping[str, str]

    @property
    def label(self) -> str:
        return f"line {self.line} ({self.values['Student'] or self.values['ID']})"


def read_canvas_ids(
    data: bytes, members: Iterable[Membership], assignments: Sequence[Assignment]
) -> CanvasMatch:
    """Match the people and columns of a Canvas export. Raises CanvasFileError."""
    rows = _rows(data)
    header = [name.strip() for name in rows[0]]
    for name in ("Student", "ID", "Section"):
        if name not in header:
            raise CanvasFileError(
                f"The first line has no column “{name}”, so this is no gradebook export of Canvas."
            )
    people = list(_people(header, rows[1:]))
    found, problems = _match(people, list(members))
    columns, missing = _columns(header, assignments)
    return CanvasMatch(CanvasIds(found, columns), [*problems, *missing], len(found))


def _rows(data: bytes) -> list[list[str]]:
    if len(data) > MOST_BYTES:
        raise CanvasFileError(f"The file has {len(data)} bytes; at most {MOST_BYTES} are read.")
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise CanvasFileError(
            f"Byte {error.start + 1} is not UTF-8. Save the file as UTF-8 and choose it again."
        ) from error
    if "\0" in text:
        raise CanvasFileError("The file has NUL characters, so it is no CSV.")
    first = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=first.count)
    try:
        rows = list(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter, strict=True))
    except csv.Error as error:
        raise CanvasFileError(f"It is no CSV: {error}.") from error
    if not rows or not any(rows[0]):
        raise CanvasFileError("The file is empty.")
    if len(rows) > MOST_LINES:
        raise CanvasFileError(f"The file has {len(rows)} lines; at most {MOST_LINES} are read.")
    return rows


def _people(header: Sequence[str], rows: Iterable[Sequence[str]]) -> Iterable[_Person]:
    for line, row in enumerate(rows, start=2):
        values = dict(zip(header, (as_typed(one.strip()) for one in row), strict=False))
        person = {name: values.get(name, "") for name in NAMES}
        if person["Student"] in {"Points Possible", "Student, Test"} or not person["ID"]:
            continue  # lines of Canvas itself
        yield _Person(line, person)


def _keys_of(person: _Person) -> list[str]:
    sis, login = person.values["SIS User ID"], person.values["SIS Login ID"].lower()
    return [*([f"id {sis}"] if sis else []), *([f"login {login}"] if login else [])]


def _keys_of_member(member: Membership) -> list[str]:
    email = (member.email or (member.user.email if member.user else "")).lower()
    logins = {member.login_id.lower(), email, email.partition("@")[0]} - {""}
    own = [f"id {member.external_id}"] if member.external_id else []
    return [*own, *(f"login {one}" for one in sorted(logins))]


def _match(
    people: Sequence[_Person], members: Sequence[Membership]
) -> tuple[dict[int, Sequence[str]], list[str]]:
    theirs: dict[str, list[_Person]] = {}
    for person in people:
        for key in _keys_of(person):
            theirs.setdefault(key, []).append(person)
    claims: Counter[int] = Counter()
    found: dict[int, tuple[Membership, _Person]] = {}
    problems = []
    for member in members:
        named = {one.line: one for key in _keys_of_member(member) for one in theirs.get(key, ())}
        if not named:
            problems.append(f"{member.label} is not in the file of Canvas.")
        elif len(named) > 1:
            lines = ", ".join(one.label for one in named.values())
            problems.append(f"{member.label} could be {lines}: nobody was chosen.")
        else:
            (line,) = named
            claims[line] += 1
            found[member.pk] = (member, named[line])
    for pk, (member, person) in list(found.items()):
        if claims[person.line] > 1:
            problems.append(f"{member.label} and somebody else could be {person.label}.")
            del found[pk]
    ids: dict[int, Sequence[str]] = {
        pk: tuple(person.values[name] for name in NAMES[1:]) for pk, (_, person) in found.items()
    }
    return ids, problems


def _columns(
    header: Sequence[str], assignments: Sequence[Assignment]
) -> tuple[dict[int, str], list[str]]:
    by_title: dict[str, list[str]] = {}
    for name in header:
        known = HEADER_WITH_ID.match(name)
        if known is not None:
            by_title.setdefault(as_typed(known["title"]), []).append(as_typed(name))
    found, problems = {}, []
    for one, title in titled(assignments):
        named = by_title.get(title, [])
        if len(named) == 1:
            found[one.pk] = named[0]
        elif named:
            problems.append(f"Canvas has {len(named)} assignments “{title}”: none was chosen.")
        else:
            problems.append(f"Canvas has no assignment “{title}” yet; importing makes one.")
    return found, problems
