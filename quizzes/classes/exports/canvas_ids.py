"""The ids of an uploaded Canvas gradebook export, matched to a class and its assignments.

A key that names two people, on either side, is left to a person: nobody gets another's marks.
"""

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from quizzes.classes.exports.csv_lines import as_typed
from quizzes.classes.exports.marks_csv import CanvasIds, titled
from quizzes.classes.models import Assignment, Membership
from quizzes.classes.rosters.identity import Identity
from quizzes.classes.rosters.table import Row, TableError, read_table

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
    data: bytes,
    members: Iterable[Membership],
    identities: Mapping[int, Identity],
    assignments: Sequence[Assignment],
) -> CanvasMatch:
    """Match the people and columns of a Canvas export. Raises CanvasFileError."""
    rows = _rows(data)
    header = [name.strip() for name in rows[0][1]]
    for name in ("Student", "ID", "Section"):
        if name not in header:
            raise CanvasFileError(
                f"The first line has no column “{name}”, so this is not a Canvas gradebook."
            )
    people = list(_people(header, rows[1:]))
    found, problems = _match(people, list(members), identities)
    columns, missing = _columns(header, assignments)
    return CanvasMatch(CanvasIds(found, columns), [*problems, *missing], len(found))


def _rows(data: bytes) -> Sequence[Row]:
    try:
        return read_table(data, NAMES.__contains__).rows
    except TableError as error:
        words = str(error)
        at = f"Line {error.line}: {words}" if error.line else words[:1].upper() + words[1:]
        raise CanvasFileError(f"{at}.") from error


def _people(header: Sequence[str], rows: Iterable[Row]) -> Iterable[_Person]:
    for line, row in rows:
        values = dict(zip(header, (as_typed(one.strip()) for one in row), strict=False))
        person = {name: values.get(name, "") for name in NAMES}
        if person["Student"] in {"Points Possible", "Student, Test"} or not person["ID"]:
            continue  # lines of Canvas itself
        yield _Person(line, person)


def _keys_of(person: _Person) -> list[str]:
    sis, login = person.values["SIS User ID"], person.values["SIS Login ID"].lower()
    return [*([f"id {sis}"] if sis else []), *([f"login {login}"] if login else [])]


def _keys_of_member(person: Identity) -> list[str]:
    logins = {person.login.lower(), person.email, person.email.partition("@")[0]} - {""}
    own = [f"id {person.external_id}"] if person.external_id else []
    return [*own, *(f"login {one}" for one in sorted(logins))]


def _match(
    people: Sequence[_Person], members: Sequence[Membership], identities: Mapping[int, Identity]
) -> tuple[dict[int, Sequence[str]], list[str]]:
    theirs: dict[str, list[_Person]] = {}
    for person in people:
        for key in _keys_of(person):
            theirs.setdefault(key, []).append(person)
    claims: Counter[int] = Counter()
    found: dict[int, tuple[Membership, _Person]] = {}
    problems = []
    for member in members:
        keys = _keys_of_member(identities[member.pk])
        named = {one.line: one for key in keys for one in theirs.get(key, ())}
        if not named:
            problems.append(f"{member.label} is not in the Canvas file.")
        elif len(named) > 1:
            lines = ", ".join(one.label for one in named.values())
            problems.append(f"{member.label} could be any of these: {lines}. None was chosen.")
        else:
            (line,) = named
            claims[line] += 1
            found[member.pk] = (member, named[line])
    for pk, (member, person) in list(found.items()):
        if claims[person.line] > 1:
            problems.append(f"{member.label} and another member could both be {person.label}.")
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
            problems.append(
                f"Canvas has {len(named)} assignments called “{title}”, so none was chosen."
            )
        else:
            problems.append(f"Canvas has no assignment “{title}” yet; the import will create it.")
    return found, problems
