"""A wrong key put right on the pages: offered, previewed, done, told to students, undone."""

import re

import pytest
from django.test import Client
from django.utils import timezone

from quizzes.assessment.models import (
    Attempt,
    Question,
    QuestionVersion,
    Regrade,
    Response,
)
from quizzes.assessment.services import start_attempt, submit_attempt
from quizzes.courses.models import AuditEntry
from quizzes.exercises.models import CodeRegrade, Exercise, Submission
from quizzes.learners.models import User
from tests.exercises import making, newer_version
from tests.factories import (
    BACKEND,
    DAY,
    assign,
    create_attempt,
    create_browser,
    create_class,
    create_member,
    create_quiz,
    create_submission,
)
from tests.teaching.forms import address, form

pytestmark = pytest.mark.django_db
REGRADE = "regrade_question"


def signed_in(name):
    browser = Client()
    browser.force_login(User.objects.get(username=name), backend=BACKEND)
    return browser


def mended(slug="codes-1"):
    """Give a question a second version with the other key."""
    question = Question.objects.get(slug=slug)
    old = question.current
    source = QuestionVersion.objects.create(
        question=question, number=2, content_hash="2", prompt=old.prompt, step=old.step
    )
    for option in old.options.all():
        option.pk, option.version, option.is_key = None, source, not option.is_key
        option._state.adding = True
        option.save()
    Question.objects.filter(pk=question.pk).update(current=source)
    return question


@pytest.fixture
def two_classes(db):
    """Two classes with the same quiz: in each one right and one wrong answer to codes-1."""
    quiz, found = create_quiz(), {}
    for slug in ("autumn", "spring"):
        cohort = create_class(slug)
        work = assign(cohort, quiz, shows_marks="at_once", shows_answers="at_once")
        for name, right in (("right", 2), ("wrong", 0)):
            member = create_member(cohort, f"{slug}-{name}")
            create_attempt(work, member, right, timezone.now() - DAY)
        create_member(cohort, f"{slug}-teacher", role="instructor")
        create_member(cohort, f"{slug}-assistant", role="assistant")
        found[slug] = work
    mended()
    return found


def fields(page):
    """Return the form that has a preview done, as the browser sends it."""
    html = page.content.decode().partition('name="as_of"')
    before = html[0].rpartition("<form")[2]
    names = re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)"', before)
    more = dict.fromkeys(["digest"], page.context["plan"].digest)
    at = page.context["wish"].as_of.isoformat()
    return dict(names) | more | {"as_of": at, "do": "apply"}


def undo(browser, regrade, of=""):
    sent = {"do": "undo", "number": str(regrade.pk), "class": of}
    return browser.post(address("codes-1", REGRADE), sent)


def earned(work):
    rows = Attempt.objects.filter(sitting=work.sitting).order_by("pk")
    return [int(one.earned) for one in rows]


def test_a_wrong_key_is_offered_previewed_done_told_and_undone(two_classes):
    editor = create_browser("edith", role="editor")
    page = editor.get(address("codes-1")).content.decode()
    assert "4 answers were marked with version 1, which has a different key." in page
    asked = {"version": "1", "rule": "new_key"}
    page = editor.get(address("codes-1", REGRADE), asked)
    assert page.context["plan"].transitions == [
        ("right", "not right", 2),
        ("not right", "right", 2),
    ]
    assert "autumn-right" not in page.content.decode().lower()  # a course's page names nobody
    before = earned(two_classes["autumn"])
    sent = fields(page) | {"note": "The key was *wrong*."}
    assert editor.post(address("codes-1", REGRADE), sent).status_code == 302
    assert (before, earned(two_classes["autumn"])) == ([2, 0], [1, 1])
    again = editor.post(address("codes-1", REGRADE), sent)  # somebody else looked at the same
    assert again.status_code == 409
    assert "these answers were changed or regraded" in again.content.decode()
    student = signed_in("autumn-wrong")
    attempt = Attempt.objects.get(learner__user__username="autumn-wrong")
    told = student.get(attempt.review_address).content.decode()
    assert "your answer now counts as right" in told
    assert "<em>wrong</em>" in told
    told = told.partition('id="question-1"')[2].partition('id="question-2"')[0]
    assert "Your answer, right" in told  # by the new key
    assert "Right answer" not in told
    told = student.get("/class/autumn/").content.decode()
    assert "Your answer now counts as right." in told
    page = editor.get(address("codes-1", REGRADE)).content.decode()
    assert "was marked by" not in page
    assert "were marked by" not in page
    assert 'id="preview"' not in page  # nothing waits, and nothing was asked
    done = Regrade.objects.get()
    undo(editor, done)
    assert earned(two_classes["autumn"]) == before
    assert "Corrected on" not in student.get(attempt.review_address).content.decode()
    assert "Corrected on" not in student.get("/class/autumn/").content.decode()
    acts = AuditEntry.objects.order_by("pk").values_list("act", flat=True)
    assert [one for one in acts if "regrade" in one] == ["regraded", "regrade undone"]


