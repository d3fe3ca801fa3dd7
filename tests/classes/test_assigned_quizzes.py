"""Attempts at assigned quizzes: windows, limits, minutes, extra time, practice, what is hidden."""

from datetime import timedelta
from functools import partial

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from quizzes.assessment.models import Attempt, Quiz
from quizzes.assessment.services import AttemptClosedError, answer, start_attempt
from quizzes.assessment.sittings import PRACTICE, SittingClosedError, rules_of
from quizzes.classes.assignments import (
    questions_without_numbers,
    save_assignment,
    set_exceptions,
    set_extra_time,
)
from quizzes.classes.marks.lesson_steps import settle_lesson_steps, steps_of
from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Assignment
from quizzes.classes.services import change_member
from quizzes.exercises import reserved_packs
from quizzes.exercises.queue import leases
from quizzes.exercises.queue.submission_limits import NoneLeft
from quizzes.exercises.services import submit_code
from quizzes.exercises.solution import solution_state
from quizzes.grader.judge.report import Report, Verdict
from quizzes.learners.hidden_answers import may_show
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs
from quizzes.lessons.models import Step
from tests.courses import at, some_course
from tests.exercises import making
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_members,
    create_question,
    create_quiz,
    create_submission,
)
from tests.study.questions import generated_question

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture
def ada(cohort):
    return create_member(cohort)


def fresh(member):
    """The learner as the next request has it."""
    return Learner.objects.get(user=member.user)


def begin(assignment, member):
    return start_attempt(learner=fresh(member), quiz=assignment.quiz, sitting=assignment.sitting)


def test_an_attempt_begins_within_its_window_only(cohort, ada):
    now = timezone.now()
    one = assign(cohort, create_quiz(), opens_at=now + DAY)
    with pytest.raises(SittingClosedError, match=r"It opens .* in Vienna"):
        begin(one, ada)
    one.opens_at, one.closes_at = now - 2 * DAY, now - DAY
    save_assignment(assignment=one, by=None)
    with pytest.raises(SittingClosedError, match="It closed"):
        begin(one, ada)
    set_exceptions(assignment=one, members=[ada], values={"closes_at": now + DAY}, by=None)
    assert begin(one, ada).deadline_at == now + DAY


def test_only_members_begin_an_attempt_of_their_class(cohort, ada):
    one = assign(cohort, create_quiz())
    others = [
        create_member(create_class("spring"), "bob"),
        create_member(cohort, "eve", state="removed"),
        create_member(cohort, "tom", role="instructor"),
    ]
    for other in others:
        with pytest.raises(SittingClosedError, match="not assigned to you"):
            begin(one, other)
    for wrong in (one.pk + 1, 0, 2**63 - 1):
        with pytest.raises(SittingClosedError):
            start_attempt(learner=fresh(ada), quiz=one.quiz, sitting=wrong)
    hidden = assign(cohort, create_quiz("more"), is_visible=False)
    with pytest.raises(SittingClosedError):
        begin(hidden, ada)
    assert begin(one, ada).sitting == one.sitting


def test_minutes_extra_time_and_the_closing_time_set_the_deadline(cohort, ada):
    now = timezone.now()
    one = assign(cohort, create_quiz(), minutes=20, closes_at=now + timedelta(minutes=25))
    attempt = begin(one, ada)
    assert abs(attempt.deadline_at - now - timedelta(minutes=20)) < timedelta(minutes=1)
    set_extra_time(members=[ada], percent=33, by=None)  # 26.6 minutes, up to 27
    attempt.refresh_from_db()
    assert attempt.deadline_at == one.closes_at  # never moved by extra time
    set_exceptions(assignment=one, members=[ada], values={"closes_at": now + DAY}, by=None)
    attempt.refresh_from_db()
    assert attempt.deadline_at == attempt.started_at + timedelta(minutes=27)
    set_extra_time(members=[ada], percent=0, by=None)
    attempt.refresh_from_db()
    assert attempt.deadline_at == attempt.started_at + timedelta(minutes=27)  # never earlier


def test_extra_time_in_the_form_of_a_person_reaches_an_attempt_under_way(cohort, ada):
    one = assign(cohort, create_quiz(), minutes=20)
    attempt = begin(one, ada)
    said = {name: getattr(ada, name) for name in ("name", "email", "external_id", "login_id")}
    change_member(member=ada, by=ada.user, **said, section="", role=ada.role, extra_time_percent=50)
    attempt.refresh_from_db()
    assert attempt.deadline_at == attempt.started_at + timedelta(minutes=30)


def test_a_closing_time_given_later_ends_attempts_under_way(cohort, ada):
    one = assign(cohort, create_quiz())
    attempt = begin(one, ada)
    assert attempt.deadline_at is None
    one.closes_at = timezone.now() + timedelta(minutes=5)
    save_assignment(assignment=one, by=None)
    attempt.refresh_from_db()
    assert attempt.deadline_at == one.closes_at


