"""This week of a class: whom a mistake concerns, who is over it, and whom each deed reaches."""

import re
from datetime import UTC, date, datetime, timedelta
from decimal import Decimal
from uuid import uuid4
from zoneinfo import ZoneInfo

import pytest
from django.utils import timezone

from quizzes.assessment.models import Regrade, Response
from quizzes.classes.messages import announce, unread_of
from quizzes.classes.models import Announcement, AssignmentException, Deed, Membership
from quizzes.classes.week.calendar import NotAWeekError, Week
from quizzes.classes.week.day_counts import count_by_day
from quizzes.classes.week.reader import read_week
from quizzes.courses.models import AuditEntry, CourseStaff, OldName
from quizzes.exercises.models import Exercise, ExerciseVersion, Submission
from quizzes.grader.judge.report import CaseResult, KnownMistake, Report, Verdict
from quizzes.learners.models import Progress, ReviewCard, User
from quizzes.regrades.answers import Wish, plan_answers
from quizzes.regrades.apply import apply_answers, apply_code
from quizzes.regrades.trials import begin
from quizzes.teaching.week.week_views import people_of, students_by_learner
from tests.classes.pages import count_queries, teach_class
from tests.classes.planted import add_question, add_students, hand_in
from tests.exercises.making import CORRECT
from tests.exercises.newer_version import mended, try_all
from tests.factories import (
    DAY,
    MISTAKE,
    assign,
    browser_of,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
)
from tests.study.questions import generated_question

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

Rule = Regrade.Rule
SENTENCE = "even columns hold the cosine"
NOON = timedelta(hours=12)


def this(cohort):
    return Week.at(timezone.now(), cohort.zone)


def sent(exercise, learners, verdict, at, *, mistake="", passed=2, kind="submit"):
    """Store one graded submission of each learner."""
    case = CaseResult("one", True, False, call="table(n=2)", expected_text="[0]", got_text="[1]")
    known = KnownMistake(mistake, "mistake", "-", None, "1. First.") if mistake else None
    counted = {"cases_passed": passed, "cases_total": 5}
    report = Report(Verdict(verdict), known_mistake=known, smallest_failing=case, **counted)
    stored = report.as_json()
    return Submission.objects.bulk_create(
        Submission(
            exercise_version=exercise.current,
            learner=learner,
            kind=kind,
            key=uuid4(),
            code=f"x = {learner.pk}",
            submitted_at=at,
            graded_at=at,
            verdict=verdict,
            known_mistake=mistake,
            report=stored,
            pack=exercise.current.packs.first(),
            tries_used=1,
            **counted,
        )
        for learner in learners
    )


def made_in_code(exercise, learners, at, mistake="swap", **more):
    return sent(exercise, learners, "known_mistake", at, mistake=mistake, **more)


def solved(exercise, learners, at):
    return sent(exercise, learners, "correct", at, passed=5)


def week_of(cohort, week=None):
    return read_week(cohort, students_by_learner(people_of(cohort)), week or this(cohort))


@pytest.fixture
def planted(cohort, exercise):
    """One mistake of 48 among 175: 31 in code, 20 in a question, 3 of them in both."""
    begins = this(cohort).begins_at
    Membership.objects.update(joined_at=begins - 30 * DAY)
    students = add_students(cohort, 175)
    Membership.objects.update(joined_at=begins - 30 * DAY)
    concerned = students[:48]
    made_in_code(exercise, concerned[:31], begins + timedelta(minutes=1))
    quiz = create_quiz(
        "planted", [add_question(cohort.course, "rows", mistakes={2: MISTAKE, 3: "other/one"})]
    )
    hand_in(quiz, concerned[28:], [[2]] * 20, begins + timedelta(minutes=2))
    # Not concerned: another mistake, a Check, last week, right, another class, staff.
    hand_in(quiz, students[48:60], [[1]] * 12, begins + timedelta(minutes=2))
    made_in_code(exercise, students[60:70], begins + timedelta(minutes=1), "base_fixed")
    made_in_code(exercise, students[70:80], begins + timedelta(minutes=1), kind="check")
    made_in_code(exercise, students[80:90], begins - DAY)
    made_in_code(exercise, students[:4], begins - DAY)
    other = create_class("spring")
    eve = create_member(other, "eve")
    staff = create_member(cohort, "ann", role="assistant")
    made_in_code(exercise, [eve.user.learner, staff.user.learner], begins + timedelta(minutes=1))
    # Seven solved it later, one of them made it again after that.
    solved(exercise, concerned[:7], begins + timedelta(minutes=3))
    made_in_code(exercise, concerned[:1], begins + timedelta(minutes=4))
    # Of those who chose it, two answered right later; a right answer before says nothing.
    hand_in(quiz, concerned[40:42], [[1]] * 2, begins + timedelta(minutes=5))
    hand_in(quiz, concerned[42:44], [[1]] * 2, begins + timedelta(minutes=1))
    return concerned


