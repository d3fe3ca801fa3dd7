"""Each shipped lesson opens in its form, and saved unchanged publishes nothing."""

import pytest

from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft, Edition
from quizzes.lessons.models import Lesson
from tests.courses import at, some_course
from tests.shipped_course import load_shipped_course
from tests.teaching.forms import teach
from tests.teaching.lesson_forms import form_of, lesson_thing, opened, read

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def step(db):
    """The shipped course has the steps."""
    load_shipped_course()


def test_unchanged_shipped_lessons_publish_nothing(ada):
    course, editions = some_course(), Edition.objects.count()
    lessons = list(Lesson.objects.filter(course=course))
    assert len(lessons) >= 15
    for lesson in lessons:
        thing = lesson_thing(course, lesson.slug)
        now = current_text(thing)
        assert read(form_of(now.content)) == now.content
        assert thing.content(thing.files(now.content)) == now.content
        checked = thing.check(now.content)
        assert checked.problems == ()
        assert checked.source.content_hash == lesson.loaded_hash
        address = teach(f"lessons/{lesson.slug}/")
        said = ada.post(address, opened(course, lesson.slug, do="save"), follow=True)
        assert "Nothing was changed." in said.content.decode()
    assert not ContentDraft.objects.exists()
    assert Edition.objects.count() == editions


def test_changed_word_is_previewed_and_published(ada, client):
    course, page = some_course(), teach("lessons/why-order/")
    fields = opened(course, "why-order", do="save")
    fields["text-1"] = f"A word that is new.\r\n\r\n{fields['text-1']}"
    step = Lesson.objects.get(slug="why-order", course=course).steps.first()
    row, address = step.pk, at(f"/learn/why-order/{step.slug}/")
    unsaved = ada.post(f"{page}preview/", fields | {"step": "1"}).content.decode()
    assert "A word that is new." in unsaved
    assert "It is not saved." in unsaved
    ada.post(page, fields)
    shown = ada.get(f"{page}preview/?step=1").content.decode()
    assert "A word that is new." in shown
    assert 'id="2" tabindex="-1"' in shown, "its screens"
    assert "data-control" in shown or "<svg" in shown
    assert "A word that is new." not in client.get(address).content.decode()
    said = ada.post(page, opened(course, "why-order"), follow=True).content.decode()
    assert "Published with 10 steps: learners can now read it." in said
    assert "A word that is new." in client.get(address).content.decode()
    assert Lesson.objects.get(slug="why-order", course=course).steps.first().pk == row
    newest = ada.get(f"{page}versions/2/")
    (change,) = newest.context["changes"]
    assert change.label == f"Step {step.slug}, text"
    assert [piece.text for piece in change.pieces if piece.kind == "added"] == [
        "A word that is new.\n\n"
    ]
