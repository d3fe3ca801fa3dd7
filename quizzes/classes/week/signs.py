"""The times students made a known mistake and the times they got it right, read from their work.

Concerned is a student who submitted code with the mistake, or chose an answer that carries it. A
student is over it who later solved the exercise, or later answered right a question that offers the
mistake. A Check is no sign: it is for trying out.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import (
    BigIntegerField,
    CharField,
    F,
    Q,
    QuerySet,
    Value,
)
from django.utils import timezone

from quizzes.assessment.models import Option, QuestionVersion, Response
from quizzes.assessment.numeric_answer import answer_from_json, plain
from quizzes.classes.access import attempts_seen, students_of, submissions_seen
from quizzes.classes.models import Cohort, Membership
from quizzes.courses.models import Course, OldName
from quizzes.exercises.models import Submission

CORRECT, OTHER_CONVENTION = "correct", "correct_other_convention"
Key = tuple[str, str | int]  # ("exercise", its name) or ("question", its key)


class SubmissionRow(NamedTuple):
    """One submission to an exercise, graded or failed on our side."""

    pk: int
    learner: int
    exercise: str
    title: str
    verdict: str
    mistake: str
    passed: int | None  # cases
    our_failure: str
    at: datetime
    fingerprint: str = ""  # of wrong results without a name


class Sign(NamedTuple):
    """One time that one student made one mistake."""

    learner: int
    at: datetime
    submission: int | None  # its key, None for an answer
    question: str  # its name, "" for code
    text: str  # what was chosen or typed, "" for code
    reason: str  # what the question says to it


@dataclass
class Signs:
    """All of a class since a time: by mistake its signs, and what was got right, each time.

    `sent` has every submission, in the order of time.
    """

    sent: list[SubmissionRow] = field(default_factory=list)
    made: dict[str, list[Sign]] = field(default_factory=lambda: defaultdict(list))
    right: dict[tuple[int, Key], list[datetime]] = field(default_factory=lambda: defaultdict(list))
    offers: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))

    def note_right(self, learner: int, key: Key, at: datetime) -> None:
        self.right[learner, key].append(at)

    def is_over(
        self, name: str, learner: int, since: datetime, until: datetime | None = None
    ) -> bool:
        """Return whether a student got right, after a time, what shows this mistake.

        `until`: and before that time.
        """
        exercise: Key = ("exercise", name.partition("/")[0])
        keys = [exercise, *(("question", question) for question in self.offers.get(name, ()))]
        times = (at for key in keys for at in self.right.get((learner, key), ()))
        return any(since < at and (until is None or at < until) for at in times)


def read_signs(cohort: Cohort, members: Mapping[int, Membership], since: datetime) -> Signs:
    """Return the signs of the class's work since a time. `members`: its students, by learner.

    Four queries, one more where several options were chosen.
    """
    found = Signs()
    _read_code(found, cohort, members, since)
    _read_answers(found, cohort, members, since)
    return found


def _read_code(
    signs: Signs, cohort: Cohort, members: Mapping[int, Membership], since: datetime
) -> None:
    rows = submissions_seen(cohort).filter(
        kind=Submission.Kind.SUBMIT,
        submitted_at__gte=since,
        graded_at__isnull=False,
    )
    for one in rows.order_by("submitted_at", "pk").values_list(
        "pk",
        "learner_id",
        "exercise_version__exercise__slug",
        "exercise_version__title",
        "verdict",
        "known_mistake",
        "cases_passed",
        "our_failure",
        "submitted_at",
        "fingerprint",
    ):
        row = SubmissionRow._make(one)
        if row.learner not in members:
            continue
        signs.sent.append(row)
        if row.verdict == CORRECT:
            signs.note_right(row.learner, ("exercise", row.exercise), row.at)
        elif row.mistake and row.verdict != OTHER_CONVENTION:
            sign = Sign(row.learner, row.at, row.pk, "", "", "")
            signs.made[f"{row.exercise}/{row.mistake}"].append(sign)


# ---- answers

COLUMNS = (
    "pk",
    "who",
    "version__question_id",
    "version__question__slug",
    "version__kind",
    "choice__mistake",
    "choice__text",
    "choice__reason",
    "choices",
    "number",
    "version__answer",
    "instance__answer",
    "answered_at",
)


class _Answer(NamedTuple):
    pk: int
    learner: int
    question: int
    slug: str
    kind: str
    mistake: str | None
    text: str | None
    reason: str | None
    choices: list[int] | None
    number: float | None
    answer: Any
    instance_answer: Any
    at: datetime


def _read_answers(
    signs: Signs, cohort: Cohort, members: Mapping[int, Membership], since: datetime
) -> None:
    rows = [
        one
        for one in map(_Answer._make, _wrong_answers(cohort, since))
        if one.learner in members and _since_joining(members[one.learner], one.at)
    ]
    several = {pk for one in rows for pk in one.choices or ()}
    options = Option.objects.in_bulk(several) if several else {}
    chosen: list[tuple[_Answer, str, str, str]] = []
    for one in rows:
        name, text, reason = _mistake_in(one, options)
        if name:
            chosen.append((one, name, text, reason))
    offered, renamed = _offered(cohort.course, {*signs.made, *(name for _, name, *_ in chosen)})
    for one, old, text, reason in chosen:
        name = _now(old, renamed)
        signs.offers[name].add(one.question)
        signs.made[name].append(Sign(one.learner, one.at, None, one.slug, text, reason))
    for name, question in offered:
        signs.offers[_now(name, renamed)].add(question)
    for made in signs.made.values():
        made.sort(key=lambda sign: sign.at)
    asked = {question for questions in signs.offers.values() for question in questions}
    for learner, question, at in _right_answers(cohort, since, asked) if asked else ():
        if learner in members and _since_joining(members[learner], at):
            signs.note_right(learner, ("question", question), at)


def _wrong_answers(cohort: Cohort, since: datetime) -> QuerySet[Response, Any]:
    """Return the wrong answers that may carry a mistake."""
    carries = ~Q(choice__mistake="") & Q(choice__isnull=False)
    telling = carries | Q(choices__isnull=False) | Q(number__isnull=False)
    taken, alone = (
        rows.filter(telling).exclude(is_right=True) for rows in _answered(cohort, since)
    )
    return (
        taken.annotate(who=F("attempt__learner"))
        .values_list(*COLUMNS)
        .union(alone.annotate(who=F("learner")).values_list(*COLUMNS), all=True)
    )


def _right_answers(
    cohort: Cohort, since: datetime, questions: Collection[int]
) -> QuerySet[Response, Any]:
    """Return who answered one of these questions right, which, and when, each time.

    Only these are read: of a class most answers are right, and most have no mistake to get over.
    """
    right = Q(is_right=True, version__question__in=questions)
    taken, alone = (rows.filter(right) for rows in _answered(cohort, since))
    columns = ("who", "version__question_id", "answered_at")
    return (
        taken.annotate(who=F("attempt__learner"))
        .values_list(*columns)
        .union(alone.annotate(who=F("learner")).values_list(*columns), all=True)
    )


def _answered(
    cohort: Cohort, since: datetime
) -> tuple[QuerySet[Response, Any], QuerySet[Response, Any]]:
    """Return the answers of students in attempts that are over, and those beside attempts."""
    here = Response.objects.filter(
        is_dropped=False, answered_at__gte=since, version__question__course=cohort.course_id
    ).order_by()
    students = students_of(cohort)
    over = attempts_seen(cohort).handed_in(timezone.now())
    taken = here.filter(attempt__learner__in=students, attempt__in=over.values("pk"))
    alone = here.filter(learner__in=students, attempt=None)
    return taken, alone


def _since_joining(member: Membership, at: datetime) -> bool:
    return member.joined_at is not None and member.joined_at <= at


def _mistake_in(answer: _Answer, options: Mapping[int, Option]) -> tuple[str, str, str]:
    """Return the known mistake of a wrong answer, what was answered, and what is said to it."""
    if answer.mistake:
        return answer.mistake, answer.text or "", answer.reason or ""
    for chosen in answer.choices or ():
        option = options.get(chosen)
        if option is not None and option.mistake and not option.is_key:
            return option.mistake, option.text, option.reason
    stored = answer.instance_answer or answer.answer
    if answer.number is None or not stored or answer.kind != QuestionVersion.Kind.NUMERIC:
        return "", "", ""
    miss = answer_from_json(stored).near_miss(answer.number)
    return (miss.mistake, plain(answer.number), miss.reason) if miss else ("", "", "")


def _offered(
    course: Course, names: Collection[str]
) -> tuple[list[tuple[str, int]], Mapping[str, str]]:
    """Return which questions offer an option with one of these mistakes, by what it calls it.

    And the names of exercises by those from before, which old questions still bear. One query.
    """
    options = Option.objects.filter(
        Q(mistake__in=list(names)) | _ends_like(names), version__question__course=course
    )
    number = Value(0, output_field=BigIntegerField())
    text = Value("", output_field=CharField())
    offering = options.annotate(new=text).order_by()
    renamed = course.old_names.filter(kind=OldName.Kind.EXERCISE).annotate(question=number)
    rows = list(
        offering.values_list("mistake", "new", "version__question_id").union(
            renamed.order_by().values_list("old", "new", "question")
        )
    )
    return (
        [(name, question) for name, _, question in rows if question],
        {old: new for old, new, question in rows if not question},
    )


def _ends_like(names: Collection[str]) -> Q:
    """Hold for the same mistakes under another name of their exercise."""
    found = Q(pk__in=[])
    for slug in {name.partition("/")[2] for name in names}:
        found |= Q(mistake__endswith=f"/{slug}")
    return found


def _now(name: str, renamed: Mapping[str, str]) -> str:
    exercise, _, slug = name.partition("/")
    return f"{renamed.get(exercise, exercise)}/{slug}"