def test_a_class_regrades_itself_and_declines_the_course(two_classes):
    teacher = signed_in("autumn-teacher")
    asked = {"version": "1", "rule": "new_key", "nobody_loses": "on", "class": "autumn"}
    page = teacher.get(address("codes-1", REGRADE), asked)
    told = page.content.decode()
    assert "Autumn-Wrong" in told
    assert "Spring" not in told
    assert "who" not in page.context["plan"].incomparable
    assert teacher.post(address("codes-1", REGRADE), fields(page)).status_code == 302
    assert earned(two_classes["autumn"]) == [2, 1]
    assert earned(two_classes["spring"]) == [2, 0]
    own = Regrade.objects.get()
    stranger = signed_in("spring-teacher")
    assert undo(stranger, own, "autumn").status_code == 404
    assert undo(stranger, own, "spring").status_code == 404
    editor = create_browser("edith", role="editor")
    assert undo(editor, own).status_code == 404
    page = editor.get(address("codes-1", REGRADE), {"version": "1", "rule": "drop"})
    assert "1 class has regraded its own answers" in page.content.decode()
    assert "No answers to this question have been regraded" not in page.content.decode()
    editor.post(address("codes-1", REGRADE), fields(page))
    undo(teacher, own, "autumn")
    assert not Regrade.objects.get(pk=own.pk).undone_at  # a later one touched the same answers
    drop = Regrade.objects.exclude(pk=own.pk).get()
    page = stranger.get(address("codes-1", REGRADE), {"class": "spring"}).content.decode()
    assert "Decline for this class" in page
    undo(stranger, drop, "spring")
    assert AuditEntry.objects.get(act="regrade declined").cohort == "spring"
    assert not Response.objects.filter(
        attempt__sitting=two_classes["spring"].sitting, is_dropped=True
    ).exists()
    left = Response.objects.filter(is_dropped=True).values_list("attempt__sitting", flat=True)
    assert set(left) == {two_classes["autumn"].sitting}


@pytest.mark.parametrize(
    ("who", "more", "status"),
    [
        ("autumn-teacher", {}, 404),
        ("autumn-teacher", {"class": "spring"}, 404),
        ("autumn-teacher", {"class": "autumn"}, 200),
        ("autumn-assistant", {"class": "autumn"}, 403),
        ("autumn-right", {"class": "autumn"}, 404),
    ],
)
def test_only_staff_with_the_right_regrades(two_classes, who, more, status):
    exercise = newer_version.mended(making.ready_exercise())
    pages = [
        (address("codes-1", REGRADE), {"version": "1", "rule": "drop"}),
        (address(exercise.slug, "regrade_exercise"), {"do": "begin"}),
    ]
    browser = signed_in(who)
    for page, sent in pages:
        assert browser.get(page, more).status_code == status
        if status != 200:
            facts = sent | more | {"as_of": timezone.now().isoformat()}
            assert browser.post(page, facts).status_code == status
    assert not Regrade.objects.exists()
    assert not CodeRegrade.objects.exists()


def test_a_class_that_declined_tells_nothing_in_any_of_its_sittings(two_classes):
    """In one sitting of each class nobody's answer changes: the one there was left blank."""
    versions = QuestionVersion.objects.filter(question__slug="codes-1").order_by("number")
    Question.objects.filter(slug="codes-1").update(current=versions[0])
    blank = {}
    for slug, work in two_classes.items():
        again = assign(work.cohort, work.quiz, shows_marks="at_once", shows_answers="at_once")
        member = create_member(work.cohort, f"{slug}-blank")
        blank[slug] = create_attempt(again, member, 2, timezone.now() - DAY)
    left = Response.objects.filter(attempt__in=blank.values(), version=versions[0])
    left.update(choice=None, answered_at=None, is_right=None, score=None)
    Question.objects.filter(slug="codes-1").update(current=versions[1])
    editor = create_browser("edith", role="editor")
    page = editor.get(address("codes-1", REGRADE), {"version": "1", "rule": "new_key"})
    editor.post(address("codes-1", REGRADE), fields(page))

    def told():
        return {
            slug: "Corrected on" in signed_in(f"{slug}-blank").get(one.review_address).text
            for slug, one in blank.items()
        }

    assert told() == {"autumn": True, "spring": True}
    teacher = signed_in("autumn-teacher")
    assert undo(teacher, Regrade.objects.get(), "autumn").status_code == 302
    assert told() == {"autumn": False, "spring": True}


