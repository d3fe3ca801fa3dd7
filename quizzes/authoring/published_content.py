"""What a course has published already, so that a rule which came later refuses none of it.

Such a rule marks its faults `since_published`. In a lesson, question, quiz or exercise whose files
are what is published they are warnings; in one that is new or was changed they refuse the load.
"""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import PurePosixPath

from quizzes.authoring.course_files import FOLDERS, KINDS, CourseFiles
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.models import Course

Name = tuple[str, str]  # kind and slug


def published_names(files: CourseFiles) -> set[Name]:
    """Return the kind and slug of everything in the files that is published as it is there."""
    course = Course.objects.filter(slug=files.slug).first()
    return set(_published(course, files)) if course is not None else set()


def _published(course: Course, files: CourseFiles) -> Iterator[Name]:
    for kind in KINDS:
        rows = kind.stored(course)
        for source in files.sources[kind.name]:
            former = [name.name for name in getattr(source, "renamed_from", ())]
            stored = [rows[name] for name in (source.slug, *former) if name in rows]
            if any(
                source.content_hash in {row.loaded_hash, row.content_hash} and not row.is_withdrawn
                for row in stored
            ):
                yield kind.name, source.slug


def without_standing_faults(
    files: CourseFiles, published: set[Name]
) -> tuple[CourseFiles, tuple[ContentProblem, ...]]:
    """Return the files with the faults that refuse them, and the faults that only warn."""
    stands = tuple(
        problem
        for problem in files.problems
        if problem.since_published and _owner(files.slug, problem.path) in published
    )
    rest = tuple(problem for problem in files.problems if problem not in stands)
    return replace(files, problems=rest), stands


def _owner(course: str, path: str) -> Name:
    """Return the kind and slug of what a file belongs to."""
    folder, *rest = PurePosixPath(path).parts
    if folder in FOLDERS and rest:
        return FOLDERS[folder], rest[0].removesuffix(".yaml").removesuffix(".py")
    kinds = {"map.yaml": "concept map", "models.yaml": "list of models"}
    return kinds.get(folder, "course"), course
