"""Publishing into what a class is doing says how much has begun, and asks."""

import re
from io import StringIO
from types import SimpleNamespace

import pytest
from django.core.management import call_command
from django.utils import timezone
from django.utils.html import strip_tags

from quizzes.assessment.models import (
    Question,
    QuestionVersion,
    Quiz,
)
from quizzes.assessment.quiz_drafts import content_of_quiz
from quizzes.authoring import loading
from quizzes.authoring.course_files import KINDS, read_course_files
from quizzes.authoring.loading import load
from quizzes.classes.assignments import set_exceptions
from quizzes.classes.models import Assignment, AssignmentException
from quizzes.classes.publishing.later import publish_closed_drafts
from quizzes.classes.publishing.running_work import work_on_exercise
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import AuditEntry, Course
from quizzes.courses.withdrawal import withdraw
from quizzes.lessons.models import Lesson, Step
from quizzes.lessons.services import mark_read
from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.drafts import content_of_draft, create_draft, question_drafts, quiz_drafts, revision_of
from tests.exercises.making import ready_exercise
from tests.factories import (
    DAY,
    assign,
    create_account,
    create_attempt,
    create_class,
    create_lesson,
    create_member,
    create_quiz,
    create_submission,
)
from tests.lessons.course import write_course

pytestmark = pytest.mark.django_db


def taught_class(client):
    """Create a class whose instructor, an editor of the course, is signed in."""
    client.force_login(create_account("teacher", role="editor"))
    cohort = create_class()
    create_member(cohort, "teacher", role="instructor")
    return cohort


def test_publishing_waits_for_a_tick_while_a_class_is_at_it(client):
    cohort = taught_class(client)
    ada = create_member(cohort)
    one = assign(cohort, create_quiz())
    create_attempt(one, ada, 1, timezone.now())
    where = f"/teach/courses/{cohort.course.slug}/quizzes/codes/"
    page = client.get(where).content.decode()
    assert "Class autumn, Codes: 0 attempts open, 1 submitted, by 1 student; it never" in page
    content = content_of_quiz(Quiz.objects.get())
    asked = [str(place) if isinstance(place, str) else place for place in content["questions"]]
    sent = {
        "do": "publish",
        "revision": revision_of(Quiz.objects.get()),
        "title": "Another title",
        "summary": "New.",
    }
    sent["questions"] = [one if isinstance(one, str) else one["slug"] for one in asked]
    answer = client.post(where, sent, follow=True).content.decode()
    assert "Saved, not published" in answer
    assert Quiz.objects.get().title == "Codes"
    revision = answer.split('name="revision" value="')[1].split('"')[0]
    waits = client.post(where, sent | {"when": "closed", "revision": revision}, follow=True)
    assert "Saved, not published" in waits.content.decode()  # it never closes
    Assignment.objects.update(closes_at=timezone.now() + DAY)
    revision = revision_of(Quiz.objects.get())
    waits = client.post(where, sent | {"when": "closed", "revision": revision}, follow=True)
    assert "This draft will be published once no class" in waits.content.decode()
    assert (publish_closed_drafts(), Quiz.objects.get().title) == (0, "Codes")
    Assignment.objects.update(closes_at=timezone.now() - DAY)
    assert (publish_closed_drafts(), Quiz.objects.get().title) == (1, "Another title")
    assert AuditEntry.objects.first().act == "published"
    Assignment.objects.update(closes_at=None)
    revision = revision_of(Quiz.objects.get())
    again = sent | {"title": "At once", "when": "now", "revision": revision}
    client.post(where, again)
    assert Quiz.objects.get().title == "At once"


def words_of(answer):
    return " ".join(strip_tags(answer.content.decode()).split())


@pytest.fixture
def planned(client):
    """Return a class with a quiz to do, and how an editor plans to publish another title of it."""
    cohort = taught_class(client)
    one = assign(cohort, create_quiz(), due_at=timezone.now(), closes_at=timezone.now() + DAY)
    where = f"/teach/courses/{cohort.course.slug}/quizzes/codes/"

    def send(do="publish"):
        content = client.get(where).context["content"]
        sent = {"do": do, "title": "Another title", "summary": "New.", "when": "closed"}
        sent["revision"] = revision_of(Quiz.objects.get())
        sent["questions"] = [
            one if isinstance(one, str) else one["slug"] for one in content["questions"]
        ]
        sent |= {"class_only": "on"} if content.get("class_only") else {}
        return words_of(client.post(where, sent, follow=True))

    def close():
        Assignment.objects.update(due_at=None, closes_at=timezone.now() - DAY)
        return publish_closed_drafts(), Quiz.objects.get().title

    return SimpleNamespace(cohort=cohort, one=one, where=where, send=send, close=close)


