"""What holds for an attempt at an assigned quiz, and for practice of a quiz that is assigned.

Fills the hooks of `assessment.sittings`, which ask with the learner's row locked: so limits and
windows hold however many requests come at once.
"""

from collections.abc import Collection
from datetime import datetime

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.sittings import PRACTICE, Sitting, free_practice, refused
from quizzes.classes.dates import in_words
from quizzes.classes.models import Assignment
from quizzes.classes.own_work import HeldBackWork, OwnWork, own_work
from quizzes.content_files.typed_text import isolate
from quizzes.exercises.assigned_work import SubmitRules
from quizzes.exercises.models import Exercise, Submission
from quizzes.grader.api import Verdict
from quizzes.learners.models import Learner

NOT_YOURS = "This quiz is not assigned to you."
CLASS_ONLY = "This quiz is for classes only."
NONE_LEFT = "You have no attempts left."


def sitting_rules(learner: Learner, quiz: Quiz, sitting: int | None, now: datetime) -> Sitting:
    """Return the rules for an attempt of this learner that would begin now."""
    if sitting == PRACTICE:
        return practice_of(own_work(learner, quiz=quiz), quiz, now)
    found = own_work(learner, quiz=quiz, pk=sitting)
    if not found:
        return refused(sitting, NOT_YOURS)
    used = Attempt.objects.filter(learner=learner, sitting=sitting).count()
    return sitting_of(found[0], used, now)


def sittings_of_the_class(sittings: Collection[int | None]) -> dict[int | None, list[int | None]]:
    """Return for each of these sittings all of its class, itself among them. One query."""
    siblings: dict[int | None, list[int | None]] = {sitting: [sitting] for sitting in sittings}
    keys = {sitting for sitting in sittings if sitting != PRACTICE}
    same = Assignment.objects.filter(cohort__assignments__in=keys).order_by("pk")
    for pk, key in same.values_list("pk", "cohort__assignments") if keys else ():
        if key in keys and pk != key:
            siblings[key].append(pk)
    return siblings


def sitting_of(work: OwnWork, used: int, now: datetime) -> Sitting:
    """Return the rules in an assignment after so many attempts."""
    rule, assignment = work.rule, work.assignment
    left = None if rule.attempts is None else max(0, rule.attempts - used)
    zone = work.membership.cohort.zone
    why_not = ""
    if now < rule.opens_at:
        why_not = f"It opens {in_words(rule.opens_at, zone, now)}."
    elif rule.closes_at is not None and rule.is_closed(now):
        why_not = f"It closed {in_words(rule.closes_at, zone, now)}."
    elif left == 0:
        why_not = NONE_LEFT
    return Sitting(
        sitting=assignment.sitting,
        may_start=not why_not,
        why_not=why_not,
        deadline=rule.deadline(now),
        attempts_left=left,
        shows_marks=rule.shows(assignment.shows_marks, now),
        shows_answers=rule.shows(assignment.shows_answers, now),
        shuffle_questions=assignment.shuffle_questions,
    )


def practice_of(works: list[OwnWork], quiz: Quiz, now: datetime) -> Sitting:
    """Return the rules for practising a quiz, for a learner with these assignments of it.

    Without a class a quiz can be practised by everybody, unless it is for classes only.
    """
    why_not = _practice_shut(works, quiz, now)
    return refused(PRACTICE, why_not) if why_not else free_practice()


def _practice_shut(works: list[OwnWork], quiz: Quiz, now: datetime) -> str:
    for work in works:
        if not practice_is_open(work, now):
            again = (
                "can be practised after it closes"
                if work.assignment.practice == Assignment.Practice.AFTER_CLOSE
                else "cannot be practised"
            )
            return f"It is assigned work in {isolate(work.membership.cohort.title)} and {again}."
    return CLASS_ONLY if quiz.class_only and not works else ""


def practice_is_open(work: OwnWork | HeldBackWork, now: datetime) -> bool:
    """Return whether an assignment lets its quiz be practised now."""
    practice = work.assignment.practice
    if practice == Assignment.Practice.AFTER_CLOSE:
        return work.rule.is_closed(now)
    return practice == Assignment.Practice.ALLOWED


# ---- code


def submit_rules(learner: Learner, exercise: Exercise, now: datetime) -> SubmitRules:
    """Return why an assigned exercise takes no further Submit of a learner, and if one counts.

    It is called with the learner's row locked. It is refused only while work is open that limits
    Submits, and none of it has one left; afterwards everybody may practise. What failed on our
    side used nothing up, nor did code that Python could not read. Code that waits uses an attempt
    up until its verdict: so of two at once no more are taken than are left. Before work opens a
    solution counts already. Three queries more than `own_work` for a refusal, one to let code pass.
    """
    works = own_work(learner, exercise=exercise)
    counts = any(not work.rule.is_closed(now) for work in works)
    return SubmitRules(_submit_refusal(works, learner, exercise, now), counts)


def _submit_refusal(
    works: list[OwnWork], learner: Learner, exercise: Exercise, now: datetime
) -> str:
    limited = ""
    for work in works:
        rule = work.rule
        if not rule.is_open(now):
            continue
        if rule.attempts is None or rule.is_excused:
            return ""
        rows = Submission.objects.filter(
            learner=learner,
            exercise_version__exercise=exercise,
            kind=Submission.Kind.SUBMIT,
            submitted_at__gte=rule.opens_at,
        )
        graded = rows.exclude(verdict=Verdict.NOT_GRADED)
        used = graded if rule.counts_unparsed else rows.using_attempts()
        if used.count() < rule.attempts:
            return ""
        times = "time" if rule.attempts == 1 else "times"
        read = (
            ""
            if used.count() == graded.count()
            else " Code that Python could not read does not count."
        )
        limited = (
            f"{isolate(work.membership.cohort.title)} lets you submit {rule.attempts} {times}, and"
            f" you have done so.{read} You can still use Check to run your code."
        )
    return limited


def used_no_attempt(submission: Submission) -> bool:
    """Return whether code that Python could not read came to work that limits attempts, for free.

    Three queries at most, none for code that Python read.
    """
    if submission.parsed or submission.kind != Submission.Kind.SUBMIT:
        return False
    at, exercise = submission.submitted_at, submission.exercise_version.exercise_id
    rules = [work.rule for work in own_work(submission.learner, exercise=exercise)]
    return any(
        rule.attempts is not None and rule.is_open(at) and not rule.counts_unparsed
        for rule in rules
    )
