"""What staff of a class do about a known mistake. Each reaches exactly those whom it concerns."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from django.db import transaction

from quizzes.assessment.models import Option, Question
from quizzes.classes.log import record_for_class
from quizzes.classes.marks.cells import ZERO, State
from quizzes.classes.marks.reader import MemberMarks, marks
from quizzes.classes.messages import announce
from quizzes.classes.models import Cohort, Deed, Membership
from quizzes.classes.week.calendar import Week
from quizzes.classes.week.known_mistakes import mistake_facts
from quizzes.classes.week.reader import MistakeRow, ThisWeek, deeds_about
from quizzes.courses.log_subjects import Kind as SubjectKind
from quizzes.courses.log_subjects import Subject
from quizzes.learners.models import ReviewCard, User
from quizzes.learners.services import note_missed

Kind = Deed.Kind
UNDONE = "mistake right undone"
# What the log has of each act, and how pages say it.
ACTS = {
    f"mistake {Kind.TELL}": "messaged those whom a mistake concerns",
    f"mistake {Kind.ASK}": "had a mistake asked again",
    f"mistake {Kind.MEND}": "went to edit the step of a mistake",
    f"mistake {Kind.RIGHT}": "said that it is not a mistake",
    UNDONE: "took back that it is not a mistake",
}
# Older versions wrote words into the log, whose entries never change. Words of today are no key.
OLD_ACTS = {
    "told those whom a mistake concerns": ACTS[f"mistake {Kind.TELL}"],
    "went to mend the step of a mistake": ACTS[f"mistake {Kind.MEND}"],
    "said that a mistake is none": ACTS[f"mistake {Kind.RIGHT}"],
    "took back that a mistake is none": ACTS[UNDONE],
}


def act_in_words(act: str) -> str:
    """Return what a log entry says of an act; other rooms write theirs as words."""
    return ACTS.get(act) or OLD_ACTS.get(act, act)


class DeedError(Exception):
    """It was not done; the message says why."""


@transaction.atomic
def do_about(
    *,
    cohort: Cohort,
    row: MistakeRow,
    week: Week,
    members: Mapping[int, Membership],
    kind: Deed.Kind,
    by: User,
    seen: int | None,
    title: str = "",
    text: str = "",
) -> Deed:
    """Record a deed about a mistake, for the members whom it concerned in the week of the row.

    `seen`: how many deeds about it the page showed; another number means that somebody, perhaps by
    a second press of the button, did something meanwhile. Raises DeedError.
    """
    Cohort.objects.select_for_update().get(pk=cohort.pk)
    deeds = deeds_about(cohort, [row.name], week)
    if deeds.count() != seen:
        raise DeedError(
            "somebody has dealt with this mistake in the meantime: reload the page first"
        )
    if kind == Kind.RIGHT and deeds.filter(kind=kind).exists():
        raise DeedError("the row already says that this is not a mistake")
    concerned = [members[learner] for learner in row.concerned if learner in members]
    if not concerned:
        raise DeedError("this mistake no longer concerns anybody")
    told = None
    if kind == Kind.TELL:
        told = announce(cohort=cohort, by=by, title=title, text=text, to=concerned)
    elif kind == Kind.ASK:
        _ask_again(cohort, row, concerned)
    deed = Deed.objects.create(
        cohort=cohort,
        mistake=row.name,
        kind=kind,
        were_over=len(row.over),
        announcement=told,
        by=by,
    )
    deed.members.set(concerned)
    record_for_class(cohort, by, f"mistake {kind}", [_mistake(row.name, row.sentence)])
    return deed


def _ask_again(cohort: Cohort, row: MistakeRow, concerned: list[Membership]) -> None:
    """Put a card into the review of everybody concerned, due the next day.

    The mistake itself is asked where drawn numbers offer it, or where a student's own code shows
    it; a student who only chose it in a question with fixed options is asked that question.
    """
    drawn = Option.objects.filter(
        mistake=row.name,
        instance__isnull=False,
        version__question__course=cohort.course_id,
        version__question__withdrawn_at=None,
    ).exists()
    asked = Question.objects.available().filter(course=cohort.course_id, slug__in=row.questions)
    questions = set(asked.values_list("slug", flat=True))
    for member in concerned:
        learner = member.user.learner if member.user else None
        if learner is None:
            continue
        own = sorted(row.chosen_in.get(learner.pk, set()) & questions)
        if drawn or learner.pk in row.coders or not own:
            note_missed(
                cohort.course_id, learner=learner, kind=ReviewCard.Kind.MISTAKE, slug=row.name
            )
            continue
        for slug in own:
            note_missed(cohort.course_id, learner=learner, kind=ReviewCard.Kind.QUESTION, slug=slug)


@transaction.atomic
def take_back(*, cohort: Cohort, number: int, by: User) -> Deed:
    """Take back that it is not a mistake, with the key of that deed; the log keeps both.

    Nothing else can be taken back here: the others have reached students. Raises DeedError.
    """
    Cohort.objects.select_for_update().get(pk=cohort.pk)
    deed = Deed.objects.filter(cohort=cohort, pk=number, kind=Kind.RIGHT).first()
    if deed is None:
        raise DeedError("it has already been taken back")
    deed.delete()
    words = mistake_facts(cohort.course, {deed.mistake})[deed.mistake].words
    mistake = _mistake(deed.mistake, words)
    record_for_class(cohort, by, UNDONE, [mistake])
    return deed


def _mistake(name: str, words: str) -> Subject:
    return Subject.of(SubjectKind.MISTAKE, name, words)


# ---- what "Not a mistake" would change


@dataclass(frozen=True)
class MarksThatCanRise:
    """How many students who made a mistake in code have less than all points for an assignment."""

    title: str
    count: int


@dataclass(frozen=True)
class Acceptance:
    """Whom it concerns that it is not a mistake, their work of that week, and their marks.

    No mark changes by saying so: the exercise must accept what they do, and their submissions must
    be graded again.
    """

    students: int
    submissions: int
    answers: int
    marks: tuple[MarksThatCanRise, ...]  # one for each assignment of the exercise


def acceptance_of(
    cohort: Cohort, week: ThisWeek, row: MistakeRow, members: Mapping[int, Membership]
) -> Acceptance:
    """Return the changes if this mistake counted as right. Eight queries, for the marks."""
    begins, ends = week.week.begins_at, week.week.ends_at
    signs = [one for one in week.signs.made[row.name] if begins <= one.at < ends]
    submissions = sum(sign.submission is not None for sign in signs)
    coders = [members[learner] for learner in row.coders if learner in members]
    read = marks(cohort, members=coders, hidden_too=True)
    return Acceptance(
        students=len(row.concerned),
        submissions=submissions,
        answers=len(signs) - submissions,
        marks=tuple(
            MarksThatCanRise(assignment.title, _that_can_rise(assignment.pk, read.members))
            for assignment in read.assignments
            if assignment.exercise is not None and assignment.exercise.slug == row.facts.exercise
        ),
    )


def _that_can_rise(assignment: int, people: Sequence[MemberMarks]) -> int:
    """Count the marks below full points that were neither set by hand nor written down for good."""
    found = [cell for member in people if (cell := member.cell(assignment)) is not None]
    return sum(
        cell.would_be is None
        and not cell.is_frozen
        and cell.state != State.EXCUSED
        and (cell.value or ZERO) < rule.points
        for _, rule, cell in found
    )
