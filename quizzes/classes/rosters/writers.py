"""Rosters as files that we write: our own form, Moodle's upload of users, Canvas's gradebook.

What is written here and read by `reader` changes nothing of the class.
"""

from collections.abc import Iterable, Iterator

from quizzes.classes.exports.csv_lines import COMMA, csv_lines
from quizzes.classes.rosters.identity import Identity

FIELDS = ("email", "name", "external_id", "login_id", "section", "role")


def write_roster(people: Iterable[Identity], form: str, separator: str = COMMA) -> Iterator[bytes]:
    """Return the lines of a roster: plain, as Moodle's upload_users or as Canvas's gradebook.

    People whom nothing names are left out.
    """
    known = [person for person in people if person.is_known]
    known.sort(key=lambda person: (person.sortable, person.upload_login, person.external_id))
    return csv_lines(WRITERS[form](known), separator)


def _plain(people: Iterable[Identity]) -> Iterator[list[str]]:
    yield list(FIELDS)
    for one in people:
        yield [one.email, one.name, one.external_id, one.login, one.section, one.role]


def _moodle(people: Iterable[Identity]) -> Iterator[list[str]]:
    yield ["username", "email", "firstname", "lastname", "idnumber", "group1"]
    for one in people:
        names = [one.given_name, one.family_name]
        yield [one.upload_login, one.email, *names, one.external_id, one.section]


def _canvas(people: Iterable[Identity]) -> Iterator[list[str]]:
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    yield ["    Points Possible", "", "", "", ""]
    for one in people:
        yield [one.sortable, "", one.external_id, one.upload_login, one.section]


WRITERS = {"plain": _plain, "moodle": _moodle, "canvas": _canvas}