def test_a_row_says_whom_a_mistake_concerns_and_who_is_over_it(cohort, exercise, planted):
    found = week_of(cohort)
    row = found.row(MISTAKE)
    assert set(row.concerned) == {one.pk for one in planted}
    assert (len(row.coders), len(row.chosen_in), row.questions) == (31, 20, ["rows"])
    assert row.last_week == 14
    assert row.over == {one.pk for one in (*planted[1:7], *planted[40:42])}
    assert SENTENCE in row.sentence.lower()
    assert row.facts.step == "sinusoidal-values/the-formula" or "/" in row.facts.step
    assert [one.submission is not None for one in row.samples] == [True, True]
    assert len({one.text for one in row.samples}) == 2
    assert row.samples[0].case.call == "table(n=2)"
    assert row.requirement == "1. First."
    assert [one.name for one in found.rows] == [MISTAKE, "sinusoidal-table/base_fixed"]
    today = count_by_day(found.signs, MISTAKE, found.week, timezone.now())[-1]
    assert (today.concerned, today.past) == (48, len(row.over))
    before = week_of(cohort, this(cohort).previous)
    assert [(one.name, len(one.concerned)) for one in before.rows] == [(MISTAKE, 14)]


def test_students_who_read_the_step_since_are_counted(cohort, exercise, planted):
    step = week_of(cohort).row(MISTAKE).facts.step
    for learner in (planted[5], planted[47]):
        Progress.objects.create(
            learner=learner, course=cohort.course, kind="step", slug=step, state="seen"
        )
    Progress.objects.filter(learner=planted[5]).update(updated_at=timezone.now() - 30 * DAY)
    assert week_of(cohort).row(MISTAKE).step_read == 1


def sends(teacher, cohort, do, *, seen=0, mistake=MISTAKE, **more):
    fields = {"do": do, "mistake": mistake, "week": this(cohort).name, "seen": seen, **more}
    return teacher.post(teach_class("week/deeds/"), fields, follow=True)


def test_telling_reaches_exactly_those_whom_it_concerns(cohort, teacher, planted):
    shown = teacher.get(teach_class())
    assert "48 students" in shown.content.decode()
    page = sends(teacher, cohort, "tell", title="On rows", text="Look *again*.").content.decode()
    assert "48 students were notified" in page
    told = Announcement.objects.get()
    assert not told.is_for_all
    names = set(told.to.values_list("user__learner", flat=True))
    assert names == {one.pk for one in planted}
    assert Deed.objects.get().announcement == told
    (entry,) = AuditEntry.objects.filter(act="mistake tell", cohort="autumn")
    assert entry.subjects[0][:2] == ["mistake", MISTAKE]
    # By the pages of each: those concerned read it, nobody else of any class does.
    for_her = browser_of(planted[0].user)
    assert "Look <em>again</em>" in for_her.get("/messages/").content.decode()
    assert "Look <em>again</em>" in for_her.get("/class/autumn/").content.decode()
    assert "48 students only" in teacher.get(teach_class("announcements/")).content.decode()
    others = User.objects.exclude(learner__in=planted)
    assert others.count() == 127 + 3  # and staff of both classes and Eve
    assert {unread_of(one).count for one in others[:20]} == {0}
    assert {unread_of(one.user).count for one in planted[:5]} == {1}
    outsider = User.objects.get(username="autumn-0174")
    for user in (outsider, User.objects.get(username="eve"), User.objects.get(username="ann")):
        for page in ("/messages/", "/class/autumn/"):
            assert "On rows" not in browser_of(user).get(page, follow=True).content.decode()
    announce(cohort=cohort, by=None, title="For all", text="")
    assert unread_of(outsider).count == 1


