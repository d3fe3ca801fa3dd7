"""All answers given in the assigned quizzes of a class, one line for each question asked."""

from collections.abc import Iterator, Sequence
from datetime import datetime
from decimal import Decimal
from typing import NamedTuple

from django.utils import timezone

from quizzes.assessment.models import Attempt, Option, QuestionVersion, Response
from quizzes.classes.dates import iso
from quizzes.classes.exports.csv_lines import Cell
from quizzes.classes.marks.reader import assignments_of, learner_key, students
from quizzes.classes.models import Cohort
from quizzes.classes.rosters.identity import identities_of
from quizzes.classes.rules import GRACE

ATTEMPTS_AT_ONCE = 200  # read by their keys: a cursor of the server would outlive its transaction
COLUMNS = (
    "attempt__sitting",
    "attempt__learner",
    "attempt",
    "attempt__started_at",
    "attempt__submitted_at",
    "attempt__deadline_at",
    "version",
    "instance__seed",
    "choice",
    "choices",
    "text",
    "is_right",
    "score",
    "points",
    "is_dropped",
    "answered_at",
)


class _Row(NamedTuple):
    """A response, as plain values: objects of models take three times as long."""

    sitting: int
    learner: int
    attempt: int
    started_at: datetime
    submitted_at: datetime | None
    deadline_at: datetime | None
    version: int
    seed: int | None
    choice: int | None
    choices: list[int] | None
    text: str
    is_right: bool | None
    score: Decimal | None
    points: Decimal
    is_dropped: bool
    answered_at: datetime | None


HEADER = (
    "email",
    "name",
    "external_id",
    "assignment",
    "quiz",
    "attempt",
    "question",
    "version",
    "seed",
    "answer",
    "right",
    "score",
    "points",
    "dropped",
    "started_at",
    "answered_at",
    "submitted_at",
)


def response_rows(cohort: Cohort) -> Iterator[Sequence[Cell]]:
    """Yield a header and one line for each response; rows are read as they are sent.

    Only the keys of all attempts are held at once.
    """
    yield HEADER
    assigned = {
        assignment.sitting: assignment
        for assignment in assignments_of(cohort)
        if assignment.quiz_id
    }
    identities = identities_of(cohort)
    people = {
        key: student
        for student in students(cohort).select_related("user__learner")
        if (key := learner_key(student)) is not None
    }
    attempts = Attempt.objects.filter(sitting__in=assigned, learner__in=people)
    keys = list(attempts.order_by("sitting", "learner", "pk").values_list("pk", flat=True))
    zone, now = cohort.zone, timezone.now()
    versions: dict[int, tuple[str, int]] = {}
    texts: dict[int, str] = {}
    for place in range(0, len(keys), ATTEMPTS_AT_ONCE):
        batch = _rows_of(keys[place : place + ATTEMPTS_AT_ONCE])
        _look_up(batch, versions, texts)
        for one in batch:
            member, assignment = people[one.learner], assigned[one.sitting]
            person = identities[member.pk]
            yield (
                person.email,
                person.name or member.label,
                person.external_id,
                assignment.pk,
                assignment.slug,
                one.attempt,
                *versions[one.version],
                one.seed,
                _answer(one, texts),
                "" if one.is_right is None else "yes" if one.is_right else "no",
                None if one.score is None else Decimal(f"{one.score:.5f}"),
                Decimal(f"{one.points:.2f}"),
                "yes" if one.is_dropped else "no",
                iso(one.started_at, zone),
                iso(one.answered_at, zone),
                iso(_handed_in_at(one, now), zone),
            )


def _rows_of(attempts: Sequence[int]) -> list[_Row]:
    rows = Response.objects.filter(attempt__in=attempts)
    ordered = rows.order_by("attempt__sitting", "attempt__learner", "attempt_id", "order")
    return [_Row(*one) for one in ordered.values_list(*COLUMNS)]


def _look_up(
    batch: Sequence[_Row], versions: dict[int, tuple[str, int]], texts: dict[int, str]
) -> None:
    """Add what is not known yet of these rows: two queries at most. There are few of each."""
    new = {one.version for one in batch} - versions.keys()
    if new:
        rows = QuestionVersion.objects.filter(pk__in=new)
        found = rows.values_list("pk", "question__slug", "number")
        versions.update({pk: (slug, number) for pk, slug, number in found})
    chosen = {pk for one in batch for pk in (one.choice, *(one.choices or ())) if pk is not None}
    unknown = chosen - texts.keys()
    if unknown:
        texts.update(Option.objects.filter(pk__in=unknown).values_list("pk", "text"))


def _handed_in_at(row: _Row, now: datetime) -> datetime | None:
    """Return when an attempt was submitted, also by the clock alone; None while it is open."""
    over = row.deadline_at is not None and row.deadline_at + GRACE < now
    return row.submitted_at or (row.deadline_at if over else None)


def _answer(row: _Row, texts: dict[int, str]) -> str:
    if row.choice is not None:
        return texts[row.choice]
    if row.choices:
        return " | ".join(texts.get(pk, str(pk)) for pk in row.choices)
    return row.text
