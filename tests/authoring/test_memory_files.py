"""Files in memory are read as the same files on a disk."""

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.authoring.course_files import read_course_files
from quizzes.content_files.files import DiskFiles, Files, MemoryFiles
from quizzes.content_files.plain_file import MAX_FILE_BYTES
from quizzes.content_files.problems import ContentError
from tests.authoring.small_course import copy_course
from tests.course_folders import COURSES, POSITIONAL

NAMES = st.sampled_from(["a.md", "b.md", "steps", "wrong", ".x", "_y", "ä.md"])
PATHS = st.lists(NAMES, min_size=1, max_size=3).map("/".join)
TEXTS = st.text(st.sampled_from("ab\r\n\ufeff\0\u202e\ud800 "), max_size=8)


def texts_below(folder: Path) -> dict[str, str]:
    files = [
        path for path in folder.rglob("*") if path.is_file() and "__pycache__" not in str(path)
    ]
    return {path.relative_to(folder).as_posix(): path.read_text() for path in files}


@pytest.mark.slow
@pytest.mark.parametrize(
    "course",
    [
        pytest.param(course, marks=pytest.mark.soak if course == POSITIONAL else (), id=course.name)
        for course in COURSES
    ],
)
def test_memory_reads_shipped_course_like_disk(course: Path) -> None:
    there = read_course_files(MemoryFiles(course.name, texts_below(course)))
    assert there == read_course_files(DiskFiles(course))


@pytest.mark.slow
def test_memory_reads_faults_like_disk(tmp_path: Path) -> None:
    course = copy_course(tmp_path / "course")
    for file in sorted(course.rglob("*.*"))[::3]:
        if file.is_file():
            file.write_text(file.read_text().replace("e", "\u202e", 1).replace(": ", ":", 1))
    (course / "questions/stranger.md").write_text("x")
    (course / "lessons/stranger.md").write_text("x")
    there = read_course_files(DiskFiles(course))
    assert len(there.problems) > 10
    assert read_course_files(MemoryFiles("course", texts_below(course))) == there


def what(files: Files, path: str) -> list[object]:
    """Return everything that files say of a path."""
    answers: list[object] = [files.has(path)]
    for ask in (files.text, files.entries):
        try:
            answers.append(ask(path))
        except ContentError as error:
            answers.append(error.problems)
    return answers


@pytest.mark.slow
@settings(max_examples=60)
@given(st.dictionaries(PATHS, TEXTS, max_size=5), PATHS)
def test_memory_answers_like_disk(
    tmp_path_factory: pytest.TempPathFactory, texts: dict[str, str], path: str
) -> None:
    root, written = tmp_path_factory.mktemp("files"), {}
    for name, text in texts.items():
        try:
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            (root / name).write_bytes(text.encode("utf-8", "surrogatepass"))
        except OSError:
            continue  # one name cannot be a file and a folder
        written[name] = text
    memory, disk = MemoryFiles("files", written), DiskFiles(root)
    for one in {path, *written, *(os.path.dirname(name) for name in written)}:
        assert what(memory, one) == what(disk, one)


def test_memory_refuses_large_text() -> None:
    with pytest.raises(ContentError, match=r"a\.md:1: is larger than"):
        MemoryFiles("course", {"a.md": "ä" * (MAX_FILE_BYTES // 2 + 1)}).text("a.md")
