"""Lessons in the browser: drafts, faults, publishing, versions, and what learners keep."""

import pytest
from django.http import QueryDict

from quizzes.classes.publishing.lesson_drafts import EditableLesson
from quizzes.courses.drafts import current_text
from quizzes.courses.editions import editions_of
from quizzes.courses.models import ContentDraft
from quizzes.learners.models import Progress
from quizzes.lessons.models import Lesson
from quizzes.teaching.lesson_form import read_lesson
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def step(db):
    """The shipped course has the steps."""
    load_shipped_course()


def thing(slug="why-order"):
    lesson = Lesson.objects.select_related("course").get(course=some_course(), slug=slug)
    return EditableLesson(lesson)


def form_of(content, **changes):
    """Return the fields of a form with this content, as a browser sends them."""
    fields = {
        "title": content["title"],
        "summary": content["summary"],
        "form": content["form"],
        "prerequisites": "\r\n".join(content["prerequisites"]),
        "steps": [str(number) for number in range(1, len(content["steps"]) + 1)],
    }
    for number, step in enumerate(content["steps"], start=1):
        fields[f"slug-{number}"] = step["slug"]
        fields[f"title-{number}"] = step["title"]
        fields[f"text-{number}"] = step["text"].replace("\n", "\r\n")
        if step["going_deeper"]:
            fields[f"deeper-{number}"] = "on"
        for place, source in enumerate([*step["sources"], {"work": "", "where": ""}], start=1):
            fields[f"work-{number}-{place}"] = source["work"]
            fields[f"where-{number}-{place}"] = source["where"]
    return fields | changes


def opened(slug="why-order", do="publish", **changes):
    """Return the form of a lesson that is opened now, with some fields changed."""
    now = current_text(thing(slug))
    return form_of(now.content, revision=now.revision, do=do) | changes


def page_of(slug="why-order", rest=""):
    return teach(f"lessons/{slug}/{rest}")


def read(fields):
    data = QueryDict(mutable=True)
    for name, value in fields.items():
        data.setlist(name, value if isinstance(value, list) else [value])
    return read_lesson(data)


def test_changed_word_is_published(ada, client):
    fields = opened()
    fields["text-1"] = fields["text-1"].replace("order", "sequence", 1)
    page = ada.get(page_of())
    assert page.status_code == 200
    ada.post(page_of(), fields | {"do": "save"})
    shown = ada.get(page_of(rest="preview/")).content.decode()
    assert "sequence" in shown
    said = ada.post(page_of(), opened(), follow=True).content.decode()
    assert "Published with" in said
    step = Lesson.objects.get(slug="why-order", course=some_course()).steps.first()
    assert "sequence" in step.text
    page = client.get(at(f"/learn/why-order/{step.slug}/"))
    assert "sequence" in page.content.decode()
