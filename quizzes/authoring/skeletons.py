"""Write a new course or exercise that is sound as it stands, for its author to change.

`skeleton/` beside this file is a whole course that passes `check_content`. A new course is a copy
with a title of its own; a new exercise is a copy of its exercise, without a lesson step.

Each copy is made in a hidden folder and renamed at the end: renaming replaces nothing but an empty
folder, and nobody finds half a course.
"""

import os
import re
import secrets
import shutil
from pathlib import Path

from quizzes.content_files.characters import visible
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.files import DiskFiles, MemoryFiles
from quizzes.exercises.files import FOLDER

SKELETON = Path(__file__).parent / "skeleton"
EXERCISE = f"{FOLDER}/moving-average"
SUFFIXES = (".yaml", ".md", ".py")
_STEP = re.compile(r"^step: \S+", re.MULTILINE)
_STEP_OF_MISTAKE = re.compile(r"^Step: .*\n", re.MULTILINE)


class SkeletonError(ValueError):
    """A skeleton that cannot be written; the message is one line for the author."""


def write_course(parent: Path, name: str) -> Path:
    """Write a course into a new or empty folder `parent/name`. Raises SkeletonError."""
    return _written(parent / name, new_course(name))


def write_exercise(course: Path, name: str) -> Path:
    """Write an exercise into a new folder `course/exercises/name`. Raises SkeletonError."""
    files = new_exercise(name)
    try:
        is_course = (course / "course.yaml").is_file()
    except OSError as error:
        raise SkeletonError(f"{course}: cannot be read: {error.strerror}") from error
    if not is_course:
        raise SkeletonError(f"{course}: must be a course folder, which has a course.yaml")
    return _written(course / FOLDER / name, files)


def new_course(name: str) -> MemoryFiles:
    """Return the files of a new course, which need no folder. Raises SkeletonError."""
    _check_name(name)
    texts = {path: text.replace("Skeleton", _title(name)) for path, text in _texts("").items()}
    return MemoryFiles(name, texts)


def new_exercise(name: str) -> MemoryFiles:
    """Return the files of a new exercise. Raises SkeletonError."""
    _check_name(name)
    texts = {}
    for path, text in _texts(EXERCISE).items():
        changed = _STEP_OF_MISTAKE.sub("", _STEP.sub("# step: <lesson>/<step>", text))
        changed = changed.replace("title: Moving average", f'title: "{_title(name)}"')
        texts[path.removeprefix(f"{EXERCISE}/")] = changed
    return MemoryFiles(name, texts)


def _check_name(name: str) -> None:
    if not is_slug(name) or len(name) > MAX_SLUG:
        raise SkeletonError(
            f"NAME={visible(name, MAX_SLUG)}: must be a slug: lower-case letters a-z and digits,"
            " in words joined by single hyphens, such as linear-algebra;"
            f" at most {MAX_SLUG} characters"
        )


def _texts(folder: str) -> dict[str, str]:
    """Return the files below a folder of the skeleton by their paths within it."""
    files, texts = DiskFiles(SKELETON), dict[str, str]()
    for entry in files.entries(folder):
        path = f"{folder}/{entry.name}".removeprefix("/")
        if entry.is_folder:
            texts |= _texts(path)
        elif path.endswith(SUFFIXES):
            texts[path] = files.text(path)
    return texts


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _written(target: Path, files: MemoryFiles) -> Path:
    """Write files below a folder that is new or empty. Raises SkeletonError."""
    draft = target.with_name(f".{target.name}-{secrets.token_hex(4)}")
    try:
        if os.path.lexists(target) and (not target.is_dir() or any(target.iterdir())):
            raise SkeletonError(f"{target}: already exists, and nothing is overwritten")
        for name in files.texts:
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_bytes(files.data(name))
        draft.rename(target)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise SkeletonError(f"{target}: cannot be written: {error.strerror}") from error
    return target
