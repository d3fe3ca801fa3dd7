"""Pictures of a course as files: loaded, exported, copied and zipped byte for byte."""

import io
import zipfile
from io import StringIO
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command

from quizzes.authoring.begun_courses import begin_course, files_of_new_course
from quizzes.authoring.changed_content import Change
from quizzes.authoring.copies import copy_course
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.course_zip import write_zip
from quizzes.authoring.exporting import export, texts_of
from quizzes.authoring.loading import Choice, load
from quizzes.authoring.uploads import apply_upload, plan_upload
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.learners.models import User
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures.cleaning import clean
from quizzes.lessons.pictures.course_pictures import add_picture, remove_picture
from tests.lessons.course import write_course
from tests.lessons.picture_data import photo, picture

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

TEXT = "Words.\n\n```picture\nslug: cells\nalt: Two cells.\n```\n"


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A course folder whose first step shows a picture."""
    root = write_course(tmp_path, {"one": TEXT, "two": "Words."})
    (root / "pictures").mkdir()
    (root / "pictures/cells.jpg").write_bytes(picture("JPEG"))
    return root


def load_folder(root: Path, choice: Choice = Choice.NOBODY):
    files = read_course_files(DiskFiles(root))
    assert files.problems == ()
    return load(files, choice=choice)


def files_below(root: Path) -> dict[str, bytes]:
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in root.rglob("*")
        if path.is_file()
    }


def the_course() -> Course:
    return Course.objects.get(slug="course")


def test_an_export_is_what_was_loaded(root: Path, tmp_path: Path) -> None:
    load_folder(root)
    before = files_below(root)
    assert load_folder(root).counts == {}
    assert export(root, the_course()).written == []
    assert files_below(root) == before
    empty = tmp_path / "other" / "course"
    empty.mkdir(parents=True)
    export(empty, the_course())
    assert (empty / "pictures/cells.jpg").read_bytes() == picture("JPEG")
    assert load_folder(empty).counts == {}


def test_a_folder_follows_a_picture_that_changed(root: Path) -> None:
    load_folder(root)
    eve = User.objects.create_user("eve")
    add_picture(the_course(), "cells", clean(picture("PNG")), replaces=True, by=eve)
    assert export(root, the_course()).deleted == ["pictures/cells.jpg"]
    assert (root / "pictures/cells.png").read_bytes() == picture("PNG")
    assert load_folder(root).conflicts == []


def test_picture_changed_on_both_sides_conflicts(root: Path) -> None:
    load_folder(root)
    eve = User.objects.create_user("eve")
    add_picture(the_course(), "cells", clean(picture("PNG")), replaces=True, by=eve)
    (root / "pictures/cells.jpg").write_bytes(picture("JPEG", size=(9, 9)))
    (conflict,) = load_folder(root).conflicts
    assert "picture 'cells' was changed in the file" in str(conflict)
    assert conflict.page == "/teach/courses/course/contents/pictures/"
    assert Picture.objects.get().kind == "png"
    load_folder(root, Choice.OURS)
    assert (Picture.objects.get().kind, Picture.objects.get().width) == ("jpeg", 9)


def test_a_picture_that_files_lack_is_withdrawn(root: Path) -> None:
    load_folder(root)
    step = root / "lessons/first/steps/01-one.md"
    (root / "pictures/cells.jpg").unlink()
    faults = [str(fault) for fault in read_course_files(DiskFiles(root)).problems]
    assert faults == ["lessons/first/steps/01-one.md:3: there is no picture 'cells'"]
    step.write_text("Words.\n")
    assert load_folder(root).withdrawn == [("picture", "cells")]
    assert not [path for path in texts_of(the_course()) if path.startswith("pictures/")]
    (root / "pictures/cells.jpg").write_bytes(picture("JPEG"))
    step.write_text(TEXT)
    load_folder(root)
    assert Picture.objects.get().withdrawn_at is None


def test_removal_in_the_browser_outlives_a_load(root: Path) -> None:
    load_folder(root)
    eve = User.objects.create_user("eve")
    assert remove_picture(the_course(), "cells", by=eve) == ["step first/one"]
    (root / "lessons/first/steps/01-one.md").write_text("Words.\n")
    load_folder(root)
    assert remove_picture(the_course(), "cells", by=eve) == []
    assert load_folder(root).counts == {}
    assert export(root, the_course()).deleted == ["pictures/cells.jpg"]


def test_copy_and_zip_have_the_same_bytes(root: Path) -> None:
    load_folder(root)
    copy = copy_course(the_course(), slug="copied")
    assert texts_of(copy)["pictures/cells.jpg"] == picture("JPEG")
    data = write_zip(copy)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        assert packed.read("copied/pictures/cells.jpg") == picture("JPEG")
    assert plan_upload("copied", data).changes == []
    plan = plan_upload("third", data)
    assert ("picture", "cells", Change.NEW) in {
        (change.kind, change.slug, change.change) for change in plan.changes
    }
    eve = User.objects.create_user("eve")
    third, _ = apply_upload("third", data, digest=plan.digest, choice=Choice.NOBODY, by=eve)
    assert bytes(third.pictures.get().data) == picture("JPEG")
    assert write_zip(third) == data.replace(b"copied/", b"third/") or texts_of(third) == texts_of(
        copy
    ) | {"course.yaml": texts_of(third)["course.yaml"]}


def test_photo_in_a_zip_is_refused_by_name() -> None:
    files = files_of_new_course("algebra", title="Algebra", summary="Sums.", example=False)
    course = begin_course(files, owner=User.objects.create_user("eve"), act="began the course")
    held = io.BytesIO(write_zip(course))
    with zipfile.ZipFile(held, "a") as packed:
        packed.writestr("algebra/pictures/me.jpg", photo())
    (fault,) = plan_upload("algebra", held.getvalue()).faults
    assert fault.startswith("pictures/me.jpg:1: the file holds more than its picture: Exif;")


def test_clean_pictures_writes_photos_again(root: Path) -> None:
    (root / "pictures/me.jpg").write_bytes(photo())
    said = StringIO()
    call_command("clean_pictures", root, stdout=said)
    assert said.getvalue().endswith("pictures/me.jpg: written again\n")
    assert (root / "pictures/cells.jpg").read_bytes() == picture("JPEG")
    load_folder(root)
    before = files_below(root)
    call_command("clean_pictures", root, stdout=StringIO())
    assert files_below(root) == before
    (root / "pictures/me.jpg").write_bytes(photo()[:-50])
    wrong = StringIO()
    with pytest.raises(CommandError, match="1 of the pictures could not be cleaned"):
        call_command("clean_pictures", root, stdout=StringIO(), stderr=wrong)
    assert "pictures/me.jpg:1: the picture is cut off" in wrong.getvalue()
