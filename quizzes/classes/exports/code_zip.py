"""The code of a class: one file for each member and assigned exercise, with an index."""

import io
import re
import zipfile
from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from itertools import islice

from quizzes.classes.dates import iso
from quizzes.classes.exports.csv_lines import COMMA, Cell, csv_lines
from quizzes.classes.exports.marks_csv import points_of
from quizzes.classes.marks.reader import learner_key, marks
from quizzes.classes.models import Assignment, Cohort, Membership
from quizzes.classes.rosters.identity import identities_of
from quizzes.exercises.models import Submission

AT_ONCE = 200
COUNTED, NEWEST = "counted", "newest"
HEADER = (
    "file",
    "email",
    "name",
    "external_id",
    "exercise",
    "submission",
    "submitted_at",
    "verdict",
    "points",
)


class _Pipe(io.RawIOBase):
    """What a ZipFile writes to, taken away piece by piece: it can seek nowhere."""

    def __init__(self) -> None:
        super().__init__()
        self._pieces: list[bytes] = []

    def writable(self) -> bool:
        return True

    def write(self, data: object) -> int:
        piece = bytes(data)  # type: ignore[call-overload]  # a buffer of ZipFile's
        self._pieces.append(piece)
        return len(piece)

    def take(self) -> bytes:
        found = b"".join(self._pieces)
        self._pieces.clear()
        return found


@dataclass(frozen=True)
class _Chosen:
    member: Membership
    assignment: Assignment
    submission: int
    points: Decimal | None


def code_zip(cohort: Cohort, which: str = COUNTED, separator: str = COMMA) -> Iterator[bytes]:
    """Yield a zip piece by piece: the submission that counts, or the newest one, of everybody.

    `separator` is that of the index.
    """
    chosen = list(_chosen(cohort, which))
    people = identities_of(cohort)
    pipe = _Pipe()
    index: list[tuple[Cell, ...]] = [HEADER]
    zone = cohort.zone
    with zipfile.ZipFile(pipe, "w", zipfile.ZIP_DEFLATED) as archive:
        rows = iter(chosen)
        while batch := list(islice(rows, AT_ONCE)):
            there = Submission.objects.defer("report").in_bulk([one.submission for one in batch])
            for one in batch:
                found = there.get(one.submission)
                if found is None:
                    continue
                name = _file_name(one)
                archive.writestr(name, found.code.encode())
                person = people[one.member.pk]
                index.append(
                    (
                        name,
                        person.email,
                        person.name or one.member.label,
                        person.external_id,
                        one.assignment.slug,
                        str(found.pk),
                        iso(found.submitted_at, zone),
                        found.verdict or "waiting",
                        one.points,
                    )
                )
            yield pipe.take()
        archive.writestr("index.csv", b"".join(csv_lines(index, separator)))
    yield pipe.take()


def _chosen(cohort: Cohort, which: str) -> Iterator[_Chosen]:
    newest = _newest(cohort) if which == NEWEST else {}
    for one in marks(cohort).members:
        for assignment, _, cell in one.cells:
            if assignment.exercise_id is None:
                continue
            counted = cell.would_be.work if cell.would_be else cell.work
            key = (
                newest.get((learner_key(one.membership), assignment.exercise_id))
                if which == NEWEST
                else counted.key
                if counted is not None
                else None
            )
            if key is not None:
                yield _Chosen(one.membership, assignment, key, points_of(cell))


def _newest(cohort: Cohort) -> dict[tuple[int | None, int], int]:
    """Return the newest Submit by learner and exercise. One query."""
    rows = Submission.objects.filter(
        kind=Submission.Kind.SUBMIT,
        learner__user__class_memberships__cohort=cohort,
        exercise_version__exercise__assignments__cohort=cohort,
    ).order_by("pk")
    found = rows.values_list("learner_id", "exercise_version__exercise_id", "pk")
    return {(learner, exercise): pk for learner, exercise, pk in found}


def _file_name(entry: _Chosen) -> str:
    """Return a name of plain letters, which is of this member alone."""
    who = re.sub(r"[^A-Za-z0-9]+", "-", entry.member.label).strip("-")[:40] or "member"
    return f"{entry.assignment.pk}-{entry.assignment.slug}/{who}-{entry.member.pk}.py"
