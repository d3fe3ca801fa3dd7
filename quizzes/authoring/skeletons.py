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
from collections.abc import Mapping
from pathlib import Path

from quizzes.content_files.characters import visible
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.exercises.files import FOLDER

SKELETON = Path(__file__).parent / "skeleton"
EXERCISE = SKELETON / FOLDER / "moving-average"
SUFFIXES = (".yaml", ".md", ".py")
_STEP = re.compile(r"^step: \S+", re.MULTILINE)
_STEP_OF_MISTAKE = re.compile(r"^Step: .*\n", re.MULTILINE)


class SkeletonError(ValueError):
    """A skeleton that cannot be written; the message is one line for the author."""


def write_course(parent: Path, name: str) -> Path:
    """Write a course into a new or empty folder `parent/name`. Raises SkeletonError."""
    _check_name(name)
    title = _title(name)
    texts = _texts(SKELETON).items()
    return _written(parent / name, {path: text.replace("Skeleton", title) for path, text in texts})


def write_exercise(course: Path, name: str) -> Path:
    """Write an exercise into a new folder `course/exercises/name`. Raises SkeletonError."""
    _check_name(name)
    try:
        is_course = (course / "course.yaml").is_file()
    except OSError as error:
        raise SkeletonError(f"{course}: cannot be read: {error.strerror}") from error
    if not is_course:
        raise SkeletonError(f"{course}: must be a course folder, which has a course.yaml")
    files = {}
    for path, text in _texts(EXERCISE).items():
        changed = _STEP_OF_MISTAKE.sub("", _STEP.sub("# step: <lesson>/<step>", text))
        files[path] = changed.replace("title: Moving average", f'title: "{_title(name)}"')
    return _written(course / FOLDER / name, files)


def _check_name(name: str) -> None:
    if not is_slug(name) or len(name) > MAX_SLUG:
        raise SkeletonError(
            f"NAME={visible(name, MAX_SLUG)}: must be a slug: lower-case letters a-z and digits,"
            " in words joined by single hyphens, such as linear-algebra;"
            f" at most {MAX_SLUG} characters"
        )


def _texts(folder: Path) -> dict[str, str]:
    """Return the files below a folder by their relative paths."""
    return {
        path.relative_to(folder).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(folder.rglob("*"))
        if path.suffix in SUFFIXES
    }


def _title(name: str) -> str:
    return name.replace("-", " ").capitalize()


def _written(target: Path, files: Mapping[str, str]) -> Path:
    """Write files below a folder that is new or empty. Raises SkeletonError."""
    draft = target.with_name(f".{target.name}-{secrets.token_hex(4)}")
    try:
        if os.path.lexists(target) and (not target.is_dir() or any(target.iterdir())):
            raise SkeletonError(f"{target}: already exists, and nothing is overwritten")
        for name, text in files.items():
            path = draft / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        draft.rename(target)
    except OSError as error:
        shutil.rmtree(draft, ignore_errors=True)
        raise SkeletonError(f"{target}: cannot be written: {error.strerror}") from error
    return target
