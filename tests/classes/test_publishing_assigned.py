"""Publishing into a quiz that a class is doing says who has begun, and asks."""

import pytest
from django.utils import timezone

from quizzes.assessment.models import Quiz
from quizzes.assessment.quiz_drafts import content_of_quiz
from quizzes.courses.models import CourseStaff
from tests.classes.working import a_class, a_member, a_quiz, assign, attempted

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
    client.post(where, sent | {"from_now": "yes", "revision": revision})
    assert Quiz.objects.get().title == "Another title"