def test_a_limit_of_attempts_counts_one_assignment(cohort, ada):
    quiz = create_quiz()
    one, two = (assign(cohort, quiz, attempts=1) for _ in range(2))
    create_attempt(one, ada, 1, timezone.now())
    with pytest.raises(SittingClosedError, match="You have no attempts left"):
        begin(one, ada)
    assert begin(two, ada)
    set_exceptions(assignment=one, members=[ada], values={"attempts": 2}, by=None)
    assert begin(one, ada)


def test_a_deadline_in_the_middle_of_an_answer_is_kept_by_the_clock(cohort, ada):
    one = assign(cohort, create_quiz(), minutes=20)
    attempt = begin(one, ada)
    first, second = attempt.responses.order_by("order")
    choices = {first.pk: first.option_order[0]}
    for late, taken in ((29, True), (31, False)):
        deadline = timezone.now() - timedelta(seconds=late)
        Attempt.objects.filter(pk=attempt.pk).update(deadline_at=deadline)
        if taken:
            answer(attempt=attempt, choices=choices)
        else:
            with pytest.raises(AttemptClosedError):
                answer(attempt=attempt, choices={second.pk: second.option_order[0]})
    first.refresh_from_db()
    second.refresh_from_db()
    assert (first.choice_id, second.choice_id) == (first.option_order[0], None)


@pytest.mark.parametrize(
    ("practice", "closes", "open_"),
    [
        ("allowed", 1, True),
        ("never", 1, False),
        ("never", -1, False),
        ("after_close", 1, False),
        ("after_close", -1, True),
    ],
)
def test_practice_is_open_as_the_assignment_says(cohort, ada, practice, closes, open_):
    now = timezone.now()
    one = assign(cohort, create_quiz(), closes_at=now + closes * DAY, practice=practice)
    stranger = Learner.objects.create()
    assert rules_of(fresh(ada), one.quiz, PRACTICE, now).may_start is open_
    assert rules_of(stranger, one.quiz, PRACTICE, now).may_start
    Quiz.objects.update(class_only=True)
    one.quiz.refresh_from_db()
    assert not rules_of(stranger, one.quiz, PRACTICE, now).may_start


@pytest.mark.parametrize("name", ["at_once", "after_due", "after_close", "never"])
def test_answers_are_hidden_until_they_are_shown(cohort, ada, name):
    now = timezone.now()
    one = assign(cohort, create_quiz(), due_at=now, closes_at=now + DAY, shows_answers=name)
    names = {"codes-1", "codes-2"}
    course = some_course()
    for moment, shown in (
        (now - DAY, {"at_once"}),
        (now + DAY / 2, {"at_once", "after_due"}),
        (now + 2 * DAY, {"at_once", "after_due", "after_close"}),
    ):
        hidden = hidden_slugs(fresh(ada), course.pk, "question", moment)
        assert hidden == (set() if name in shown else names)
    assert not hidden_slugs(Learner.objects.create(), course.pk, "question", now)
    cohort.archived_at = now
    cohort.save()
    assert not hidden_slugs(fresh(ada), course.pk, "question", now)
    assert one


def test_all_that_a_pool_may_draw_is_hidden(cohort, ada):
    quiz = create_quiz()
    drawn, apart = create_question("drawn"), create_question("apart")
    type(drawn.current).objects.filter(pk=drawn.current.pk).update(tags=["rope"])
    quiz.places.create(question=None, draw=1, tag="rope", order=9)
    assign(cohort, quiz, shows_answers="never")
    assert hidden_slugs(fresh(ada), quiz.course_id, "question") == {"codes-1", "codes-2", "drawn"}
    assert may_show(fresh(ada), apart)


def test_marks_are_hidden_apart_from_answers(cohort, ada):
    one = assign(cohort, create_quiz(), shows_marks="never", shows_answers="at_once")
    assert not may_show(fresh(ada), one.quiz)
    assert not hidden_slugs(fresh(ada), one.quiz.course_id, "question")


def test_questions_of_work_that_cannot_be_practised_are_shut_until_it_is_handed_in(cohort, ada):
    one = assign(cohort, create_quiz(), practice="never")
    course = one.quiz.course_id
    assert len(hidden_slugs(fresh(ada), course, "question")) == 2
    create_attempt(one, ada, 1, timezone.now())
    assert not hidden_slugs(fresh(ada), course, "question")


