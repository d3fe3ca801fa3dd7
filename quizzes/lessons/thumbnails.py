"""Small pictures of lessons for lists, and of steps for the map: made at load, by matplotlib.

Each shows the first figure of its lesson or step.

A picture has 48 x 32 to 144 x 96 pixels, and at most MOST_BYTES: colours are taken away until it
fits. It is for the eye alone; what it shows is said beside it.
"""

import io
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256

import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.http import Http404
from PIL import Image
from posenc import __version__
from posenc.errors import QueryError
from posenc.figures.palettes import INKS, Scheme
from posenc.figures.reference import draw_small
from posenc.figures.thumbnails import is_of_one_colour
from posenc.views import ViewData

from quizzes.courses.models import Course
from quizzes.lessons.figures.address import compute
from quizzes.lessons.figures.figure_params import initial_of
from quizzes.lessons.models import Lesson, Step, StepThumbnail, Thumbnail
from quizzes.lessons.store import lesson_hash
from quizzes.pages.blocks import parse_page

WIDTH, HEIGHT = 144, 96
MOST_BYTES = 3_000
COLOURS = (64, 32, 16, 8, 4)
MADE = 2  # raise it when the pictures are drawn in another way


def fill_thumbnails(course: Course, *, draws: bool = True) -> int:
    """Make the missing and the outdated pictures of a course's lessons; return a count.

    Without `draws` only those that another course has.
    """
    lessons = Lesson.objects.filter(course=course).prefetch_related("steps", "thumbnail_set")
    count = 0
    for lesson in lessons:
        if not lesson.title:
            continue  # never published
        made_of = f"{MADE}:{__version__}:{lesson_hash(lesson)}"
        there = lesson.thumbnail_set.all()
        if all(row.made_of == made_of for row in there) and len(there) == len(INKS):
            continue
        # A copied course has the pictures of its origin: a web process never loads matplotlib.
        known = Thumbnail.objects.filter(made_of=made_of)
        pictures = dict(known.values_list("scheme", "png"))
        if not draws and len(pictures) < len(INKS):
            continue
        data = first_figure(lesson)
        if there:
            lesson.thumbnail_set.all().delete()
        if data is None:
            continue
        for scheme in INKS:
            picture = pictures.get(scheme) or thumbnail(data, scheme)
            Thumbnail.objects.create(lesson=lesson, scheme=scheme, png=picture, made_of=made_of)
            count += 1
    return count


def fill_step_thumbnails(
    course: Course, groups: Iterable[Sequence[str]], *, draws: bool = True
) -> int:
    """Make the pictures of the first step with a figure of each group; return how many were added.

    A group has paths, "<lesson>/<step>", as a concept has its steps. A step without a figure has
    empty pictures, so that it is not looked at again; pictures drawn again are not counted.
    """
    there = Step.objects.filter(lesson__course=course).select_related("lesson")
    steps = {step.path: step for step in there.prefetch_related("thumbnails")}
    before = StepThumbnail.objects.filter(step__lesson__course=course).count()
    has_picture = cache(lambda path: path in steps and _fill_step(steps[path], draws=draws))
    for group in groups:
        any(map(has_picture, group))
    return StepThumbnail.objects.filter(step__lesson__course=course).count() - before


def _fill_step(step: Step, *, draws: bool) -> bool:
    """Make the pictures of a step that has none of its text; return whether it shows a figure."""
    made_of = f"{MADE}:{__version__}:{sha256(step.text.encode()).hexdigest()}"
    there = step.thumbnails.all()
    if len(there) == len(INKS) and all(row.made_of == made_of for row in there):
        return all(row.png for row in there)
    known = StepThumbnail.objects.filter(made_of=made_of)
    pictures = {scheme: bytes(png) for scheme, png in known.values_list("scheme", "png")}
    if len(pictures) < len(INKS):
        if not draws:
            return False
        data = first_figure_of([step])
        pictures = {scheme: thumbnail(data, scheme) if data else b"" for scheme in INKS}
    step.thumbnails.all().delete()
    for scheme, png in pictures.items():
        StepThumbnail.objects.create(step=step, scheme=scheme, png=png, made_of=made_of)
    return all(pictures.values())


def first_figure(lesson: Lesson) -> ViewData | None:
    """Return the data of a lesson's first figure, None for one without."""
    return first_figure_of(lesson.steps.all())


def first_figure_of(steps: Iterable[Step]) -> ViewData | None:
    """Return the data of the first figure of some steps, None if they have none.

    A heatmap of one value is one colour, which tells no lesson from another: it is left out.
    """
    for step in steps:
        for block in parse_page(step.text, path=step.path).blocks:
            if block.kind == "figure":
                try:
                    data = compute(initial_of(block.options))
                except (Http404, QueryError):  # faults that check_content names
                    continue
                if not is_of_one_colour(data):
                    return data
    return None


def thumbnail(data: ViewData, scheme: Scheme) -> bytes:
    """Return a picture as a PNG of at most MOST_BYTES."""
    png = draw_small(data, scheme=scheme, width_px=WIDTH, height_px=HEIGHT)
    drawn = Image.open(io.BytesIO(png)).convert("RGB")
    for colours in COLOURS:
        small = drawn.quantize(colours, dither=Image.Dither.NONE)
        file = io.BytesIO()
        small.save(file, "PNG", optimize=True)
        if file.tell() <= MOST_BYTES:
            return file.getvalue()
    # Noise, which no number of colours makes small: fewer and larger cells.
    file = io.BytesIO()
    few = drawn.resize((WIDTH // 3, HEIGHT // 3), Image.Resampling.NEAREST)
    few.quantize(COLOURS[2]).save(file, "PNG", optimize=True)
    return file.getvalue()