@pytest.mark.parametrize("again", [False, True])
def test_a_plan_outlives_that_the_quiz_is_made_class_only(planned, client, again):
    planned.send()
    class_only = f"/teach/classes/{planned.cohort.slug}/assignments/{planned.one.pk}/class-only/"
    assert client.post(class_only, {"class_only": "yes"}).status_code == 302
    if again:
        assert "Saved. It will be published when" in planned.send()
    assert planned.close() == (1, "Another title")
    assert Quiz.objects.get().class_only


def test_what_is_withdrawn_comes_back_by_no_plan(planned):
    planned.send()
    quiz = Quiz.objects.get()
    withdraw(quiz)
    assert planned.close() == (0, quiz.title)
    assert not Quiz.objects.get().is_published
    assert content_of_draft()["title"] == "Another title"


@pytest.mark.parametrize("is_planned_again", [False, True])
def test_no_plan_brings_back_withdrawn_quiz(planned, client, is_planned_again):
    planned.send()
    quiz = Quiz.objects.get()
    kind = next(kind for kind in KINDS if kind.name == "quiz")
    loading.withdraw(kind, quiz.course, quiz.slug)
    assert not quiz_drafts().get().publish_when_closed
    if is_planned_again:
        assert "Saved. It will be published when" in planned.send()
    assert planned.close() == (0, quiz.title)
    assert not Quiz.objects.get().is_open
    reason = quiz_drafts().get().not_published_why
    assert reason == ("the quiz is withdrawn" if is_planned_again else "")


def test_a_withdrawn_question_comes_back_by_no_plan(asked):
    asked.send(do="publish", when="closed", prompt="Reworded?")
    assert question_drafts().get().publish_when_closed
    withdraw(asked.question)
    Assignment.objects.update(due_at=None, closes_at=timezone.now() - DAY)
    assert (publish_closed_drafts(), version_asked()) == (0, 1)


def test_what_is_planned_again_is_based_on_what_is_published_by_then(planned):
    planned.send()
    Quiz.objects.update(title="By a load")
    planned.send()
    assert planned.close() == (1, "Another title")


def test_a_plan_that_is_given_up_is_told_on_the_page_and_in_the_log(planned, client):
    planned.send()
    Quiz.objects.update(title="By a load")
    assert planned.close() == (0, "By a load")
    why = "the published quiz was changed after this was planned"
    said = words_of(client.get(planned.where))
    assert "This draft was not published as planned on" in said
    assert f"UTC: {why}. The draft has been kept" in said
    entry = AuditEntry.objects.first()
    assert str(entry).endswith(f"could not publish quiz codes when it had closed: {why}")
    assert entry.course == planned.cohort.course
    assert content_of_draft()["title"] == "Another title"
    assert "was not published" not in planned.send()  # no class has it to do: at once
    assert Quiz.objects.get().title == "Another title"


def test_the_page_says_when_a_draft_is_published_and_how_to_cancel_that(planned, client):
    closes = timezone.now().replace(year=2031, month=1, day=2, hour=9, minute=0)
    Assignment.objects.update(closes_at=closes)
    said = planned.send()
    assert "Class autumn, Codes: closes 2 Jan 2031, 10:00 (Europe/Vienna)" in said
    assert "To cancel this, press Save as draft" in said
    said = words_of(
        client.post(
            planned.where,
            {"do": "save", "title": "Another title", "revision": revision_of(Quiz.objects.get())},
            follow=True,
        )
    )
    assert "It will not be published when the quiz closes." in said
    assert "This draft will be published" not in said


def test_a_draft_that_cannot_be_published_when_its_time_comes_waits_no_longer():
    quiz = create_quiz()
    content = content_of_quiz(quiz) | {"questions": ["not-there"]}
    create_draft(quiz, content, publish_when_closed=True)
    assert publish_closed_drafts() == 0
    draft = quiz_drafts().get()
    assert not draft.publish_when_closed
    assert draft.not_published_why == "the published quiz was changed after this was planned"


def form_of(question, **changed):
    """The fields that the page of a question sends."""
    fields = {"revision": revision_of(Question.objects.get(pk=question.pk)), "kind": "single"}
    version = question.current
    fields |= {"prompt": version.prompt, "step": version.step, "tags": ", ".join(version.tags)}
    for option in version.options.all():
        fields |= {f"text-{option.order}": option.text, f"reason-{option.order}": option.reason}
        fields |= {f"mistake-{option.order}": option.mistake}
    return fields | {"key": "1", "do": "publish"} | changed


