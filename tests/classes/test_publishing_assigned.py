"""Publishing into a quiz that a class is doing says who has begun, and asks."""

import pytest
from django.utils import timezone

from quizzes.assessment.models import Quiz, QuizDraft
from quizzes.assessment.quiz_drafts import content_of_quiz
from quizzes.classes.later_publishing import publish_closed_quizzes
from quizzes.classes.models import Assignment
from quizzes.courses.models import AuditEntry, CourseStaff
from tests.classes.working import DAY, a_class, a_member, a_quiz, assign, attempted

pytestmark = pytest.mark.django_db


def test_publishing_waits_for_a_tick_while_a_class_is_at_it(client):
    cohort = a_class()
    ada, teacher = a_member(cohort), a_member(cohort, "teacher", role="instructor")
    CourseStaff.objects.create(course=cohort.course, user=teacher.user, role="editor")
    one = assign(cohort, a_quiz())
    attempted(one, ada, 1, timezone.now())
    client.force_login(teacher.user)
    where = f"/teach/courses/{cohort.course.slug}/quizzes/codes/"
    page = client.get(where).content.decode()
    assert "Class autumn: 1 has begun" in page
    content = content_of_quiz(Quiz.objects.get())
    asked = [str(place) if isinstance(place, str) else place for place in content["questions"]]
    sent = {"do": "publish", "revision": "0", "title": "Another title", "summary": "New."}
    sent["questions"] = [one if isinstance(one, str) else one["slug"] for one in asked]
    answer = client.post(where, sent, follow=True).content.decode()
    assert "Saved, not published" in answer
    assert Quiz.objects.get().title == "Codes"
    revision = answer.split('name="revision" value="')[1].split('"')[0]
    waits = client.post(where, sent | {"when": "closed", "revision": revision}, follow=True)
    assert "Saved, not published" in waits.content.decode()  # it never closes
    Assignment.objects.update(closes_at=timezone.now() + DAY)
    revision = str(Quiz.objects.get().revision)
    waits = client.post(where, sent | {"when": "closed", "revision": revision}, follow=True)
    assert "This draft is published when no class" in waits.content.decode()
    assert (publish_closed_quizzes(), Quiz.objects.get().title) == (0, "Codes")
    Assignment.objects.update(closes_at=timezone.now() - DAY)
    assert (publish_closed_quizzes(), Quiz.objects.get().title) == (1, "Another title")
    assert AuditEntry.objects.first().act == "published"
    Assignment.objects.update(closes_at=None)
    revision = str(Quiz.objects.get().revision)
    again = sent | {"title": "At once", "when": "now", "revision": revision}
    client.post(where, again)
    assert Quiz.objects.get().title == "At once"


def test_a_draft_that_cannot_be_published_when_its_time_comes_waits_no_longer():
    quiz = a_quiz()
    content = content_of_quiz(quiz) | {"questions": ["not-there"]}
    QuizDraft.objects.create(quiz=quiz, content=content, publish_when_closed=True)
    assert publish_closed_quizzes() == 0
    assert not QuizDraft.objects.get().publish_when_closed
