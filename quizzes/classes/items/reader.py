"""The items of a quiz as a class answered them: seven queries, however large it is.

Two more where a question was regraded.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

import numpy as np
from django.db.models import QuerySet
from django.db.models.functions import Coalesce
from django.utils import timezone

from quizzes.assessment.corrections.keys import AnsweredVersion, CorrectedKey, corrected_keys
from quizzes.assessment.models import Option, QuestionVersion, Quiz, Response
from quizzes.assessment.models.attempts import AttemptQuerySet
from quizzes.classes.access import attempts_seen, students_of
from quizzes.classes.items.answers import (
    AnswerRow,
    ResponseFacts,
    answer_rows,
    better_half,
    right_options,
)
from quizzes.classes.items.flags import ENOUGH, Flag, flags_of
from quizzes.classes.items.statistics import (
    ItemStatistics,
    TestStatistics,
    item_statistics,
    test_statistics,
)
from quizzes.classes.models import Assignment, Cohort

Kind = QuestionVersion.Kind
COLUMNS = (
    "attempt_id",
    "version_id",
    "choice_id",
    "choices",
    "number",
    "text",
    "is_right",
    "answered_at",
    "points",
    "score",
)


class Which(StrEnum):
    """Which attempts of each student count."""

    FIRST = "first"
    LAST = "last"
    BEST = "best"
    ALL = "all"


@dataclass(frozen=True)
class Item:
    """One version of a question, as the chosen attempts answered it."""

    version: QuestionVersion
    figures: ItemStatistics
    rows: Sequence[AnswerRow]
    flags: Sequence[Flag]

    @property
    def slug(self) -> str:
        return self.version.question.slug

    @property
    def is_current(self) -> bool:
        """Return whether it is what is asked now."""
        return self.version.question.current_id == self.version.pk

    @property
    def is_thin(self) -> bool:
        """Return whether too few attempts met it for its figures to tell anything."""
        return self.figures.n < ENOUGH


@dataclass(frozen=True)
class QuizItems:
    """All of a quiz: every version that was asked, and the quiz as a whole."""

    quiz: Quiz
    items: Sequence[Item]
    whole: TestStatistics
    students: int
    attempts: int

    @property
    def flagged(self) -> Sequence[Item]:
        return [one for one in self.items if one.flags]


def taken_quizzes(cohort: Cohort) -> QuerySet[Quiz]:
    """Return the quizzes of which staff of the class see an attempt that was submitted."""
    taken = attempts_seen(cohort).handed_in(timezone.now())
    return Quiz.objects.filter(pk__in=taken.values("quiz")).order_by("title", "pk")


def attempts_at(cohort: Cohort, quiz: Quiz, section: str = "") -> AttemptQuerySet:
    """Return the submitted attempts of students at a quiz, or at its assignments if it has any."""
    sittings = [
        one.sitting
        for one in Assignment.objects.filter(cohort=cohort, quiz=quiz).order_by().only("pk")
    ]
    rows = attempts_seen(cohort).handed_in(timezone.now())
    rows = rows.filter(quiz=quiz, learner__in=students_of(cohort, section).values("pk"))
    return rows.filter(sitting__in=sittings) if sittings else rows


def read_items(
    cohort: Cohort, quiz: Quiz, *, section: str = "", which: Which = Which.FIRST
) -> QuizItems:
    """Return the figures of every version that was asked, with its table of answers."""
    chosen = attempts_at(cohort, quiz, section)
    order = chosen.annotate(end=Coalesce("submitted_at", "deadline_at")).order_by("end", "pk")
    ends = {
        attempt: (learner, sitting, end)
        for attempt, learner, sitting, end in order.values_list("pk", "learner", "sitting", "end")
    }
    learners = {attempt: learner for attempt, (learner, _, _) in ends.items()}
    given = [one for one in _responses(chosen) if one.attempt in learners]
    kept = _kept(learners, given, which)
    given = [one for one in given if one.attempt in kept]
    versions = _versions(quiz, {one.version for one in given})
    options: dict[int, list[Option]] = defaultdict(list)
    rows = Option.objects.filter(version__in=[one.pk for one in versions], instance=None)
    for option in rows.order_by("version", "order"):
        options[option.version_id].append(option)
    keys = corrected_keys({AnsweredVersion(one.version, *ends[one.attempt][1:]) for one in given})
    return QuizItems(
        quiz=quiz,
        items=_items(versions, options, given, keys),
        whole=_whole(versions, given),
        students=len({learners[one] for one in kept}),
        attempts=len(kept),
    )


def _responses(attempts: AttemptQuerySet) -> list[ResponseFacts]:
    rows = Response.objects.filter(attempt__in=attempts.values("pk"), is_dropped=False).order_by()
    return [
        ResponseFacts(
            attempt=row["attempt_id"],
            version=row["version_id"],
            choice=row["choice_id"],
            choices=row["choices"],
            number=row["number"],
            text=row["text"],
            is_right=row["is_right"],
            is_answered=row["answered_at"] is not None,
            points=float(row["points"]),
            earned=float(row["points"] * row["score"]) if row["score"] is not None else 0.0,
        )
        for row in rows.values(*COLUMNS)
    ]


def _kept(
    learners: Mapping[int, int], responses: Iterable[ResponseFacts], which: Which
) -> set[int]:
    """Return the attempts that count; `learners` has them in the order of their hand-in."""
    if which is Which.ALL:
        return set(learners)
    if which is Which.LAST:
        return set({learner: attempt for attempt, learner in learners.items()}.values())
    share: dict[int, float] = dict.fromkeys(learners, 0.0)
    if which is Which.BEST:
        earned: dict[int, float] = defaultdict(float)
        possible: dict[int, float] = defaultdict(float)
        for response in responses:
            earned[response.attempt] += response.earned
            possible[response.attempt] += response.points
        share |= {attempt: earned[attempt] / points for attempt, points in possible.items()}
    kept: dict[int, int] = {}
    for attempt, learner in learners.items():
        if learner not in kept or share[attempt] > share[kept[learner]] + 1e-12:
            kept[learner] = attempt
    return set(kept.values())


def _versions(quiz: Quiz, keys: set[int]) -> list[QuestionVersion]:
    """Return versions in the order of the quiz, those of one question together, newest first."""
    places = dict(quiz.places.values_list("question", "order"))
    found = QuestionVersion.objects.filter(pk__in=keys).select_related("question")
    last = len(places) + 1

    def place(version: QuestionVersion) -> tuple[int, str, int]:
        return places.get(version.question_id, last), version.question.slug, -version.number

    return sorted(found, key=place)


def _table(
    responses: Iterable[ResponseFacts], columns: Mapping[int, int]
) -> tuple[dict[int, int], np.ndarray, np.ndarray]:
    """Return the row of each attempt, and tables of marks and of possible points."""
    responses = list(responses)
    rows = {
        attempt: row
        for row, attempt in enumerate(sorted({response.attempt for response in responses}))
    }
    marks = np.full((len(rows), len(set(columns.values()))), np.nan)
    most = marks.copy()
    for response in responses:
        at = rows[response.attempt], columns[response.version]
        marks[at], most[at] = response.earned, response.points
    return rows, marks, most


def _items(
    versions: Sequence[QuestionVersion],
    options: Mapping[int, list[Option]],
    responses: Sequence[ResponseFacts],
    keys: Mapping[int, CorrectedKey],
) -> list[Item]:
    if not versions:
        return []
    rows, marks, most = _table(responses, {one.pk: column for column, one in enumerate(versions)})
    guesses = [guess_of(one, options.get(one.pk, ()), keys.get(one.pk)) for one in versions]
    totals, possible = np.nansum(marks, axis=1), np.nansum(most, axis=1)
    by_version: dict[int, list[ResponseFacts]] = defaultdict(list)
    for one in responses:
        by_version[one.version].append(one)
    found = []
    for version, figures in zip(versions, item_statistics(marks, most, guesses), strict=True):
        answers = by_version[version.pk]
        rests = []
        for one in answers:
            row = rows[one.attempt]
            left = possible[row] - one.points
            rests.append(float((totals[row] - one.earned) / left) if left > 1e-9 else 0.0)
        offered, key = options.get(version.pk, ()), keys.get(version.pk)
        table = answer_rows(version, offered, answers, better_half(rests), key)
        found.append(Item(version, figures, table, flags_of(figures, table)))
    return found


def _whole(
    versions: Sequence[QuestionVersion], responses: Sequence[ResponseFacts]
) -> TestStatistics:
    """Return the figures of the quiz; all versions of a question are one column here."""
    questions = {one: column for column, one in enumerate({v.question_id: 0 for v in versions})}
    _, marks, most = _table(responses, {one.pk: questions[one.question_id] for one in versions})
    return test_statistics(marks, most)


def guess_of(
    version: QuestionVersion, options: Sequence[Option], key: CorrectedKey | None = None
) -> float | None:
    """Return the share that pure guessing earns; None where no share can be said.

    As in Moodle: of one right option, one in so many; of a number or a text nothing; of several
    right options, and of options drawn for each learner, it is not said.
    """
    if version.kind in {Kind.NUMERIC, Kind.TEXT}:
        return 0.0
    if version.kind != Kind.SINGLE or not options:
        return None
    return len(right_options(options, key)) / len(options)
