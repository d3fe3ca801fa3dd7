"""Small pictures of lessons for lists: made at load from a lesson's first figure, by matplotlib.

A picture has 48 x 32 to 144 x 96 pixels, and at most MOST_BYTES: colours are taken away until it
fits. It is for the eye alone; what it shows is said beside it.
"""

import io

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
from quizzes.lessons.models import Lesson, Thumbnail
from quizzes.pages.blocks import parse_page

WIDTH, HEIGHT = 144, 96
MOST_BYTES = 3_000
COLOURS = (64, 32, 16, 8, 4)
MADE = 2  # raise it when the pictures are drawn in another way


def fill_thumbnails(course: Course) -> int:
    """Make the missing and the outdated pictures of a course's lessons; return a count."""
    lessons = Lesson.objects.filter(course=course).prefetch_related("steps", "thumbnail_set")
    count = 0
    for lesson in lessons:
        made_of = f"{MADE}:{__version__}:{lesson.loaded_hash}"
        there = lesson.thumbnail_set.all()
        if all(row.made_of == made_of for row in there) and len(there) == len(INKS):
            continue
        data = first_figure(lesson)
        if there:
            lesson.thumbnail_set.all().delete()
        if data is None:
            continue
        # A copied course has the pictures of its origin: a web process never loads matplotlib.
        known = Thumbnail.objects.filter(made_of=made_of).exclude(lesson__loaded_hash="")
        pictures = dict(known.values_list("scheme", "png"))
        for scheme in INKS:
            picture = pictures.get(scheme) or thumbnail(data, scheme)
            Thumbnail.objects.create(lesson=lesson, scheme=scheme, png=picture, made_of=made_of)
            count += 1
    return count


def first_figure(lesson: Lesson) -> ViewData | None:
    """Return the data of a lesson's first figure, None for one without.

    A heatmap of one value is one colour, which tells no lesson from another: it is left out.
    """
    for step in lesson.steps.all():
        for block in parse_page(step.text, path=f"{lesson.slug}/{step.slug}").blocks:
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
