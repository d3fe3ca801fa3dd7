"""The table of marks as a file: plain, for the grade import of Moodle, or as Canvas takes it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from quizzes.classes.exports.csv_lines import Cell as Column
from quizzes.classes.marks.cells import ONE_DIGIT, Cell, State, at_two_digits
from quizzes.classes.marks.reader import Marks, MemberMarks
from quizzes.classes.models import Assignment
from quizzes.classes.rosters.identity import Identity

Rows = Iterator[Sequence[Column]]
People = Mapping[int, Identity]  # by the keys of members
POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it


def points_of(cell: Cell) -> Decimal | None:
    """Return the points of a cell as files have them, None for no mark."""
    return None if cell.value is None else Decimal(at_two_digits(cell.value))


def unique(names: Sequence[str]) -> list[str]:
    """Return names, those that come again with a number: two columns never share a name."""
    seen: Counter[str] = Counter()
    taken = set(names)
    found = []
    for name in names:
        seen[name] += 1
        made = name if seen[name] == 1 else f"{name} {seen[name]}"
        while seen[name] > 1 and made in taken:
            seen[name] += 1
            made = f"{name} {seen[name]}"
        taken.add(made)
        found.append(made)
    return found


def plain_rows(marks: Marks, people: People) -> Rows:
    """Yield a header and one line for each member, with points, sum and percent."""
    slugs = unique([one.slug for one in marks.assignments])
    columns = [
        f"{slug} ({at_two_digits(one.points)})"
        for slug, one in zip(slugs, marks.assignments, strict=True)
    ]
    yield ["email", "name", "external_id", "login_id", "section", *columns, "total", "percent"]
    for one in marks.members:
        person, total = people[one.membership.pk], one.total
        cells = [
            "excused" if cell.state == State.EXCUSED else points_of(cell)
            for _, _, cell in one.cells
        ]
        percent = None if total.percent is None else total.percent.quantize(ONE_DIGIT)
        keys = [person.external_id, person.login, person.section]
        who = [person.email, person.name or one.membership.label, *keys]
        yield [*who, *cells, Decimal(at_two_digits(total.earned)), percent]


def moodle_rows(marks: Marks, people: People) -> Rows:
    """Yield rows for Moodle's grade import: mapped by address, an empty cell changes nothing.

    People without an address are left out: Moodle could not tell whose line it is.
    """
    yield ["Email address", *unique([one.title for one in marks.assignments])]
    for one in marks.members:
        if email := people[one.membership.pk].email:
            yield [email, *(points_of(cell) for _, _, cell in one.cells)]


@dataclass(frozen=True)
class CanvasIds:
    """The ids that Canvas knows members and assignments by, from an export of its gradebook."""

    members: Mapping[int, Sequence[str]] = field(default_factory=dict)  # ID, SIS, login, section
    assignments: Mapping[int, str] = field(default_factory=dict)  # the header, with its id


def canvas_rows(marks: Marks, people: People, ids: CanvasIds) -> Rows:
    """Yield the rows of a file for the grade import of Canvas.

    Members that the uploaded export does not have are found by their ids of the school, and left
    out where they have none.
    """
    titles = unique([one.title for one in marks.assignments])
    headers = [
        ids.assignments.get(one.pk, title)
        for one, title in zip(marks.assignments, titles, strict=True)
    ]
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *headers]
    possible = [Decimal(at_two_digits(one.points)) for one in marks.assignments]
    yield [POINTS_POSSIBLE, "", "", "", "", *possible]
    for one in marks.members:
        person = people[one.membership.pk]
        own = ("", person.external_id, person.upload_login, person.section)
        known = ids.members.get(one.membership.pk) or (own if person.is_known else ())
        if known:
            yield [person.sortable, *known, *_canvas_cells(one)]


def _canvas_cells(member: MemberMarks) -> list[Column]:
    return ["EX" if cell.state == State.EXCUSED else points_of(cell) for _, _, cell in member.cells]


def titled(assignments: Sequence[Assignment]) -> list[tuple[Assignment, str]]:
    """Return assignments with the names that exports give their columns."""
    names = unique([one.title for one in assignments])
    return list(zip(assignments, names, strict=True))
