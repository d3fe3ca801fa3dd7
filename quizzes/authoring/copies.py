"""A copy of a course: its files, renamed, and loaded.

So a copy has what files have, and nothing else: no drafts, no learners' work, nothing withdrawn.
Its texts and hashes are those of its origin, and links in its texts lead within the copy. What was
verified before is not verified again, so that the copy can be used at once.
"""

from dataclasses import replace

from django.db import IntegrityError, transaction

from quizzes.authoring.course_files import CourseFiles, read_course_files
from quizzes.authoring.exporting import texts_of
from quizzes.authoring.loading import load, place_of_a_new_course, wait_for_other_loads
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.files import MemoryFiles
from quizzes.content_files.problems import refused
from quizzes.courses.models import Course, CourseStaff
from quizzes.learners.models import User
from quizzes.lessons.lesson_fields import MAX_TITLE

COPY = " (copy)"


class CopyError(Exception):
    """The course was not copied; the text is a sentence for the person that asked for it."""


def copy_course(source: Course, *, slug: str, title: str = "", owner: User | None = None) -> Course:
    """Make a course with everything that learners of `source` meet, not listed, and last of all.

    `title`: "<that of the source> (copy)" without one. `owner` gets this role in the copy. Takes
    some seconds for a large course, most of them before the transaction. Raises CopyError.
    """
    title = title.strip() or source.title[: MAX_TITLE - len(COPY)] + COPY
    _check(slug, title)
    files = _files_of(source, slug, title)
    try:
        with transaction.atomic():
            # Before the row, which a load under the same name would wait for with this lock held.
            wait_for_other_loads()
            place = place_of_a_new_course()
            copy = Course.objects.create(slug=slug, place=place, is_listed=False, has_folder=False)
            load(files, of_folder=False)
            if owner is not None:
                CourseStaff.objects.create(course=copy, user=owner, role=CourseStaff.Role.OWNER)
    except IntegrityError as error:
        if Course.objects.filter(slug=slug).exists():  # somebody was faster
            raise CopyError(_taken(slug)) from error
        raise
    copy.refresh_from_db()
    return copy


def _check(slug: str, title: str) -> None:
    if not is_slug(slug):
        raise CopyError(
            f"{slug!r} cannot be the name of a course: use only lower-case letters and"
            f" digits, with single hyphens between words, and at most {MAX_SLUG} characters."
        )
    if Course.objects.filter(slug=slug).exists():
        raise CopyError(_taken(slug))
    if len(title) > MAX_TITLE:
        raise CopyError(f"The title has {len(title)} characters; the limit is {MAX_TITLE}.")


def _taken(slug: str) -> str:
    return f"There is already a course {slug!r}."


def _files_of(source: Course, slug: str, title: str) -> CourseFiles:
    """Return the files of a course, under another name and title."""
    # A row of our own: the caller may go on using `source`.
    titled = Course.objects.get(pk=source.pk)
    titled.title = title
    files = read_course_files(MemoryFiles(slug, texts_of(titled)))
    # What stands here may be copied as it is: rules that came after it refuse only what is new.
    files = replace(files, problems=refused(files.problems, is_published=True))
    if files.problems:
        raise CopyError(
            f"The course {source.slug!r} cannot be copied as it is: {files.problems[0]}"
            f" (total errors: {len(files.problems)})."
        )
    return files