@pytest.fixture
def asked(client):
    """Return a class that has a quiz to do, its first question, and how to publish that."""
    cohort = taught_class(client)
    create_lesson("sinusoidal-values", steps=["the-formula"])
    one = assign(cohort, create_quiz(), due_at=timezone.now(), closes_at=timezone.now() + DAY)
    question = Question.objects.select_related("current").get(slug="codes-1")
    where = f"/teach/courses/{cohort.course.slug}/questions/codes-1/"

    def send(**changed):
        answer = client.post(where, form_of(question, **changed), follow=True)
        return " ".join(strip_tags(answer.content.decode()).split())

    return SimpleNamespace(cohort=cohort, one=one, question=question, send=send)


def version_asked():
    return Question.objects.get(slug="codes-1").current.number


@pytest.mark.parametrize("way", ["named", "by its pool", "by a new tag"])
def test_a_question_of_a_quiz_that_a_class_is_doing_is_not_published_unasked(asked, way):
    ada, bob = create_member(asked.cohort), create_member(asked.cohort, "bob")
    create_attempt(asked.one, ada, 1, timezone.now())
    create_attempt(asked.one, ada, 1, timezone.now())
    create_attempt(asked.one, bob, 1, timezone.now(), written=False)
    changed = {"prompt": "Another text?"}
    if way != "named":
        changed |= {"tags": "codes"} if way == "by a new tag" else {}
        QuestionVersion.objects.filter(pk=asked.question.current_id).update(tags=["codes"])
        asked.question.places.update(question=None, draw=1, tag="codes")
        if way == "by a new tag":
            QuestionVersion.objects.filter(pk=asked.question.current_id).update(tags=[])
    said = asked.send(**changed)
    assert "Saved, not published" in said
    assert "Class autumn, Codes: 1 attempt open, 2 submitted, by 2 students; it closes" in said
    assert version_asked() == 1
    assert "Published: version 2" in asked.send(**changed, when="now")
    assert version_asked() == 2


def test_a_question_waits_until_its_quiz_has_closed_for_everybody(asked):
    late = create_member(asked.cohort)
    changed = {"prompt": "Another text?", "when": "closed"}
    said = asked.send(**changed)
    assert (
        "This draft will be published once no class is working on a quiz with this question" in said
    )
    assert "version 1 until the draft is published, as planned below" in said
    assert "This draft will be published" not in asked.send(prompt="A third text?", do="save")
    asked.send(**changed)
    longer = {"closes_at": timezone.now() + 2 * DAY}
    set_exceptions(assignment=asked.one, members=[late], values=longer, by=None)
    Assignment.objects.update(due_at=None, closes_at=timezone.now() - DAY)
    assert (publish_closed_drafts(), version_asked()) == (0, 1)  # one member has it to do still
    AssignmentException.objects.update(closes_at=timezone.now() - DAY)
    assert (publish_closed_drafts(), version_asked()) == (1, 2)
    assert not question_drafts().exists()
    entry = AuditEntry.objects.latest("pk")
    assert (entry.subjects, entry.about) == ([["question", "codes-1", "codes-1"]], "version 2")


def test_a_waiting_question_that_cannot_be_published_any_more_waits_no_longer(asked):
    asked.send(prompt="Another text?", when="closed")
    Assignment.objects.update(due_at=None, closes_at=timezone.now() - DAY)
    Step.objects.all().delete()
    assert (publish_closed_drafts(), version_asked()) == (0, 1)
    draft = question_drafts().get()
    assert not draft.publish_when_closed
    assert draft.not_published_why.startswith("it cannot be published as it is (")
    entry = AuditEntry.objects.first()
    assert entry.subjects == [["question", "codes-1", "codes-1"]]
    assert entry.about.startswith("when it had closed: it")


def test_nothing_is_asked_where_no_class_would_notice(asked):
    asked.send(when="now")
    assert "Published: version 2" in asked.send()  # the same content
    hidden = Assignment.objects.filter(pk=asked.one.pk)
    for facts in ({"is_visible": False}, {"due_at": None, "closes_at": timezone.now() - DAY}):
        hidden.update(**facts)
        number = version_asked() + 1
        assert f"Published: version {number}" in asked.send(prompt=f"Text {number}?")