def test_hidden_answers_are_not_told_by_a_correction(two_classes):
    work = two_classes["autumn"]
    type(work).objects.filter(pk=work.pk).update(shows_answers="never")
    editor = create_browser("edith", role="editor")
    page = editor.get(address("codes-1", REGRADE), {"version": "1", "rule": "new_key"})
    editor.post(address("codes-1", REGRADE), fields(page) | {"note": "secret key"})
    told = signed_in("autumn-wrong").get("/class/autumn/").content.decode()
    assert "It was regraded, and your mark is based on the new result." in told
    assert "secret key" not in told
    attempt = Attempt.objects.get(learner__user__username="autumn-wrong")
    assert (
        "secret key" not in signed_in("autumn-wrong").get(attempt.review_address).content.decode()
    )


def test_a_form_that_asks_nonsense_is_refused_by_name(two_classes):
    editor = create_browser("edith", role="editor")
    at = address("codes-1", REGRADE)
    page = editor.get(at, {"version": "2", "rule": "new_key"})
    assert page.status_code == 400
    assert "its answers are already marked that way" in page.content.decode()
    assert editor.get(at, {"version": "77", "rule": "whim"}).status_code == 400
    page = editor.get(at, {"version": "1", "rule": "drop"})
    late = editor.post(at, fields(page) | {"as_of": "2999-01-01T00:00:00+00:00"})
    assert late.status_code == 400
    assert "is not a valid preview time" in late.content.decode()
    assert not Regrade.objects.exists()


def test_the_offer_stands_after_publishing_another_key_only(ada, quiz, learner):
    submit_attempt(attempt=start_attempt(learner=learner, quiz=quiz))
    texts = {"text-1": "two", "text-2": "three", "text-3": "none of these"}
    reasons = {"reason-1": "Other words.", "reason-2": "Too many.", "reason-3": "It is there."}
    page = ada.post(address(), form(key="1", **texts, **reasons), follow=True).content.decode()
    assert "which has a different key" not in page
    page = ada.post(address(), form(key="2", **texts, **reasons), follow=True).content.decode()
    assert "1 answer was marked with version 1, which has a different key." in page


def test_code_is_graded_beside_applied_told_and_undone(db):
    exercise, cohort = making.ready_exercise(), create_class()
    member = create_member(cohort, "grace")
    work = assign(cohort, exercise, shows_marks="at_once")
    row = create_submission(work, member, "wrong", timezone.now() - DAY, passed=1)
    exercise = newer_version.mended(exercise)
    editor = create_browser("edith", role="editor")
    at = address(exercise.slug, "regrade_exercise")
    page = editor.get(address(exercise.slug, "exercise")).content.decode()
    assert "1 submission was graded with an older version." in page
    editor.post(at, {"do": "begin"})
    assert "0 of 1 copies have been graded" in editor.get(at).content.decode()
    told = editor.post(at, {"do": "apply", "number": "1"}, follow=True).content.decode()
    assert "Not done." in told
    newer_version.try_all(making.CORRECT)
    student = signed_in("grace")
    assert "Corrected on" not in student.get(f"/class/{cohort.slug}/").content.decode()
    made = CodeRegrade.objects.get()
    sent = {"do": "apply", "number": str(made.pk), "note": "The case was *wrong*."}
    assert "Done: 1 submission regraded." in editor.post(at, sent, follow=True).content.decode()
    told = student.get(f"/class/{cohort.slug}/").content.decode()
    assert "Your submission counts as: Correct." in told
    assert "<em>wrong</em>" in student.get(row.get_absolute_url()).content.decode()
    told = editor.post(at, {"do": "undo", "number": str(made.pk)}, follow=True).content.decode()
    assert "Undone: 1 submission restored." in told
    assert "Corrected on" not in student.get(row.get_absolute_url()).content.decode()
    for sent in ({"do": "undo", "number": "9" * 30}, {"do": "what", "number": str(made.pk)}):
        assert "Not done." in editor.post(at, sent, follow=True).content.decode()
    viewer = create_browser("vera", role="viewer")
    assert viewer.get(at).status_code == viewer.post(at, {"do": "begin"}).status_code == 403