def test_asking_again_puts_a_card_into_the_review_of_those_alone(cohort, teacher, planted):
    assert "48 students will be asked again" in sends(teacher, cohort, "ask").content.decode()
    cards = ReviewCard.objects.values_list("learner", "kind", "slug")
    in_code = {(one.pk, "mistake", MISTAKE) for one in planted[:31]}
    chosen = {(one.pk, "question", "rows") for one in planted[31:]}  # no drawn numbers offer it
    assert set(cards) == in_code | chosen
    assert min(ReviewCard.objects.values_list("due_at", flat=True)) > timezone.now() + DAY - NOON


def test_drawn_numbers_ask_the_mistake_itself(cohort, teacher, planted):
    generated_question()
    sends(teacher, cohort, "ask")
    assert set(ReviewCard.objects.values_list("kind", "slug")) == {("mistake", MISTAKE)}
    assert ReviewCard.objects.count() == 48


def test_a_deed_is_kept_and_the_row_shows_before_and_after(cohort, exercise, teacher, planted):
    sends(teacher, cohort, "tell", title="On rows", text="")
    later = timezone.now() + timedelta(minutes=1)
    solved(exercise, planted[10:15], later)
    made_in_code(exercise, planted[20:22], later)
    (done,) = week_of(cohort).row(MISTAKE).deeds
    assert (done.deed.were_over, done.reached, done.over_now, done.again) == (8, 48, 13, 2)
    page = teacher.get(teach_class()).content.decode()
    assert "Before: 8 of 48 had got past it. Now: 13; 2 made it again." in page
    # A second press of a button, or a second person, does nothing twice.
    again = sends(teacher, cohort, "tell", title="On rows", text="").content.decode()
    assert "Nothing was done: somebody has dealt with this mistake in the meantime" in again
    assert (Announcement.objects.count(), Deed.objects.count()) == (1, 1)
    # Its announcement can be deleted: the row says so.
    assert "since been deleted" not in again
    teacher.post(teach_class(f"announcements/{done.deed.announcement_id}/remove/"))
    assert (
        "; the announcement has since been deleted." in teacher.get(teach_class()).content.decode()
    )


def test_mending_opens_the_step_and_names_its_file(cohort, teacher, planted):
    lesson, _, step = week_of(cohort).row(MISTAKE).facts.step.partition("/")
    create_lesson(lesson, steps=("first", step))
    answer = sends(teacher, cohort, "mend")
    assert answer.redirect_chain[0][0].endswith(f"/learn/{lesson}/{step}/")
    assert f"lessons/{lesson}/steps/02-{step}.md" in answer.content.decode()
    assert Deed.objects.get().kind == "mend"