def test_a_right_solution_stays_shut_while_the_work_counts(cohort, ada):
    now = timezone.now()
    one = assign(cohort, ready_exercise(), due_at=now + DAY, closes_at=now + DAY)
    create_submission(one, ada, "correct", now)
    assert not solution_state(exercise=one.exercise, learner=fresh(ada)).may_be_seen
    assert may_show(fresh(ada), one.exercise)  # what was reached is told
    early = {"due_at": now, "closes_at": now, "earlier_on_purpose": True}
    set_exceptions(assignment=one, members=[ada], values=early, by=None)
    assert solution_state(exercise=one.exercise, learner=fresh(ada)).may_be_seen


def test_hidden_answers_are_told_on_no_page(client, cohort, ada):
    one = assign(cohort, create_quiz(), shows_answers="never", shows_marks="never")
    attempt = create_attempt(one, ada, 1, timezone.now())
    client.force_login(ada.user)
    for page in (
        attempt.review_address,
        at("/quiz/codes/"),
        at("/practice/codes-1/"),
        at("/progress/"),
        at("/"),
        "/review/",
        "/me/data/export/",
        f"/class/{cohort.slug}/",
    ):
        told = client.get(page).content.decode()
        for secret in ("It is.", "Sine and cosine are exchanged", "1 of 2 right", "5.00"):
            assert secret not in told, (page, secret)


def test_a_generated_question_needs_twelve_numbers_before_the_class_sees_it(cohort):
    quiz = create_quiz()
    drawn = generated_question(seeds=range(5))
    quiz.places.create(question=drawn, order=9)
    made = Assignment(cohort=cohort, quiz=quiz, points=1, opens_at=timezone.now(), is_visible=True)
    with pytest.raises(Exception, match="drawn has only 5 of the 12 sets of numbers"):
        save_assignment(assignment=made, by=None)
    made.is_visible = False
    save_assignment(assignment=made, by=None)
    assert [number.slug for number in questions_without_numbers(quiz.pk)] == ["drawn"]


def test_a_lesson_counts_its_steps_as_they_are_when_it_opens(cohort, ada):
    now = timezone.now()
    lesson = create_lesson(asks={"two": "codes-1"})
    create_question("codes-1")
    coming = assign(cohort, lesson, opens_at=now + DAY)
    there = assign(cohort, lesson, opens_at=now - DAY)
    assert coming.steps == [["basics/one", []], ["basics/two", ["codes-1"]]]
    Step.objects.create(
        lesson=lesson, slug="three", number=3, title="3", text="Words.", reading_seconds=1
    )
    assert settle_lesson_steps(now) == 1
    coming.refresh_from_db()
    there.refresh_from_db()
    assert (len(coming.steps), len(there.steps)) == (3, 2)
    assert steps_of(lesson.pk) == coming.steps


@pytest.mark.parametrize("click", ["archived", "removed", "hidden"])
def test_a_mistaken_click_shows_nobody_the_answers_of_what_they_handed_in(cohort, ada, click):
    one = assign(cohort, create_quiz(), shows_answers="never", shows_marks="never")
    other = assign(cohort, create_quiz("more"), shows_answers="never")  # not begun by ada
    create_attempt(one, ada, 1, timezone.now())
    if click == "archived":
        type(cohort).objects.update(archived_at=timezone.now())
    elif click == "removed":
        type(ada).objects.filter(pk=ada.pk).update(state="removed")
    else:
        Assignment.objects.update(is_visible=False)
    names = {"codes-1", "codes-2"}
    assert hidden_slugs(fresh(ada), cohort.course_id, "question") == names
    assert not may_show(fresh(ada), one.quiz)
    assert may_show(fresh(ada), other.quiz)


def test_rules_for_many_take_no_queries_for_each(cohort):
    quiz = assign(cohort, create_quiz(), minutes=30)
    people = create_members(cohort, range(30))
    begun = [begin(quiz, one) for one in people[:2]]

    def asked(deed, members):
        with CaptureQueriesContext(connection) as queries:
            deed(members)
        return len(queries)

    def exception(members):
        values = {"attempts": 3, "minutes": 60}
        set_exceptions(assignment=quiz, members=members, values=values, by=None)

    def extra(members):
        set_extra_time(members=members, percent=50, by=None)

    for deed in (exception, extra):
        deed(people)
        assert asked(deed, people[2:3]) >= asked(deed, people[2:])
    ends = [Attempt.objects.get(pk=one.pk).deadline_at - one.started_at for one in begun]
    assert ends == [timedelta(minutes=90)] * 2
    assert quiz.exceptions.count() == 30


UNREAD = Report(Verdict.COULD_NOT_RUN, parsed=False)


def grade(submission, report):
    """Give a waiting submission its verdict, as a worker does, with a pack of its own."""
    seed = 1000 + submission.pk
    reserved_packs.store(version=submission.exercise_version, seed=seed, data=b"")
    lease = making.lease()
    assert lease.submission.pk == submission.pk
    assert leases.record(lease=lease, report=report)