def test_earlier_regrade_of_code_stays_while_another_runs(db):
    exercise, cohort = making.ready_exercise(), create_class()
    work = assign(cohort, exercise, shows_marks="at_once")
    create_submission(work, create_member(cohort, "grace"), "wrong", timezone.now() - DAY, passed=1)
    exercise = newer_version.mended(exercise)
    editor, at = create_browser("edith", role="editor"), address(exercise.slug, "regrade_exercise")
    editor.post(at, {"do": "begin"})
    newer_version.try_all(making.CORRECT)
    earlier = {"do": "undo", "number": str(CodeRegrade.objects.get().pk)}
    editor.post(at, earlier | {"do": "apply"})
    assert 'value="undo"' in editor.get(at).content.decode()
    Exercise.objects.update(current=exercise.versions.get(number=1))
    editor.post(at, {"do": "begin"})
    assert 'value="undo"' not in editor.get(at).content.decode()
    assert "is in progress" in editor.post(at, earlier, follow=True).content.decode()


def test_code_that_counts_as_before_is_not_told(db):
    exercise, cohort = making.ready_exercise(), create_class()
    work = assign(cohort, exercise, shows_marks="at_once")
    names = {"grace": 3, "hal": 2}  # how many of the three cases each had
    for name, passed in names.items():
        sent = timezone.now() - DAY
        create_submission(
            work, create_member(cohort, name), "correct", sent, passed=passed, total=3
        )
    exercise = newer_version.mended(exercise)
    editor, at = create_browser("edith", role="editor"), address(exercise.slug, "regrade_exercise")
    editor.post(at, {"do": "begin"})
    newer_version.try_all(making.CORRECT, making.CORRECT)
    editor.post(at, {"do": "apply", "number": str(CodeRegrade.objects.get().pk)})
    told = {
        name: "Corrected on" in signed_in(name).get(f"/class/{cohort.slug}/").content.decode()
        for name in names
    }
    assert told == {"grace": False, "hal": True}


def test_a_class_grades_its_own_code_anew_and_declines_the_course(two_classes):
    exercise = making.ready_exercise()
    rows = {}
    for slug in ("autumn", "spring"):
        cohort = two_classes[slug].cohort
        work = assign(cohort, exercise, shows_marks="at_once")
        member = create_member(cohort, f"{slug}-coder")
        rows[slug] = create_submission(work, member, "wrong", timezone.now() - DAY, passed=1)
    exercise = newer_version.mended(exercise)
    at = address(exercise.slug, "regrade_exercise")
    teacher = signed_in("autumn-teacher")
    told = teacher.get(at, {"class": "autumn"}).content.decode()
    assert "1 submission was graded with an older version." in told

    def verdicts():
        return [Submission.objects.get(pk=row.pk).verdict for row in rows.values()]

    def press(browser, of, do, made=None):
        sent = {"do": do, "number": str(made.pk) if made else "", "class": of}
        return browser.post(at, sent, follow=True).content.decode()

    told = press(teacher, "autumn", "begin")
    own = CodeRegrade.objects.get()
    assert "1 submission will be graded for the preview." in told
    assert "Somebody has already started grading these submissions" in press(
        teacher, "autumn", "begin"
    )
    newer_version.try_all(making.CORRECT)
    told = teacher.get(at, {"class": "autumn"}).content.decode()
    assert "Autumn-Coder" in told
    assert "Spring-Coder" not in told
    stranger, editor = signed_in("spring-teacher"), create_browser("edith", role="editor")
    assert "This exercise has no regrade" in press(stranger, "spring", "apply", own)
    assert "This exercise has no regrade" in press(editor, "", "apply", own)
    assert "Done: 1 submission" in press(teacher, "autumn", "apply", own)
    assert verdicts() == ["correct", "wrong"]
    press(editor, "", "begin")
    everywhere = CodeRegrade.objects.first()
    newer_version.try_all(making.CORRECT)
    press(editor, "", "apply", everywhere)
    assert verdicts() == ["correct", "correct"]
    assert "Decline for this class" in stranger.get(at, {"class": "spring"}).content.decode()
    assert "Declined: 1 submission restored." in press(stranger, "spring", "undo", everywhere)
    assert verdicts() == ["correct", "wrong"]
    acts = AuditEntry.objects.filter(act="regrade declined")
    assert acts.get().about.endswith("1 submissions of spring")