def test_not_a_mistake_names_the_file_until_a_version_without_it_is_there(
    cohort, exercise, teacher, planted
):
    file = "exercises/sinusoidal-table/wrong/swap.py"
    assert f"The file is {file};" in sends(teacher, cohort, "right").content.decode()
    page = teacher.get(teach_class()).content.decode()
    assert "version 1 still has the mistake" in page
    files = {k: v for k, v in exercise.current.files.items() if k != "wrong/swap.py"}
    version = ExerciseVersion.objects.create(
        exercise=exercise,
        number=2,
        title="Table",
        files=files,
        content_hash="2" * 64,
        verification="ok",
        verified_at=timezone.now(),
    )
    Exercise.objects.filter(pk=exercise.pk).update(current=version)
    row = week_of(cohort).row(MISTAKE)
    assert (row.facts.is_there, row.facts.version) == (False, 2)
    assert "still has it" not in teacher.get(teach_class()).content.decode()


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("fields", "said"),
    [
        ({"do": "cheer"}, "do=cheer: must be one of tell, ask, mend, right"),
        ({"week": "soon"}, "week=soon: must be a year and a week of it, such as 2026-W48"),
        ({"mistake": "a/b"}, "mistake=a/b: nobody made it in"),
        ({"do": "tell", "title": ""}, "This field is required"),
        ({"do": "tell", "title": "x" * 201, "text": "Kept."}, "at most 200 characters"),
    ],
)
def test_bad_input_is_named_and_nothing_is_done(cohort, exercise, teacher, fields, said):
    ada = create_member(cohort)
    made_in_code(exercise, [ada.user.learner], this(cohort).begins_at)
    typed = {"do": "ask", "mistake": MISTAKE, "week": this(cohort).name, "seen": 0, **fields}
    answer = teacher.post(teach_class("week/deeds/"), typed)
    assert answer.status_code == 400
    assert said in answer.content.decode()
    assert fields.get("text", "") in answer.content.decode()
    assert not Deed.objects.exists()
    assert not Announcement.objects.exists()


def test_a_week_begins_on_monday_on_the_clock_of_the_class():
    vienna = ZoneInfo("Europe/Vienna")
    week = Week.at(datetime(2026, 10, 25, 22, 59, tzinfo=UTC), vienna)  # Sunday 23:59, winter
    assert (week.name, week.monday, week.sunday) == (
        "2026-W43",
        date(2026, 10, 19),
        date(2026, 10, 25),
    )
    assert week.begins_at == datetime(2026, 10, 18, 22, tzinfo=UTC)  # summer
    assert week.ends_at == datetime(2026, 10, 25, 23, tzinfo=UTC)
    assert Week.at(week.ends_at, vienna) == week.next == Week.named("2026-W44", vienna)
    assert week.next.previous == week
    for text in ("", "2026-W54", "2026W43", "0000-W01", "2026-W4³", "9999-W52", "-W10-W10"):
        with pytest.raises(NotAWeekError):
            Week.named(text, vienna)


def test_answers_tell_a_mistake_by_several_options_by_a_number_and_by_an_old_name(cohort):
    ada, bob, cy = (create_member(cohort, name).user.learner for name in ("ada", "bob", "cy"))
    at = this(cohort).begins_at
    OldName.objects.create(course=cohort.course, kind="exercise", old="tables", new="table")
    several = add_question(cohort.course, "several", mistakes={3: "tables/twice"}).current
    type(several).objects.filter(pk=several.pk).update(kind="multiple", scoring="per_option")
    number = add_question(cohort.course, "number").current
    near = [{"value": "20", "reason": "Twice.", "mistake": "table/twice"}]
    answer = {"value": "10", "plus_minus": 0.1, "reason": "So.", "near": near}
    type(number).objects.filter(pk=number.pk).update(kind="numeric", answer=answer)
    options = list(several.options.order_by("order"))
    facts = {"option_order": [one.pk for one in options], "answered_at": at, "is_right": False}
    facts |= {"score": Decimal(0), "step": "a/b"}
    Response.objects.create(
        learner=ada, version=several, choices=[options[0].pk, options[2].pk], **facts
    )
    Response.objects.create(learner=bob, version=number, number=20.01, text="20.01", **facts)
    early = facts | {"answered_at": timezone.now() - 60 * DAY}  # before joining
    Response.objects.create(learner=cy, version=number, number=20.0, text="20", **early)
    week = Week.at(early["answered_at"], cohort.zone)
    assert week_of(cohort, week).rows == []
    (row,) = week_of(cohort).rows
    assert (row.name, set(row.concerned), row.questions) == (
        "table/twice",
        {ada.pk, bob.pk},
        ["number", "several"],
    )
    assert row.sentence in {"Twice.", "Because of 3."}
    assert {one.text for one in row.samples} == {"option 3", "20.01"}
    right = facts | {
        "is_right": True,
        "score": Decimal(1),
        "step": "",
        "answered_at": timezone.now(),
    }
    Response.objects.create(learner=bob, version=several, choices=[options[0].pk], **right)
    assert week_of(cohort).row("table/twice").over == {bob.pk}


