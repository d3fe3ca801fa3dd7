"""What staff of a class do about a known mistake. Each reaches exactly those whom it concerns."""

from collections.abc import Mapping

from django.db import transaction

from quizzes.assessment.models import Option, Question
from quizzes.classes.messages import announce
from quizzes.classes.models import Cohort, Deed, Membership
from quizzes.classes.week.calendar import Week
from quizzes.classes.week.reader import MistakeRow, deeds_about
from quizzes.courses.audit import record
from quizzes.courses.log_subjects import Kind as SubjectKind
from quizzes.courses.log_subjects import Subject
from quizzes.learners.models import ReviewCard, User
from quizzes.learners.services import note_missed

Kind = Deed.Kind
ACTS = {
    Kind.TELL: "told those whom a mistake concerns",
    Kind.ASK: "had a mistake asked again",
    Kind.MEND: "went to mend the step of a mistake",
    Kind.RIGHT: "said that a mistake is none",
}


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
    seen: int,
    title: str = "",
    text: str = "",
) -> Deed:
    """Do something about a mistake, for those whom it concerned in the week of the row.

    `seen`: how many deeds about it the page showed; another number means that somebody, perhaps by
    a second press of the button, did something meanwhile. Raises DeedError.
    """
    Cohort.objects.select_for_update().get(pk=cohort.pk)
    if deeds_about(cohort, [row.name], week).count() != seen:
        raise DeedError("somebody did something about this mistake meanwhile: look again first")
    concerned = [members[learner] for learner in row.concerned if learner in members]
    if not concerned:
        raise DeedError("it concerns nobody any more")
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
    record(
        by=by,
        act=ACTS[kind],
        subjects=[Subject.of(SubjectKind.MISTAKE, row.name, row.sentence)],
        course=cohort.course,
        cohort=cohort.slug,
    )
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
    asked = Question.objects.asked().filter(course=cohort.course_id, slug__in=row.questions)
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