def test_code_that_python_cannot_read_uses_up_no_attempt(cohort, ada):
    one = assign(cohort, ready_exercise(), attempts=2, due_at=timezone.now() + DAY)
    submit = partial(submit_code, exercise=one.exercise, learner=fresh(ada), kind="submit")
    for number in range(3):
        grade(submit(code=f"x{number} = ("), UNREAD)
    first, second = submit(code="x = 1"), submit(code="y = (")
    with pytest.raises(NoneLeft):  # what waits may turn out to be read: no more than are left
        submit(code="y = 1")
    grade(first, making.WRONG)
    grade(second, UNREAD)
    grade(submit(code="y = 1"), making.CORRECT)
    said = "Class autumn lets you submit 2 times, and you have done so. Code that Python could not"
    with pytest.raises(NoneLeft, match=said):
        submit(code="z = 1")
    assert marks(cohort).members[0].cells[0][2].value == 10
    assert marks(cohort).members[0].cells[0][2].handed_in == 6


def test_the_page_says_that_no_attempt_was_used_up(cohort, ada, client):
    said = "Python could not read this code, so it did not use up an attempt."
    now = timezone.now()
    one = assign(cohort, ready_exercise(), attempts=2, closes_at=now - DAY)
    made = create_submission(one, ada, "could_not_run", now - 2 * DAY, parsed=False)
    client.force_login(ada.user)
    assert said in client.get(made.get_absolute_url()).content.decode()
    for facts in ({"old_rules_until": now}, {"attempts": None}, {"opens_at": now - DAY}):
        before = {name: getattr(one, name) for name in facts}
        Assignment.objects.update(**facts)
        assert said not in client.get(made.get_absolute_url()).content.decode(), facts
        Assignment.objects.update(**before)
    read = create_submission(one, ada, "could_not_run", now - 2 * DAY)
    assert said not in client.get(read.get_absolute_url()).content.decode()


def test_the_page_of_a_mark_says_what_used_up_no_attempt(cohort, ada, client):
    teacher = create_member(cohort, "ida", role="instructor")
    one = assign(cohort, ready_exercise(), attempts=2)
    create_submission(one, ada, "could_not_run", timezone.now() - DAY, parsed=False)
    client.force_login(teacher.user)
    page = client.get(f"/teach/classes/autumn/marks/{one.pk}/{ada.pk}/").content.decode()
    assert "Your code could not run (0 of 5 cases). Python could not read it, so no attempt" in page


@pytest.mark.parametrize("grace", [-1, 1])
def test_work_that_closed_before_the_upgrade_keeps_its_mark(cohort, ada, grace):
    """By the member's own closing time: one who had longer is under the newer rule."""
    now = timezone.now()
    one = assign(cohort, ready_exercise(), attempts=1, closes_at=now - 2 * DAY)
    create_submission(one, ada, "could_not_run", now - 4 * DAY, parsed=False)
    create_submission(one, ada, "correct", now - 3 * DAY)
    Assignment.objects.update(old_rules_until=now - DAY)
    own = {"closes_at": now - DAY + grace * timedelta(minutes=1)}
    set_exceptions(assignment=one, members=[ada], values=own, by=None)
    assert marks(cohort).members[0].cells[0][2].value == (0 if grace < 0 else 10)


def test_three_texts_without_sense_do_not_show_the_solution(cohort, ada):
    one = assign(cohort, ready_exercise(), attempts=3)
    for number in range(3):
        grade(
            submit_code(
                exercise=one.exercise, learner=fresh(ada), kind="submit", code=f"x{number} = ("
            ),
            UNREAD,
        )
    state = solution_state(exercise=one.exercise, learner=fresh(ada))
    assert (state.tries, state.may_be_seen) == (0, False)


def test_a_submit_beyond_the_limit_is_refused_while_work_is_open(cohort, ada):
    one = assign(cohort, ready_exercise(), attempts=1, due_at=timezone.now() + DAY)
    submit = partial(submit_code, exercise=one.exercise, learner=fresh(ada), code="x = 1")
    first = submit(kind="submit")
    with pytest.raises(NoneLeft, match="Class autumn lets you submit 1 time, and you have done so"):
        submit(kind="submit")
    submit(kind="check")
    type(first).objects.update(
        verdict="not_graded", graded_at=first.submitted_at, report={}, tries_used=1
    )
    submit(kind="submit")  # what failed on our side used nothing up
    with pytest.raises(NoneLeft):
        submit(kind="submit")
    set_exceptions(assignment=one, members=[ada], values={"attempts": 3}, by=None)
    submit(kind="submit")
    Assignment.objects.update(due_at=None, closes_at=timezone.now() - DAY)
    submit(kind="submit")  # practice
