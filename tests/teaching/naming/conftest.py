"""A small exercise, a draft of a known mistake, and students whose code has no name."""

import pytest

from quizzes.content_files.files import DiskFiles
from quizzes.exercises import publishing
from quizzes.exercises.files import read_exercise, save_exercise
from quizzes.exercises.models import Exercise
from quizzes.exercises.naming.drafts import begin_draft
from quizzes.exercises.naming.variant_file import VariantFields
from tests.courses import some_course
from tests.factories import (
    create_account,
    create_class,
    create_lesson,
    create_member,
)
from tests.teaching.naming.drafts import CODE, FOLDER, PRINT, add_group


@pytest.fixture
def exercise(db):
    """A small exercise whose verification and packs are made up."""
    create_lesson("basics", ["the-mean", "code-it"])
    source = read_exercise(DiskFiles(FOLDER.parent.parent), FOLDER.name, [])
    save_exercise(some_course(), source)
    version = publishing.lease_unverified()
    publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 6})
    return Exercise.objects.select_related("current", "course").get()


@pytest.fixture
def draft(exercise):
    editor = create_account("eve", role="editor")
    fields = VariantFields(code=CODE, step="basics/code-it")
    return begin_draft(exercise=exercise, fingerprint=PRINT, fields=fields, by=editor)


@pytest.fixture
def students(exercise):
    cohort = create_class()
    members = [create_member(cohort, name) for name in ("ada", "bob", "cy")]
    add_group(exercise, members[:2])
    add_group(exercise, members[2:], fingerprint="b" * 32)
    return members
