"""A zip of a course: written the same each time, and hostile ones refused before any work."""

import contextlib
import io
import math
import stat
import struct
import time
import zipfile
from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st

from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.course_zip import (
    MAX_DEPTH,
    MAX_ENTRIES,
    MAX_NAME,
    MAX_UNPACKED,
    MAX_ZIP_BYTES,
    ZipError,
    read_zip,
)
from quizzes.authoring.uploads import MeteredFiles
from quizzes.content_files.plain_file import MAX_FILE_BYTES

COURSE = {"course.yaml": b"title: A\n"}


def packed(
    files: dict[str, bytes], change: Callable[[zipfile.ZipInfo], object] = lambda _: None
) -> bytes:
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w") as file:
        for name, data in files.items():
            entry = zipfile.ZipInfo(name)
            entry.compress_type = zipfile.ZIP_DEFLATED
            change(entry)
            file.writestr(entry, data)
    return held.getvalue()


def renamed(old: bytes, new: bytes) -> bytes:
    """Return a zip whose only entry has a name that no library writes."""
    assert len(old) == len(new)
    return packed({old.decode(): b"x"}).replace(old, new)


def link(entry: zipfile.ZipInfo) -> None:
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16


def lzma(entry: zipfile.ZipInfo) -> None:
    entry.compress_type = zipfile.ZIP_LZMA


def encrypted() -> bytes:
    data = bytearray(packed(COURSE))
    for mark, at in ((b"PK\x03\x04", 6), (b"PK\x01\x02", 8)):
        place = data.index(mark) + at
        data[place] |= 1
    return bytes(data)


HOSTILE = {
    "no-zip": (b"title: A", "not a zip"),
    "empty": (b"", "not a zip"),
    "absolute": (packed({"/etc/passwd": b"x"}), "path below the course"),
    "drive": (packed({"C:/course.yaml": b"x"}), "path below the course"),
    "backslash": (renamed(b"ab_course.yaml", b"ab\\course.yaml"), "path below the course"),
    "dots": (packed({"a/../../course.yaml": b"x"}), "empty parts"),
    "empty-part": (packed({"a//course.yaml": b"x"}), "empty parts"),
    "nul": (renamed(b"a_b.yaml", b"a\0b.yaml"), "cannot be seen"),
    "control": (packed({"a\nb.yaml": b"x"}), "cannot be seen"),
    "long": (packed({"a" * (MAX_NAME + 1): b"x"}), "at most 300 characters"),
    "deep": (packed({"a/" * MAX_DEPTH + "b": b"x"}), "folders deep"),
    "deepest": (packed({"a/" * 30_000 + "b": b"x"}), "at most 300 characters"),
    "link": (packed({"course.yaml": b"/etc/passwd"}, link), "not a link"),
    "lzma": (packed(COURSE, lzma), "stored or deflated"),
    "encrypted": (encrypted(), "encrypted"),
    "case": (packed({"course.yaml": b"x", "Course.yaml": b"y"}), "two entries"),
    "file-and-folder": (packed({"lessons": b"x", "lessons/a.md": b"y"}), "is a file"),
    "nested": (packed({"course.yaml": b"x", "more.md": packed(COURSE)}), "within the zip"),
    "many": (packed({f"{n}.md": b"" for n in range(MAX_ENTRIES + 1)}), "2000 entries"),
    "ratio": (packed({"a.md": bytes(MAX_FILE_BYTES)}), "100 times the zip"),
    "cut": (packed(COURSE)[:-30], "not a zip"),
    "large": (bytes(MAX_ZIP_BYTES + 1), "the limit is"),
}


@pytest.mark.parametrize("name", HOSTILE)
def test_a_hostile_zip_is_refused_by_name(name: str) -> None:
    data, words = HOSTILE[name]
    begun = time.thread_time()
    with pytest.raises(ZipError, match=words):
        read_zip(data)
    assert time.thread_time() - begun < 1


def test_a_second_entry_of_a_name_is_refused() -> None:
    data = packed({"a.md": b"a", "b.md": b"b"}).replace(b"b.md", b"a.md")
    with pytest.raises(ZipError, match="two entries"):
        read_zip(data)


def test_a_size_in_the_header_is_not_believed() -> None:
    data = bytearray(packed({"a.md": b"x" * 1000}))
    for mark, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        struct.pack_into("<I", data, data.index(mark) + at, 5)
    try:
        held = read_zip(bytes(data))["a.md"]
    except ZipError:
        return
    assert len(held) <= 5


def test_long_file_is_refused_by_its_reader() -> None:
    noise = bytes(range(256)) * (MAX_FILE_BYTES // 256 + 4)
    files = read_zip(
        packed({"course.yaml": noise}, lambda entry: setattr(entry, "compress_type", 0))
    )
    assert len(files["course.yaml"]) == MAX_FILE_BYTES + 1
    read = MeteredFiles("course", {"course.yaml": ""}, held=files, until=math.inf)
    assert "course.yaml:1: is larger than" in str(read_course_files(read).problems[0])


def test_what_is_unpacked_is_bounded_in_all() -> None:
    whole = {f"{n}.md": (b"%d " % n) * 9 + bytes(range(256)) * 1024 for n in range(MAX_ENTRIES)}
    data = packed(whole)
    assert len(data) < MAX_ZIP_BYTES
    assert sum(map(len, whole.values())) > MAX_UNPACKED
    begun = time.thread_time()
    with pytest.raises(ZipError, match="when they are unpacked"):
        read_zip(data)
    assert time.thread_time() - begun < 3


@pytest.mark.parametrize("folder", ["", "course/", "Mein Kurs (1)/"])
def test_an_enclosing_folder_and_litter_are_left_out(folder: str) -> None:
    files = {
        f"{folder}course.yaml": b"a",
        f"{folder}lessons/": b"",
        f"{folder}lessons/.DS_Store": b"b",
        f"{folder}._course.yaml": b"b",
        f"__MACOSX/{folder}._course.yaml": b"c",
        f"{folder}lessons/one/lesson.yaml": b"d",
    }
    assert read_zip(packed(files)) == {"course.yaml": b"a", "lessons/one/lesson.yaml": b"d"}


def test_two_folders_enclose_nothing() -> None:
    files = {"a/course.yaml": b"a", "b/course.yaml": b"b"}
    assert read_zip(packed(files)) == files


@given(st.binary(max_size=300))
def test_any_bytes_are_refused_or_read(data: bytes) -> None:
    with contextlib.suppress(ZipError):
        assert isinstance(read_zip(data), dict)


@given(st.data())
def test_a_damaged_zip_is_refused_or_read(data: st.DataObject) -> None:
    whole = bytearray(packed({"course/course.yaml": b"title: A\n" * 9, "course/a.md": b"text"}))
    for _ in range(data.draw(st.integers(1, 4))):
        place = data.draw(st.integers(0, len(whole) - 1))
        whole[place] = data.draw(st.integers(0, 255))
    try:
        files = read_zip(bytes(whole))
    except ZipError:
        return
    assert all(len(held) <= MAX_FILE_BYTES + 1 for held in files.values())
