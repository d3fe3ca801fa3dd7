"""Pictures as authors upload, insert and remove them in the browser."""

import re

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from quizzes.content_files.typed_text import isolate
from quizzes.courses.models import AuditEntry
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures import course_pictures
from tests.factories import create_browser
from tests.lessons.picture_data import noise, photo, picture
from tests.teaching.forms import teach
from tests.teaching.lesson_forms import opened

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

PICTURES = teach("contents/pictures/")
LESSON = teach("lessons/sums/")


def words_of(page):
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page.content.decode()))


def upload(browser, data=None, name="Two cells.PNG", **fields):
    file = SimpleUploadedFile(name, picture() if data is None else data, "image/png")
    return browser.post(PICTURES, {"file": file, **fields}, follow=True)


def test_an_upload_can_be_inserted_and_read(ada, course):
    assert "The picture two-cells can be inserted into lessons now." in words_of(upload(ada))
    assert AuditEntry.objects.filter(act="uploaded the picture").count() == 1
    form = opened(course, "sums", do="insert", block="picture:two-cells", into="1")
    assert 'value="picture:two-cells"' in ada.get(LESSON).content.decode()
    ada.post(LESSON, form)
    page = words_of(ada.get(LESSON))
    assert "alt: missing" in page
    form = opened(course, "sums", do="save")
    form["text-1"] = form["text-1"].replace("alt:", "alt: Two cells.")
    ada.post(LESSON, form)
    shown = ada.get(f"{LESSON}preview/").content.decode()
    assert 'alt="Two cells." width="30" height="20"' in shown
    assert "Used in draft of lesson sums, step 1" in words_of(ada.get(PICTURES))
    assert "30 × 20, 1 KB" in words_of(ada.get(teach("contents/")))


@pytest.mark.parametrize(
    ("data", "name", "words"),
    [
        (b"", "cells.png", "the file is empty"),
        (b"<svg/>", "cells.svg", "SVG pictures are refused"),
        (b"<svg/>", "cells.png", "SVG pictures are refused"),
        (noise(700), "cells.png", "at most 1048576 are allowed"),
        (picture("JPEG")[:-40], "cells.jpg", "the picture is cut off"),
        (picture(), "细胞.png", "has no letters or digits"),
    ],
)
def test_a_refused_upload_stores_nothing(ada, data, name, words):
    page = upload(ada, data, name)
    assert page.status_code in {400, 413}
    assert page.status_code == 413 or words in words_of(page)
    assert not Picture.objects.exists()


def test_a_name_with_folders_is_only_a_name(ada):
    upload(ada, name="../../etc/Two__cells.png")
    assert Picture.objects.get().slug == "two-cells"
    assert "'../up': must be lower-case words" in words_of(upload(ada, slug="../up")).replace(
        "&#x27;", "'"
    )


def test_a_photo_is_stored_without_its_place(ada):
    upload(ada, photo(), "me.jpg")
    assert b"Mustermann" not in bytes(Picture.objects.get().data)


def test_second_picture_replaces_only_when_told(ada):
    upload(ada)
    other = picture("JPEG")
    assert "there is already a picture two-cells" in words_of(upload(ada, other))
    assert Picture.objects.get().kind == "png"
    assert "is replaced" in words_of(upload(ada, other, replaces="on"))
    assert Picture.objects.get().kind == "jpeg"
    assert "was there already, the same" in words_of(upload(ada, other))


def test_what_is_used_is_not_removed(ada, course):
    upload(ada)
    form = opened(course, "sums", do="save")
    form["text-1"] = "```picture\nslug: two-cells\nalt: Two cells.\n```\n"
    ada.post(LESSON, form)
    gone = teach("contents/pictures/two-cells/remove/")
    page = words_of(ada.post(gone, follow=True))
    assert f"Not removed: {isolate('two-cells')} is used in draft of lesson sums, step 1." in page
    form["text-1"] = "```picture\nslug: three-cells\nalt: Three cells.\n```\n"
    form["revision"] = opened(course, "sums")["revision"]
    ada.post(LESSON, form)
    assert "line 1: there is no picture" in words_of(ada.get(LESSON))
    assert "is removed" in words_of(ada.post(gone, follow=True))
    assert not Picture.objects.exists()
    assert ada.post(gone).status_code == 404


def test_pictures_of_a_course_are_bounded(ada, monkeypatch):
    monkeypatch.setattr(course_pictures, "MAX_PICTURES", 1)
    upload(ada)
    assert "has 1 pictures, which is the most" in words_of(upload(ada, name="more.png"))
    Picture.objects.update(loaded_hash="a" * 64)  # from files: removing keeps the row
    ada.post(teach("contents/pictures/two-cells/remove/"))
    assert "more can be inserted" in words_of(upload(ada, name="more.png"))
    monkeypatch.setattr(course_pictures, "MAX_PICTURES", 9)
    monkeypatch.setattr(course_pictures, "MAX_ALL_BYTES", 100)
    assert "at most 100 are allowed" in words_of(upload(ada, name="third.png"))


def test_only_editors_change_pictures(ada):
    upload(ada)
    vera = create_browser("vera", role="viewer")
    assert "two-cells" in words_of(vera.get(PICTURES))
    assert vera.post(PICTURES, {}).status_code == 403
    assert vera.post(teach("contents/pictures/two-cells/remove/")).status_code == 403
    stranger = create_browser("ida", role="")
    assert stranger.get(PICTURES).status_code == 404
    assert Picture.objects.count() == 1