def test_due_soon_and_not_begun_by_the_dates_of_each(cohort, teacher):
    now = timezone.now()
    ada, bob, cy = (create_member(cohort, name) for name in ("ada", "bob", "cy"))
    soon = assign(cohort, create_quiz(), due_at=now + timedelta(hours=47))
    assign(cohort, create_quiz("far"), due_at=now + timedelta(hours=49))
    assign(cohort, create_quiz("hidden"), due_at=now + timedelta(hours=9), is_visible=False)
    lesson = assign(cohort, create_lesson(), closes_at=now + timedelta(hours=1))
    create_attempt(soon, ada, 1, now)
    AssignmentException.objects.create(
        assignment=soon, membership=bob, due_at=now + timedelta(hours=90)
    )
    Progress.objects.create(
        learner=cy.user.learner, course=cohort.course, kind="step", slug="basics/one", state="seen"
    )
    found = teacher.get(teach_class()).context["not_begun"]
    assert [(one.assignment, [who.name for who in one.members]) for one in found] == [
        (lesson, ["Ada", "Bob"]),
        (soon, ["Cy"]),
    ]


def test_a_student_who_gets_no_further_needs_help(cohort, exercise, teacher):
    now = timezone.now()
    people = {
        name: create_member(cohort, name).user.learner for name in ("ada", "bob", "cy", "dan")
    }
    progress = {
        "ada": [1, 2, 2, 2, 1, 2],
        "bob": [1, 2, 3, 4, 4],
        "cy": [2, 2, 2, 2, 2],
        "dan": [2] * 4,
    }
    for name, passed in progress.items():
        for place, number in enumerate(passed):
            at = now - timedelta(hours=20 - place)
            sent(exercise, [people[name]], "wrong", at, passed=number)
    solved(exercise, [people["cy"]], now)
    (one,) = teacher.get(teach_class()).context["helped"]
    assert (one.member.name, one.tries) == ("Ada", 5)
    assert "without progress" in teacher.get(teach_class()).content.decode()


def test_our_failures_are_those_of_the_class(cohort, exercise, teacher):
    ada = create_member(cohort)
    eve = create_member(create_class("spring"), "eve")
    for member in (ada, eve):
        (row,) = sent(exercise, [member.user.learner], "wrong", timezone.now())
        Submission.objects.filter(pk=row.pk).update(
            verdict="not_graded", our_failure="The disk.", cases_passed=None, cases_total=None
        )
    (failed,) = teacher.get(teach_class()).context["failures"]
    assert failed.learner == ada.user.learner.pk


def test_the_first_screen_of_teaching_shows_the_week_of_the_newest_class(cohort, exercise, teacher):
    ada = create_member(cohort)
    made_in_code(exercise, [ada.user.learner], this(cohort).begins_at)
    page = teacher.get("/teach/").content.decode()
    assert SENTENCE in page.lower()
    assert page.index("This week") < page.index("Grading")
    assert "· 1 student<" in page.replace("\n", "")  # of the class, in the list of classes


def test_the_first_screen_leads_to_the_week_of_each_class(cohort, exercise, teacher):
    spring = create_class("spring", course=cohort.course)
    create_class("winter", course=cohort.course)  # of somebody else
    assert 'aria-label="Classes"' not in teacher.get("/teach/").content.decode()
    account = User.objects.get(username="teacher")
    spring.memberships.create(
        user=account, name="T", role="instructor", state="active", joined_at=timezone.now()
    )
    ada = create_member(cohort)
    made_in_code(exercise, [ada.user.learner], this(cohort).begins_at)
    for chosen, said in ((cohort, True), (spring, False)):
        page = teacher.get("/teach/", {"class": chosen.slug})
        assert page.context["digest"]["cohort"] == chosen
        told = page.content.decode()
        assert (SENTENCE in told.lower()) == said
        assert "?class=autumn" in told
        assert "?class=spring" in told
        assert "?class=winter" not in told
        assert told.count('aria-current="true"') == 1
    for slug in ("winter", "nope"):
        assert teacher.get("/teach/", {"class": slug}).status_code == 404


