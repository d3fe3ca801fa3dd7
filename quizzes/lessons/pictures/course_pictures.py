"""Bring a picture into a course in the browser, say where each is used, and remove one."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from enum import StrEnum

from django.db import transaction
from django.db.models import Sum

from quizzes.content_files.fields import MAX_SLUG
from quizzes.courses.addresses import course_picture_address
from quizzes.courses.audit import record
from quizzes.courses.drafts import lock_course
from quizzes.courses.models import ContentDraft, Course
from quizzes.learners.models import User
from quizzes.lessons.canonical_files import lesson_form_content
from quizzes.lessons.models import Picture, Step
from quizzes.lessons.pictures.cleaning import CleanPicture
from quizzes.lessons.pictures.header import NAMES, SUFFIXES, PictureError
from quizzes.lessons.pictures.picture_files import MAX_ALL_BYTES, MAX_PICTURES, put_picture
from quizzes.pages.blocks import parse_page


class Stored(StrEnum):
    """What an upload did."""

    NEW = "new"
    REPLACED = "replaced"
    SAME = "same"


class NameTakenError(Exception):
    """Another picture has the name; nothing was stored."""


@dataclass(frozen=True)
class PictureRow:
    """A picture in a list. `uses`: the steps and drafts that show it."""

    slug: str
    file: str
    address: str
    size: int
    width: int
    height: int
    uses: tuple[str, ...]

    @property
    def facts(self) -> str:
        """Return "640 x 480, 31 KB"."""
        return f"{self.width} × {self.height}, {max(1, round(self.size / 1024))} KB"


def picture_rows(course: Course) -> list[PictureRow]:
    """Return the pictures of a course by name, with where each is used. Three queries at most."""
    rows = Picture.objects.filter(course=course, withdrawn_at=None).order_by("slug")
    facts = list(rows.values_list("slug", "kind", "sha256", "size", "width", "height"))
    uses = uses_of(course) if facts else {}
    return [
        PictureRow(
            slug,
            f"{slug}{SUFFIXES[kind]}",
            course_picture_address(course.slug, slug, SUFFIXES[kind], sha256),
            size,
            width,
            height,
            tuple(uses.get(slug, ())),
        )
        for slug, kind, sha256, size, width, height in facts
    ]


def uses_of(course: Course) -> dict[str, list[str]]:
    """Return what shows each picture, "step sums/one", also withdrawn lessons. Two queries."""
    uses: dict[str, dict[str, None]] = {}
    for words, text in _texts(course):
        for block in parse_page(text, path=words).blocks:
            if block.kind == "picture":
                uses.setdefault(str(block.options.get("slug", "")), {})[words] = None
    return {slug: list(words) for slug, words in uses.items()}


def pictures_in(course: Course, lessons: Collection[str]) -> set[str]:
    """Return the pictures that the published steps of some lessons show. One query."""
    return {
        str(block.options.get("slug", ""))
        for lesson, slug, text in _steps_with_pictures(course)
        if lesson in lessons
        for block in parse_page(text, path=f"{lesson}/{slug}").blocks
        if block.kind == "picture"
    }


def _steps_with_pictures(course: Course) -> list[tuple[str, str, str]]:
    steps = Step.objects.filter(lesson__course=course, text__contains="picture")
    rows = steps.order_by("lesson__number", "lesson", "number")
    return list(rows.values_list("lesson__slug", "slug", "text"))


def _texts(course: Course) -> Iterator[tuple[str, str]]:
    for lesson, slug, text in _steps_with_pictures(course):
        yield f"step {lesson}/{slug}", text
    drafts = ContentDraft.objects.filter(course=course, kind=ContentDraft.Kind.LESSON)
    for draft in drafts.order_by("slug"):
        for number, step in enumerate(lesson_form_content(draft.files)["steps"], start=1):
            if "picture" in step["text"]:
                yield f"draft of lesson {draft.slug}, step {number}", step["text"]


@transaction.atomic
def add_picture(
    course: Course, slug: str, picture: CleanPicture, *, replaces: bool, by: User
) -> Stored:
    """Store a picture under a name. Raises NameTakenError, PictureError for too many."""
    assert len(slug) <= MAX_SLUG
    lock_course(course.pk)
    rows = Picture.objects.filter(course=course)
    there = rows.filter(slug=slug, withdrawn_at=None).values_list("sha256", flat=True).first()
    if there == picture.sha256:
        return Stored.SAME
    if there is not None and not replaces:
        raise NameTakenError(slug)
    others = rows.filter(withdrawn_at=None).exclude(slug=slug)
    if there is None and others.count() >= MAX_PICTURES:
        raise PictureError(f"the course has {MAX_PICTURES} pictures, which is the most")
    size = (others.aggregate(all=Sum("size"))["all"] or 0) + len(picture.data)
    if size > MAX_ALL_BYTES:
        raise PictureError(
            f"the pictures of the course would have {size} bytes; at most {MAX_ALL_BYTES} are"
            " allowed"
        )
    put_picture(course, slug, picture)
    act = "uploaded the picture" if there is None else "replaced the picture"
    about = f"{slug} ({NAMES[picture.header.kind]}, {len(picture.data)} bytes)"
    record(by=by, act=act, about=about, course=course)
    return Stored.NEW if there is None else Stored.REPLACED


@transaction.atomic
def remove_picture(course: Course, slug: str, *, by: User) -> list[str]:
    """Remove a picture that nothing shows; else return what shows it, and remove nothing.

    One that came with files is kept, withdrawn, so that no load of the same files brings it back.
    Raises Picture.DoesNotExist.
    """
    lock_course(course.pk)
    row = Picture.objects.defer("data").get(course=course, slug=slug, withdrawn_at=None)
    if uses := uses_of(course).get(slug):
        return uses
    if row.loaded_hash:
        row.set_withdrawn(is_withdrawn=True)
    else:
        row.delete()
    record(by=by, act="removed the picture", about=slug, course=course)
    return []
