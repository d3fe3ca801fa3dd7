"""Each shipped exercise opens in its form, and saved unchanged publishes nothing."""

import pytest

from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft
from quizzes.exercises.models import Exercise, ExerciseVersion
from tests.courses import some_course
from tests.shipped_course import load_shipped_course
from tests.teaching.exercise_forms import exercise_thing, form_of, opened, read
from tests.teaching.forms import teach

pytestmark = [pytest.mark.django_db]


@pytest.fixture(autouse=True)
def step(db):
    """The shipped course has the steps."""
    load_shipped_course()


def test_unchanged_shipped_exercises_publish_nothing(ada):
    course, versions = some_course(), ExerciseVersion.objects.count()
    exercises = list(Exercise.objects.filter(course=course))
    assert len(exercises) >= 23
    for exercise in exercises:
        thing = exercise_thing(course, exercise.slug)
        now = current_text(thing)
        assert read(form_of(now.content)) == now.content
        assert thing.content(thing.files(now.content)) == now.content
        checked = thing.check(now.content)
        assert checked.problems == ()
        assert checked.source.content_hash == exercise.loaded_hash
        address = teach(f"exercises/{exercise.slug}/write/")
        for button in ("save", "publish"):
            said = ada.post(address, opened(course, exercise.slug, do=button), follow=True)
            assert said.status_code == 200
            words = "Nothing was changed." if button == "save" else "Published"
            assert words in said.content.decode()
        exercise.refresh_from_db()
        assert exercise.loaded_hash == checked.source.content_hash
    assert not ContentDraft.objects.exists()
    assert ExerciseVersion.objects.count() == versions
