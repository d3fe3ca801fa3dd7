"""What is taken as a picture, what is taken out of it, and how a step shows it."""

import io
import struct
import zlib
from pathlib import Path

import pytest
from django.test import Client
from PIL import Image

from quizzes.content_files.files import MemoryFiles
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures import cleaning
from quizzes.lessons.pictures.cleaning import clean
from quizzes.lessons.pictures.header import MAX_BYTES, PictureError, read_header
from quizzes.lessons.pictures.picture_files import put_picture, read_pictures
from tests.courses import SLUG, some_course
from tests.factories import create_lesson
from tests.lessons.picture_data import encoded, noise, photo, picture

KINDS = ("PNG", "JPEG", "WEBP")


def png_header(width: int, height: int) -> bytes:
    """Return a PNG of 60 bytes that promises this many pixels."""
    chunks = ((b"IHDR", struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)), (b"IEND", b""))
    parts = (
        struct.pack(">I", len(content)) + name + content
        + struct.pack(">I", zlib.crc32(name + content))
        for name, content in chunks
    )  # fmt: skip
    return b"\x89PNG\r\n\x1a\n" + b"".join(parts)


def animated(kind: str) -> bytes:
    frames = [Image.new("RGB", (9, 9), (number * 90, 0, 0)) for number in range(3)]
    return encoded(frames[0], kind, save_all=True, append_images=frames[1:])


@pytest.mark.parametrize("kind", KINDS)
def test_a_photo_loses_place_and_owner(kind: str) -> None:
    data = photo(kind)
    assert b"Mustermann" in data
    cleaned = clean(data)
    assert b"Mustermann" not in cleaned.data
    again = Image.open(io.BytesIO(cleaned.data))
    assert (again.size, dict(again.getexif()), again.info.get("exif")) == ((20, 30), {}, None)
    assert clean(cleaned.data).data == cleaned.data


@pytest.mark.parametrize("kind", KINDS)
def test_a_clean_picture_keeps_its_bytes(kind: str) -> None:
    data = picture(kind)
    assert clean(data).data == data
    assert read_header(data).extras == ()


@pytest.mark.parametrize("behind", [b"<script>alert(1)</script>", b"PK\x03\x04 a zip"])
@pytest.mark.parametrize("kind", KINDS)
def test_a_polyglot_loses_what_follows_the_picture(kind: str, behind: bytes) -> None:
    data = picture(kind) + behind
    assert read_header(data).extras == ("bytes after its end",)
    assert behind not in clean(data).data


def test_other_colours_become_those_of_screens() -> None:
    cleaned = clean(encoded(Image.new("CMYK", (9, 9)), "JPEG", comment=b"by hand"))
    assert Image.open(io.BytesIO(cleaned.data)).mode == "RGB"
    see_through = encoded(Image.new("RGBA", (9, 9), (0, 0, 0, 70)), "WEBP", exif=b"Exif\0\0")
    assert Image.open(io.BytesIO(clean(see_through).data)).mode == "RGBA"


@pytest.mark.parametrize(
    ("data", "words"),
    [
        (b"", "the file is empty; expected a PNG, JPEG or WebP picture"),
        (b"x" * (MAX_BYTES + 1), "1048577 bytes, at most 1048576 are allowed"),
        (png_header(30_000, 30_000), "30000 x 30000 pixels; at most 4194304 are allowed"),
        (png_header(9000, 1), "8192 to a side"),
        (png_header(0, 9), "0 x 9 pixels: expected at least one"),
        (animated("PNG"), "the PNG is animated; expected one picture"),
        (animated("WEBP"), "the WebP is animated; expected one picture"),
        (picture("JPEG")[:-40], "the picture is cut off"),
        (picture("PNG")[:-20], "the picture is cut off"),
        (picture("WEBP")[:-9], "the picture is cut off"),
        (picture("PNG")[:40] + b"?" + picture("PNG")[41:], "a checksum in it is wrong"),
        (png_header(9, 9), "cannot be decoded"),
        (b"<?xml version='1.0'?><svg/>", "SVG pictures are refused"),
        (b"GIF89a" + b"\0" * 20, "no picture of a kind that is taken"),
        (b"\xff\xd8\xff", "the picture is cut off"),
    ],
)
def test_what_is_no_picture_is_refused(data: bytes, words: str) -> None:
    with pytest.raises(PictureError, match=words.replace("?", r"\?")):
        clean(data)


