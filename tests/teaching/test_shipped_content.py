"""Every question and quiz of the shipped courses opens; saved unchanged, it stays as it is."""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.http import QueryDict
from django.test import Client

from quizzes.assessment.models import Question, QuestionVersion, Quiz
from quizzes.assessment.question_fields import GENERATED
from quizzes.authoring.course_files import KINDS
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import ContentDraft, Course, Edition
from quizzes.exercises.models import Exercise
from quizzes.teaching.addresses import address_in
from tests.drafts import editable
from tests.factories import create_browser
from tests.pages.test_filled_forms import Sent

pytestmark = pytest.mark.django_db
COURSES = sorted((Path(__file__).parents[2] / "quizzes/content").glob("*/course.yaml"))
STORED = {"question", "quiz", "lesson", "exercise"}


@pytest.fixture
def editor() -> Client:
    """Browse as an editor of the shipped courses, whose exercises are taken as verified."""
    browser = create_browser("eva", role="editor")
    for place, path in enumerate(COURSES, 10):
        facts = {"title": "A course", "place": place}
        course, _ = Course.objects.update_or_create(slug=path.parent.name, defaults=facts)
        user = browser.session["_auth_user_id"]
        course.staff.get_or_create(user_id=user, defaults={"role": "editor"})
        for kind in KINDS:
            for source in kind.read(DiskFiles(path.parent))[0] if kind.name in STORED else ():
                kind.save(course, source)
    for exercise in Exercise.objects.filter(course__place__gte=10):  # as a worker verifies them
        Exercise.objects.filter(pk=exercise.pk).update(current=exercise.versions.get())
    return browser


def shipped(model: Any) -> Any:
    return model.objects.filter(course__place__gte=10).select_related("course").order_by("pk")


def check_opens_and_stays(editor: Client, rows: Iterable[Question | Quiz]) -> int:
    """Open and save each of these; return how many have a form."""
    before, opened = list(counts()), 0
    for row in rows:
        address = address_in(row.course, str(row._meta.model_name), row.slug)
        page = editor.get(address)
        assert page.status_code == 200, address
        html = page.content.decode()
        form = html[html.index('id="writing"') :]
        data = QueryDict(mutable=True)
        for name, value in Sent(form[: form.index("</form>")]).fields:
            data.appendlist(name, value)
        thing = editable(row)
        assert thing.content(thing.files(thing.published() or {})) == thing.published(), address
        for button in ("save", "publish"):
            data["do"] = button
            data["revision"] = page.context["revision"]
            said = editor.post(address, dict(data.lists()), follow=True)
            assert said.status_code == 200, address
            assert (button == "publish") or "Nothing was changed." in said.content.decode(), address
        opened += 1
    assert list(counts()) == before
    return opened


def counts() -> Iterator[Any]:
    yield from (model.objects.count() for model in (ContentDraft, Edition, QuestionVersion))
    yield [editable(quiz).published_hash() for quiz in shipped(Quiz)]
    yield list(shipped(Question).values_list("pk", "current_id", "current__content_hash"))


def test_shipped_thing_of_each_kind_stays(editor: Client) -> None:
    rows: list[Any] = [
        shipped(Question).filter(current__kind=kind, current__generator={}).first()
        for kind in QuestionVersion.Kind
    ]
    drawn = shipped(Question).exclude(current__generator={})
    rows += [drawn.filter(current__kind=kind).first() for kind in GENERATED]
    rows += [shipped(Quiz).filter(places__draw=None).first(), shipped(Quiz).last()]
    assert check_opens_and_stays(editor, filter(None, rows)) >= 4  # of two kinds there are none


@pytest.mark.soak  # 200 pages, each opened once and sent twice
def test_all_shipped_things_stay(editor: Client) -> None:
    rows = [*shipped(Question), *shipped(Quiz)]
    assert check_opens_and_stays(editor, rows) > 100
