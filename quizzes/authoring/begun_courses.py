"""A course that is begun in the browser, and belongs to no folder."""

from django.db import IntegrityError, transaction

from quizzes.authoring.canonical_form import course_file
from quizzes.authoring.course_files import CourseFiles, read_course_files
from quizzes.authoring.loading import load, place_of_a_new_course, wait_for_other_loads
from quizzes.authoring.skeletons import new_course
from quizzes.content_files.files import MemoryFiles
from quizzes.courses.audit import record
from quizzes.courses.models import Course, CourseStaff
from quizzes.learners.models import User

COURSE_FILE = "course.yaml"


class TakenError(Exception):
    """There is a course with this name."""


def files_of_new_course(slug: str, *, title: str, summary: str, example: bool) -> CourseFiles:
    """Return the files of a new course: course.yaml alone, or all of an example to change."""
    texts = dict(new_course(slug).texts) if example else {}
    works = {}
    lessons: list[str] = []
    if example:
        (shown,) = read_course_files(MemoryFiles(slug, texts)).sources["course"]
        works = {key: {"text": work.text, "url": work.url} for key, work in shown.sources.items()}
        lessons = list(shown.lessons)
    facts = {"title": title, "summary": summary, "lessons": lessons, "sources": works}
    return read_course_files(MemoryFiles(slug, {**texts, COURSE_FILE: course_file(facts)}))


@transaction.atomic
def begin_course(files: CourseFiles, *, owner: User, act: str) -> Course:
    """Store files without faults as a new course, not listed, that `owner` owns.

    `act` is the word of the log. Raises TakenError.
    """
    # Before the row, which a load under the same name would wait for with this lock held.
    wait_for_other_loads()
    try:
        with transaction.atomic():
            course = Course.objects.create(
                slug=files.slug, place=place_of_a_new_course(), is_listed=False, has_folder=False
            )
    except IntegrityError as error:
        raise TakenError(f"there is already a course {files.slug}") from error
    load(files, of_folder=False)
    course.refresh_from_db()
    CourseStaff.objects.create(course=course, user=owner, role=CourseStaff.Role.OWNER)
    owner.forget_roles()
    record(by=owner, act=act, course=course)
    return course