def test_a_decoder_that_hangs_is_ended(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    endless = tmp_path / "endless.py"
    endless.write_text("import time\ntime.sleep(60)\n")
    monkeypatch.setattr(cleaning, "PROGRAM", endless)
    monkeypatch.setattr(cleaning, "SECONDS", 0.2)
    with pytest.raises(PictureError, match="not decoded within"):
        clean(picture())


def test_picture_too_long_once_cleaned_is_refused() -> None:
    data = encoded(Image.effect_noise((1500, 1500), 90), "JPEG", quality=30, comment=b"x")
    assert len(data) < MAX_BYTES
    with pytest.raises(PictureError, match=r"written again without a comment: .* at most 1048576"):
        clean(data)


# ---- files


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("Two cells.png", picture(), "'Two cells': must be lower-case words joined by hyphens"),
        ("zwei-zöllen.png", picture(), "must be lower-case words joined by hyphens"),
        ("cells.PNG", picture(), "expected a name such as two-cells.png"),
        ("cells.jpeg", picture("JPEG"), "expected a name such as two-cells.png"),
        ("cells.png", picture("JPEG"), "the file is a JPEG picture; expected a name that ends"),
        ("cells.svg", b"<svg/>", "SVG pictures are refused"),
        ("cells.jpg", photo(), "the file holds more than its picture: Exif; write it again"),
        ("cells.png", b"", "the file is empty"),
        ("cells.png", noise(700), "is larger than 1048576 bytes"),
        ("more/cells.png", picture(), "pictures have no folders"),
    ],
)
def test_a_file_is_refused_by_name(name: str, data: bytes, words: str) -> None:
    _, problems = read_pictures(MemoryFiles("course", {f"pictures/{name}": data}))
    assert len(problems) == 1
    assert words in str(problems[0])
    assert problems[0].path == f"pictures/{name.partition('/')[0]}"


def test_two_files_of_one_name_are_refused() -> None:
    files = {"pictures/cells.jpg": picture("JPEG"), "pictures/cells.png": picture()}
    read, problems = read_pictures(MemoryFiles("course", files))
    assert [source.path for source in read] == ["pictures/cells.jpg"]
    assert "there is also pictures/cells.jpg; expected one picture of a name" in str(problems[0])


# ---- pages

BLOCK = "```picture\nslug: cells\nalt: Two cells.\ncaption: After *eleven* hours.\n```\n"


@pytest.fixture
def step(db: None) -> str:
    """A step that shows the picture cells; its address."""
    lesson = create_lesson("sums", ["adding"])
    lesson.steps.update(text=BLOCK)
    return lesson.steps.get().get_absolute_url()


def test_a_step_shows_a_picture(client: Client, step: str) -> None:
    put_picture(some_course(), "cells", clean(picture(size=(40, 30))))
    row = Picture.objects.get()
    address = f"/c/{SLUG}/pictures/{row.sha256[:16]}/cells.png"
    page = client.get(step).content.decode()
    assert f'src="{address}" alt="Two cells." width="40" height="30"' in page
    assert "<figcaption>After <em>eleven</em> hours.</figcaption>" in page
    sent = client.get(address)
    assert sent.content == bytes(row.data)
    assert sent["Content-Type"] == "image/png"
    assert sent["X-Content-Type-Options"] == "nosniff"
    assert "immutable" in sent["Cache-Control"]
    for other in (address.replace("png", "jpg"), address.replace(row.sha256[:16], row.sha256[:5]),
                  address.replace("cells", "other"), f"/c/{SLUG}/pictures/{'0' * 16}/cells.png",
                  address.replace(SLUG, "elsewhere")):  # fmt: skip
        assert client.get(other).status_code == 404
    put_picture(some_course(), "cells", clean(picture("WEBP")))
    assert client.get(address).status_code == 404
    assert "cells.webp" in client.get(step).content.decode()


def test_a_missing_picture_is_said_in_words(client: Client, step: str) -> None:
    page = client.get(step).content.decode()
    assert "The picture cells is not available. Two cells." in page
