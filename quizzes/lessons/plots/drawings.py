"""Drawings of plots: wanted by what is published or written, and looked up by their program."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.db.models import Q
from django.utils import timezone

from quizzes.content_files.stored_hashes import hash_of
from quizzes.courses.models import ContentDraft, Course
from quizzes.lessons.models import Plot, PlotDrawing

PREFIX = "plot-"
PROGRAM = "plot.py"  # the file of a plot's draft and editions
AGAIN = {"problem": "", "line": 1, "stage": "", "tries_used": 0, "leased_until": None}


def key_of(course: int, text: str) -> str:
    """Return the name of the drawing of a program in a course."""
    return hash_of([course, text])[:32]


def want_drawing(course: Course, slug: str, text: str, *, by: Any = None) -> PlotDrawing:
    """Have a program drawn, unless it is or waits already; one that failed is tried once more."""
    facts = {"course": course, "slug": slug, "text": text, "asked_by": by}
    key = key_of(course.pk, text)
    drawing, is_new = PlotDrawing.objects.get_or_create(key=key, defaults=facts)
    if not is_new and drawing.state in {PlotDrawing.State.REFUSED, PlotDrawing.State.FAILED}:
        failed = PlotDrawing.objects.filter(pk=drawing.pk).exclude(state=PlotDrawing.State.DRAWN)
        waiting = {"state": PlotDrawing.State.WAITING, "asked_at": timezone.now(), "asked_by": by}
        failed.update(**AGAIN, **waiting)
        drawing.refresh_from_db()
    return drawing


def drawings_of(course: Course, texts: Iterable[str]) -> Mapping[str, PlotDrawing]:
    """Return the drawings of programs that have one, by program. One query."""
    by_key = {key_of(course.pk, text): text for text in texts}
    rows = PlotDrawing.objects.filter(key__in=by_key).defer("text")
    return {by_key[row.key]: row for row in rows}


def keys_in_use() -> set[str]:
    """Return the drawings that a published plot or a draft of one names. Two queries."""
    texts = Plot.objects.exclude(text="").values_list("course", "text")
    keys = {key_of(course, text) for course, text in texts}
    drafts = ContentDraft.objects.filter(kind=ContentDraft.Kind.PLOT).values_list("course", "files")
    return keys | {key_of(course, files.get(PROGRAM, "")) for course, files in drafts}


def bytes_in_use(course: int, *, but: int) -> int:
    """Return the bytes of a course's drawings that are in use, without one of them."""
    keys = keys_in_use()
    rows = PlotDrawing.objects.filter(Q(course=course) & ~Q(pk=but)).values_list("key", "size")
    return sum(size for key, size in rows if key in keys)
