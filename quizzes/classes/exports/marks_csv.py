"""The table of marks as a file: plain, for the grade import of Moodle, or as Canvas takes it."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from decimal import Decimal

from quizzes.classes.exports.csv_lines import Cell as Column
from quizzes.classes.marks.cells import ONE_DIGIT, Cell, State, at_two_digits
from quizzes.classes.marks.reader import Marks, MemberMarks
from quizzes.classes.models import Assignment, Membership

Rows = Iterator[Sequence[Column]]
POINTS_POSSIBLE = "    Points Possible"  # as Canvas writes it


def address_of(member: Membership) -> str:
    """Return the address of a member: the roster's, else the account's."""
    return member.email or (member.user.email if member.user else "")


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


def plain_rows(found: Marks) -> Rows:
    """Yield a header and one line for each member, with points, sum and percent."""
    slugs = unique([one.slug for one in found.assignments])
    columns = [
        f"{slug} ({at_two_digits(one.points)})"
        for slug, one in zip(slugs, found.assignments, strict=True)
    ]
    yield ["email", "name", "external_id", "section", *columns, "total", "percent"]
    for one in found.members:
        member, total = one.membership, one.total
        cells = [
            "excused" if cell.state == State.EXCUSED else points_of(cell)
            for _, _, cell in one.cells
        ]
        percent = None if total.percent is None else total.percent.quantize(ONE_DIGIT)
        who = [address_of(member), member.label, member.external_id, member.section]
        yield [*who, *cells, Decimal(at_two_digits(total.earned)), percent]


def moodle_rows(found: Marks) -> Rows:
    """Yield rows for Moodle's grade import: mapped by address, an empty cell changes nothing."""
    yield ["Email address", *unique([one.title for one in found.assignments])]
    for one in found.members:
        yield [address_of(one.membership), *(points_of(cell) for _, _, cell in one.cells)]


@dataclass(frozen=True)
class CanvasIds:
    """The ids that Canvas knows members and assignments by, from an export of its gradebook."""

    members: Mapping[int, Sequence[str]] = field(default_factory=dict)  # ID, SIS, login, section
    assignments: Mapping[int, str] = field(default_factory=dict)  # the header, with its id


def canvas_rows(found: Marks, ids: CanvasIds) -> Rows:
    """Yield the rows of a file for the grade import of Canvas.

    Members that the uploaded export does not have are found by their ids of the school.
    """
    titles = unique([one.title for one in found.assignments])
    headers = [
        ids.assignments.get(one.pk, title)
        for one, title in zip(found.assignments, titles, strict=True)
    ]
    yield ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", *headers]
    possible = [Decimal(at_two_digits(one.points)) for one in found.assignments]
    yield [POINTS_POSSIBLE, "", "", "", "", *possible]
    for one in found.members:
        yield [*_canvas_person(one.membership, ids), *_canvas_cells(one)]


def _canvas_person(member: Membership, ids: CanvasIds) -> list[str]:
    known = ids.members.get(member.pk)
    own = known or ("", member.external_id, member.login_id, member.section)
    return [member.label, *own]


def _canvas_cells(one: MemberMarks) -> list[Column]:
    return ["EX" if cell.state == State.EXCUSED else points_of(cell) for _, _, cell in one.cells]


def titled(assignments: Sequence[Assignment]) -> list[tuple[Assignment, str]]:
    """Return assignments with the names that exports give their columns."""
    names = unique([one.title for one in assignments])
    return list(zip(assignments, names, strict=True))