def test_a_load_says_which_classes_have_what_it_updates_to_do(tmp_path):
    folder = write_course(tmp_path, {"one": "Words."})
    text = QUESTION.replace("sums/adding", "first/one")
    write_question(folder, "sum", text)
    write_quiz(folder, "sums", "sum")
    load(read_course_files(DiskFiles(folder)))
    cohort = create_class(course=Course.objects.get(slug="course"))
    one = assign(cohort, Quiz.objects.get(slug="sums"))
    create_attempt(one, create_member(cohort), 1, timezone.now())
    write_question(folder, "sum", text.replace("$1 + 1$", "1 and 1"))
    said = [str(work) for work in load(read_course_files(DiskFiles(folder))).in_class]
    begun = "assigned to the class Class autumn (0 open attempts, 1 submitted)"
    assert said == [f"question 'sum': {begun}; attempts started from now on use what was loaded"]
    (folder / "quizzes/sums.yaml").write_text("title: Sum\nsummary: Up.\nquestions: [sum]\n")
    said = StringIO()
    call_command("load_content", str(folder), stdout=said)
    assert f"{folder}: quiz 'sums': {begun}" in said.getvalue()


def test_submissions_to_an_exercise_in_a_class_are_counted():
    cohort, now = create_class(), timezone.now()
    ada = create_member(cohort)
    one = assign(cohort, ready_exercise())
    create_submission(one, ada, "wrong", now - DAY)
    create_submission(one, ada, "correct", now)
    create_submission(one, create_member(create_class("spring"), "bob"), "correct", now)
    (work,) = work_on_exercise(one.exercise)
    assert (work.assignment, work.people, work.handed_in, work.closes_at) == (one, 1, 2, None)
    Assignment.objects.update(opens_at=now + DAY)
    assert work_on_exercise(one.exercise) == []


def test_a_question_that_a_class_is_asked_is_withdrawn_with_a_tick_alone(asked, client):
    where = f"/teach/courses/{asked.question.course.slug}/questions/{asked.question.slug}/"
    page = words_of(client.get(where))
    assert "a quiz with this question: Class autumn, Codes. Attempts that have already" in page
    assert "Not withdrawn: classes are" in words_of(client.post(f"{where}withdraw/", follow=True))
    assert Question.objects.available().filter(pk=asked.question.pk).exists()
    sent = client.post(f"{where}withdraw/", {"running": "yes"}, follow=True)
    assert "Withdrawn: it is no longer asked" in words_of(sent)
    assert not Question.objects.available().filter(pk=asked.question.pk).exists()


def test_a_withdrawn_exercise_stays_for_a_class_that_has_it_to_do(client):
    exercise = ready_exercise()
    cohort = create_class(course=exercise.course)
    ada, bea = create_member(cohort), create_member(cohort, "bea", state="removed")
    assign(cohort, exercise)
    withdraw(exercise)
    for person, page, draft in ((bea, 410, 404), (ada, 200, 200)):
        client.force_login(person.user)
        assert client.get(exercise.get_absolute_url()).status_code == page
        sent = {"code": "x = 1", "token": ""}
        assert client.post(f"{exercise.get_absolute_url()}draft/", sent).status_code == draft


def test_class_page_leads_past_withdrawn_questions(tmp_path, client):
    """To the first step where something can still be done, and without one to the lesson."""
    asking = "Words.\n\n```question\nslug: sum\n```\n"
    folder = write_course(tmp_path, {"one": asking, "two": "More words.", "three": asking})
    write_question(folder, "sum", QUESTION.replace("sums/adding", "first/one"))
    load(read_course_files(DiskFiles(folder)))
    cohort = create_class(course=Course.objects.get(slug="course"))
    ada = create_member(cohort)
    assign(cohort, Lesson.objects.get(slug="first"))
    client.force_login(ada.user)

    def leads_to():
        page = client.get(f"/class/{cohort.slug}/").content.decode().partition("<main")[2]
        return re.search(r'href="/c/course/learn/first/([a-z]*)/?"', page)[1]

    assert leads_to() == "one"
    withdraw(Question.objects.get(slug="sum"))
    assert leads_to() == "two"
    two = Step.objects.get(slug="two")
    mark_read(learner=ada.user.learner, lesson=two.lesson, step=two)
    assert leads_to() == ""


def test_a_withdrawn_lesson_stays_for_a_class_that_has_it_to_do(client):
    cohort, lesson = create_class(), create_lesson("sinusoidal-values", steps=["the-formula"])
    ada, bea = create_member(cohort), create_member(cohort, "bea", state="removed")
    assign(cohort, lesson)
    Lesson.objects.update(withdrawn_at=timezone.now())
    for person, status in ((bea, 410), (ada, 302)):
        client.force_login(person.user)
        assert client.get(lesson.get_absolute_url()).status_code == status
