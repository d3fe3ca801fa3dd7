"""All answers given in the assigned quizzes of a class, one line for each question asked."""

from collections.abc import Iterator, Sequence
from itertools import islice

from quizzes.assessment.models import Option, Response
from quizzes.classes.dates import iso
from quizzes.classes.exports.csv_lines import Cell
from quizzes.classes.exports.marks_csv import address_of
from quizzes.classes.marks.reader import assignments_of, learner_key, students
from quizzes.classes.models import Cohort

AT_ONCE = 2000
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
    """Return a header and one line for each response; rows are read as they are sent."""
    yield HEADER
    assigned = {one.sitting: one for one in assignments_of(cohort) if one.quiz_id}
    people = {
        key: one
        for one in students(cohort).select_related("user__learner")
        if (key := learner_key(one)) is not None
    }
    rows = (
        Response.objects.filter(attempt__sitting__in=assigned, attempt__learner__in=people)
        .select_related("attempt", "version__question", "instance", "choice")
        .defer("version__prompt", "version__generator", "version__answer", "choice__picture")
        .order_by("attempt__sitting", "attempt__learner", "attempt", "order")
        .iterator(chunk_size=AT_ONCE)
    )
    zone = cohort.zone
    while batch := list(islice(rows, AT_ONCE)):
        chosen = {pk for one in batch for pk in one.choices or ()}
        texts = dict(Option.objects.filter(pk__in=chosen).values_list("pk", "text"))
        for one in batch:
            attempt = one.attempt
            assert attempt is not None
            member, assignment = people[attempt.learner_id], assigned[attempt.sitting]
            yield (
                address_of(member),
                member.label,
                member.external_id,
                assignment.pk,
                assignment.slug,
                attempt.pk,
                one.version.question.slug,
                one.version.number,
                "" if one.instance is None else one.instance.seed,
                _answer(one, texts),
                "" if one.is_right is None else "yes" if one.is_right else "no",
                "" if one.score is None else f"{one.score:.5f}",
                f"{one.points:.2f}",
                "yes" if one.is_dropped else "no",
                iso(attempt.started_at, zone),
                iso(one.answered_at, zone),
                iso(attempt.submitted_at or attempt.deadline_at, zone),
            )


def _answer(one: Response, texts: dict[int, str]) -> str:
    if one.choice is not None:
        return one.choice.text
    if one.choices:
        return " | ".join(texts.get(pk, str(pk)) for pk in one.choices)
    return one.text
