"""What work a learner's classes have for them, however it is asked for."""

import random
from collections import Counter
from datetime import timedelta

import pytest
from django.db import connection
from django.db.models import QuerySet
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.classes.due_work import shut_work
from quizzes.classes.enrollment import accept, join
from quizzes.classes.hidden_work import hidden_work
from quizzes.classes.models import AssignmentException, Cohort
from quizzes.classes.own_work import own_work
from quizzes.classes.services import invite, open_class, set_joining
from quizzes.classes.sitting_rules import submit_rules
from quizzes.courses.models import Course
from quizzes.learners.account_backends import AccountBackend
from quizzes.learners.models import Learner
from quizzes.page_reads import reading_page
from tests.exercises.making import ready_exercise
from tests.factories import (
    assign,
    create_account,
    create_attempt,
    create_class,
    create_exercise,
    create_learner,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
)

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


def test_page_that_reads_finds_same_work():
    """A page that only reads filters all work in Python, any other request in SQL."""
    draw, staff = random.Random(1), create_account("ida", role="")
    things = [create_quiz("codes"), create_quiz("tables"), ready_exercise(), create_lesson()]
    classes = [create_class(name, by=staff) for name in ("one", "two", "three")]
    places = [
        create_member(cohort, name, state=draw.choice(["active", "active", "removed"]))
        for name in ("ada", "bea", "cyd", "dan")
        for cohort in classes
        if draw.random() > 0.3
    ]
    works = [
        assign(cohort, thing, is_visible=draw.random() > 0.3)
        for cohort in classes
        for thing in things
    ]
    for place in places:
        mine = [work for work in works if work.cohort_id == place.cohort_id]
        create_attempt(next(work for work in mine if work.quiz), place, 1, timezone.now())
        AssignmentException.objects.create(assignment=draw.choice(mine), membership=place)
    Cohort.objects.filter(pk=classes[2].pk).update(archived_at=timezone.now())
    which = [{}, *({type(thing).__name__.lower(): thing} for thing in things)]
    which += [{"quiz": work.quiz, "pk": work.pk} for work in works if work.quiz]
    counts = []
    for learner in Learner.objects.all():
        for names in which:
            written = own_work(learner, **names)
            with reading_page():
                assert own_work(learner, **names) == written, names
            counts.append(len(written))
    assert {0, 1} < set(counts)


def test_code_is_shut_as_submits_are_refused():
    """Of random classes, with exceptions, code that Python could not read and work of before."""
    draw, staff, now = random.Random(3), create_account("ida", role=""), timezone.now()
    exercises = [create_exercise("one"), create_exercise("two")]
    classes = [create_class(name, by=staff) for name in ("autumn", "spring")]
    members = [create_member(classes[0], name) for name in MEMBERS]
    members += [create_member(classes[1], name) for name in MEMBERS[::3]]
    for cohort in classes:
        for exercise in exercises:
            _assign_at_random(draw, cohort, exercise, now)
    for member in members:
        for work in member.cohort.assignments.all():
            _give_exception_at_random(draw, work, member, now)
    for learner in Learner.objects.filter(user__username__in=MEMBERS):
        for exercise in exercises * 5:
            verdict = draw.choice(["", "wrong", "wrong", "not_graded"])
            at = now - draw.randint(1, 100) * timedelta(hours=1)
            parsed = not verdict or draw.random() < 0.6
            create_submission(exercise, learner, verdict, at, parsed=parsed)
    seen = Counter()
    for learner in Learner.objects.filter(user__username__in=MEMBERS):
        shut = shut_work(learner, now)
        for exercise in exercises:
            is_refused = bool(submit_rules(learner, exercise, now).why_not)
            name = ("exercise", exercise.course_id, exercise.slug)
            assert (name in shut) == is_refused, (learner, exercise)
            seen[is_refused] += 1
    assert min(seen[True], seen[False]) > 20


MEMBERS = [f"m{number}" for number in range(60)]


def _assign_at_random(draw, cohort, exercise, now) -> None:
    opens_at = now - draw.randint(30, 60) * timedelta(hours=1)
    due_at = opens_at + timedelta(hours=20)
    assign(
        cohort,
        exercise,
        opens_at=opens_at,
        due_at=due_at,
        attempts=draw.choice([1, 2]),
        late_percent_per_day=draw.choice([10, 100]),
        old_rules_until=draw.choice([None, now]),
    )


def _give_exception_at_random(draw, work, member, now) -> None:
    AssignmentException.objects.create(
        assignment=work,
        membership=member,
        opens_at=draw.choice([None, now - draw.randint(-5, 90) * timedelta(hours=1)]),
        attempts=draw.choice([None, None, 2, 3]),
        earlier_on_purpose=draw.random() < 0.5,
        is_excused=draw.random() < 0.1,
    )


def test_course_without_token_is_read_once():
    """As a process of an earlier release leaves it."""
    cohort = create_class(by=create_account("ida", role=""))
    learner = create_member(cohort).user.learner
    assert learner.may_be_in_class  # asked for, and known from here on
    now, queries = timezone.now(), []
    for number in range(3):
        facts = {"closes_at": now + timedelta(days=1), "shows_answers": "after_close"}
        assign(cohort, create_quiz(f"q{number}"), **facts)
        QuerySet(Course).update(content_token=None)
        with CaptureQueriesContext(connection) as asked:
            hidden = hidden_work(learner, now)
        assert {item.slug for item in hidden if item.kind == "question"}
        queries.append(len(asked))
    assert queries == [3, 3, 3]


def test_place_counts_in_request_that_gives_it():
    staff = create_account("ida", role="")
    cohort = create_class(by=staff)
    set_joining(cohort=cohort, by=staff, is_open=True)
    cohort.refresh_from_db()
    secrets = invite(members=[create_member(cohort, "row", state="invited")], by=staff)
    (token,) = secrets.values()
    gives = {
        "ada": lambda user: join(cohort=cohort, user=user),
        "bea": lambda user: accept(token=token, user=user),
        "cyd": lambda user: open_class(
            course=cohort.course,
            by=user,
            slug="another",
            title="Another",
            begins_on=cohort.begins_on,
            ends_on=cohort.ends_on,
        ),
    }
    for name, give in gives.items():
        user = AccountBackend().get_user(create_learner(name).user_id)
        assert not user.learner.may_be_in_class
        give(user)
        assert user.learner.may_be_in_class
