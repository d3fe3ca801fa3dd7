"""Which attempts and submissions staff of a class see, beside a plain reading of the rule."""

import random
from datetime import timedelta

import pytest
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz
from quizzes.classes.access import attempts_seen, class_that_shows, submissions_seen
from quizzes.classes.assignments import save_assignment
from quizzes.classes.models import Assignment, Membership
from quizzes.exercises.models import Submission
from quizzes.learners.models import Learner, User
from tests.exercises.making import ready_exercise
from tests.factories import create_account, create_class, create_submission

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]
HOUR = timedelta(hours=1)
STATES = ("active", "active", "active", "removed")


def handed_in(learner, quiz):
    facts = {"submitted_at": timezone.now(), "earned": 0, "possible": 1, "ended_by": "learner"}
    return Attempt.objects.create(learner=learner, quiz=quiz, **facts)


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.soak)])
def test_staff_see_what_the_rule_says_and_nothing_twice(seed):
    """People in none, one or two classes, who joined, left and worked at any time."""
    draw, now, ida = random.Random(seed), timezone.now(), create_account("ida", role="")
    exercises = [ready_exercise(), ready_exercise(course="another")]
    courses = [one.course for one in exercises]
    quizzes = [Quiz.objects.create(course=one, slug="q", title="Q") for one in courses]
    classes = [create_class(name, course=courses[0], by=ida) for name in ("one", "two", "three")]
    classes.append(create_class("far", course=courses[1], by=ida))
    staff = {one.pk: User.objects.create_user(f"staff-{one.slug}") for one in classes}
    for cohort in classes:
        facts = {"role": "assistant", "state": "active", "joined_at": now}
        Membership.objects.create(cohort=cohort, user=staff[cohort.pk], name="-", **facts)
    for cohort in (classes[0], classes[3]):
        work = Assignment(cohort=cohort, exercise=exercises[cohort.course_id != courses[0].pk])
        work.opens_at, work.points, work.is_visible = now - 30 * HOUR, 1, True
        save_assignment(assignment=work, by=ida)

    def at():
        return now - draw.randint(0, 20) * HOUR

    for number in range(12):
        user = User.objects.create_user(f"u{number}")
        learner = Learner.objects.create(user=user)
        for cohort in draw.sample(classes, draw.randint(0, 3)):
            state = draw.choice(STATES)
            Membership.objects.create(
                cohort=cohort, user=user, name=user.username, state=state, joined_at=at()
            )
        for _ in range(6):
            which, began = draw.randrange(2), at()
            made = handed_in(learner, quizzes[which])
            Attempt.objects.filter(pk=made.pk).update(started_at=began)
            kind = draw.choice(["submit", "check"])
            create_submission(exercises[which], learner, at=at(), kind=kind)
    visitor = Learner.objects.create()
    handed_in(visitor, quizzes[0])

    def joined(cohort, row):
        places = Membership.objects.filter(cohort=cohort, state="active")
        found = [one for one in places if one.user_id and one.user_id == row.learner.user_id]
        return found[0].joined_at if found else None

    seen = 0
    for cohort in classes:
        assigned = set(cohort.assignments.values_list("exercise", flat=True))
        attempts = [
            one.pk
            for one in Attempt.objects.select_related("learner", "quiz")
            if one.quiz.course_id == cohort.course_id
            and (since := joined(cohort, one)) is not None
            and since <= one.started_at
        ]
        submissions = [
            one.pk
            for one in Submission.objects.select_related("learner", "exercise_version__exercise")
            if one.exercise_version.exercise.course_id == cohort.course_id
            and (since := joined(cohort, one)) is not None
            and (
                since <= one.submitted_at
                or (one.kind == "submit" and one.exercise_version.exercise_id in assigned)
            )
        ]
        assert sorted(attempts_seen(cohort).values_list("pk", flat=True)) == sorted(attempts)
        found = submissions_seen(cohort)
        assert sorted(found.values_list("pk", flat=True)) == sorted(submissions)
        assert found.count() == len(submissions)
        by_rows = [
            one.pk
            for one in Submission.objects.select_related("learner", "exercise_version__exercise")
            if class_that_shows(staff[cohort.pk], one) == cohort
        ]
        assert sorted(by_rows) == sorted(submissions)
        inner = Submission.objects.filter(pk__in=found.order_by().values("pk"))
        assert inner.count() == len(submissions)
        seen += len(attempts) + len(submissions)
    assert seen > 40