def test_week_shows_regrades_by_the_course(cohort, exercise, teacher):
    spring = create_class("spring", course=cohort.course)
    stranger = browser_of(create_member(spring, "stranger", role="instructor").user)
    editor = User.objects.create_user("editor")
    ada, quiz = create_member(cohort), create_quiz()
    work, code = assign(cohort, quiz), assign(cohort, exercise)
    assign(spring, quiz)
    create_attempt(work, ada, 0, timezone.now())
    create_submission(code, ada, "wrong", timezone.now(), passed=1)
    question = quiz.places.first().question
    wish = Wish(question, question.current, None, Rule.ALL_RIGHT, as_of=timezone.now())
    apply_answers(wish, digest=plan_answers(wish).digest, note="", by=editor)
    made = begin(mended(exercise), by=editor)
    try_all(CORRECT)
    apply_code(made, by=editor, note="", nobody_loses=False)
    told = teacher.get(teach_class()).content.decode()
    assert f"Question {question.slug}, " in told
    assert "1 answer in this class was regraded." in told
    assert "1 submission in this class was regraded." in told
    links = re.findall(r'href="([^"]*)">Review or decline it', told)
    assert len(links) == 2
    for link in links:
        assert "Decline for this class" in teacher.get(link).content.decode()
    assert (
        "Regraded by course staff"
        not in stranger.get(teach_class(cohort="spring")).content.decode()
    )


def test_pages_about_work_say_mistakes_in_sentences_and_fold_what_is_untouched(
    cohort, exercise, teacher
):
    ada = create_member(cohort)
    quiz = assign(cohort, create_quiz())
    create_quiz("untouched")
    made_in_code(exercise, [ada.user.learner], timezone.now())
    create_attempt(quiz, ada, 1, timezone.now())
    page = teacher.get(teach_class(f"people/{ada.pk}/")).content.decode()
    assert page.lower().index(SENTENCE) < page.index("Newest work") < page.index("Not started: ")
    assert "Untouched" in page.split("Not started: ")[1]
    assert SENTENCE in teacher.get(teach_class("submissions/")).content.decode().lower()
    CourseStaff.objects.create(
        course=cohort.course, user=User.objects.get(username="teacher"), role="viewer"
    )
    for where in ("exercises/", "exercises/sinusoidal-table/"):
        shown = teacher.get(f"/teach/courses/{cohort.course.slug}/{where}").content.decode()
        assert SENTENCE in shown.lower()


def test_a_larger_class_takes_no_more_queries(cohort, exercise, teacher):
    begins = this(cohort).begins_at
    mistakes = add_question(cohort.course, "rows", mistakes={2: MISTAKE})
    quiz = create_quiz("planted", [mistakes])
    soon = timezone.now() + timedelta(hours=5)
    for thing in (create_quiz(), exercise, create_lesson()):
        assign(cohort, thing, due_at=soon)
    counts = []
    for start, number in ((0, 20), (20, 60)):
        students = add_students(cohort, number, start=start)
        made_in_code(exercise, students[::2], begins)
        hand_in(quiz, students[1::2], [[2]] * (number // 2), begins)
        for _ in range(5):
            sent(exercise, students[:3], "wrong", begins, passed=1)
        solved(exercise, students[5:7], timezone.now())
        if not start:
            sends(teacher, cohort, "tell", title="T", text="")
        counts.append([count_queries(teacher, page) for page in ("/teach/", teach_class())])
    assert counts[0] == counts[1]
    assert max(counts[0]) <= 25
