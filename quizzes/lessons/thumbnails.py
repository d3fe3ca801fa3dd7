"""Small pictures of lessons for lists: made at load from a lesson's first figure, by our engine.

A picture has 48 x 32 to 144 x 96 pixels, and at most MOST_BYTES: colours are taken away until it
fits. It is for the eye alone; what it shows is said beside it.
"""

import io
import math

import numpy as np
import numpy.typing as npt
import posenc.catalog  # noqa: F401 -- fills REGISTRY
from django.http import Http404
from PIL import Image, ImageDraw
from posenc import __version__
from posenc.errors import QueryError
from posenc.figures.cells import colour_indices, one_pixel_or_more
from posenc.figures.palettes import INKS, PALETTES, Scheme
from posenc.views import ViewData

from quizzes.courses.models import Course
from quizzes.lessons.figures.address import compute
from quizzes.lessons.figures.figure_params import initial_of
from quizzes.lessons.models import Lesson, Thumbnail
from quizzes.pages.blocks import parse_page

WIDTH, HEIGHT = 144, 96
MOST_BYTES = 3_000
FINER = 3  # lines are drawn so much larger, and made smaller with soft edges
COLOURS = (64, 32, 16, 8, 4)
MOST_SERIES = 6
MADE = 1  # raise it when the pictures are drawn in another way

Rgb = tuple[int, int, int]


def fill_thumbnails(course: Course) -> int:
    """Make the pictures of a course's lessons that are missing or of other files; say how many."""
    lessons = Lesson.objects.filter(course=course).prefetch_related("steps", "thumbnail_set")
    made = 0
    for lesson in lessons:
        made_of = f"{MADE}:{__version__}:{lesson.loaded_hash}"
        there = {one.scheme: one for one in lesson.thumbnail_set.all()}
        if all(one.made_of == made_of for one in there.values()) and len(there) == len(INKS):
            continue
        data = first_figure(lesson)
        if there:
            lesson.thumbnail_set.all().delete()
        if data is None:
            continue
        for scheme in INKS:
            picture = thumbnail(data, scheme)
            Thumbnail.objects.create(lesson=lesson, scheme=scheme, png=picture, made_of=made_of)
            made += 1
    return made


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
                if data.kind != "heatmap" or np.nanmin(data.values) < np.nanmax(data.values):
                    return data
    return None


def thumbnail(data: ViewData, scheme: Scheme) -> bytes:
    """Return a picture as a PNG of at most MOST_BYTES."""
    drawn = _drawn(data, scheme)
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


def _drawn(data: ViewData, scheme: Scheme) -> Image.Image:
    if data.kind == "panels":
        return _drawn(data.panels[0], scheme)
    if data.kind == "heatmap":
        return _cells(data, scheme)
    size = (WIDTH * FINER, HEIGHT * FINER)
    picture = Image.new("RGB", size, _rgb(INKS[scheme].paper))
    draw = ImageDraw.Draw(picture)
    if data.kind == "circles":
        _circles(draw, data, scheme)
    else:
        _curves(draw, data, scheme)
    return picture.resize((WIDTH, HEIGHT), Image.Resampling.LANCZOS)


def _cells(data: ViewData, scheme: Scheme) -> Image.Image:
    mean = data.scale != "category"
    values, _ = one_pixel_or_more(data.values, WIDTH, HEIGHT, kinds=data.kinds, mean=mean)
    palette = np.frombuffer(PALETTES[data.scale][scheme][1], dtype=np.uint8).reshape(-1, 3)
    colours = palette[colour_indices(values, data.limits, data.bend)]
    colours[np.isnan(values)] = _rgb(INKS[scheme].masked)
    return Image.fromarray(colours).resize((WIDTH, HEIGHT), Image.Resampling.NEAREST)


def _curves(draw: ImageDraw.ImageDraw, data: ViewData, scheme: Scheme) -> None:
    between = data.between
    x = between.x if between is not None else data.x.values
    values = between.values if between is not None else data.values
    if x is None:
        x = np.arange(values.shape[1], dtype=np.float64)
    across = _shares(x, data.x.limits, data.x.scale) * WIDTH
    for series, row in reversed(list(enumerate(values[:MOST_SERIES]))):
        down = HEIGHT - _shares(row, data.limits, data.y.scale) * HEIGHT
        colour = INKS[scheme].series[series % len(INKS[scheme].series)]
        for line in _unbroken(across * FINER, down * FINER):
            draw.line(line, fill=_rgb(colour), width=2 * FINER, joint="curve")


def _circles(draw: ImageDraw.ImageDraw, data: ViewData, scheme: Scheme) -> None:
    shown = data.values[:6]
    columns = min(3, len(shown))
    side = min(WIDTH / columns, HEIGHT / math.ceil(len(shown) / columns)) * FINER
    left = (WIDTH * FINER - side * columns) / 2
    for number, angles in enumerate(shown):
        x = left + side * (number % columns + 0.5)
        y = side * (number // columns + 0.5)
        radius = side * 0.4
        soft, hand = _rgb(INKS[scheme].soft), _rgb(INKS[scheme].series[0])
        draw.ellipse((x - radius, y - radius, x + radius, y + radius), outline=soft, width=FINER)
        for angle in angles[:8]:
            end = (x + radius * math.cos(angle), y - radius * math.sin(angle))
            draw.line((x, y, *end), fill=hand, width=2 * FINER)


def _shares(
    values: npt.NDArray[np.float64], limits: tuple[float, float], scale: str
) -> npt.NDArray[np.float64]:
    low, high = limits
    if scale == "log":
        with np.errstate(divide="ignore", invalid="ignore"):
            values, low, high = np.log10(values), math.log10(low), math.log10(high)
    return np.asarray((values - low) / ((high - low) or 1.0))


def _unbroken(
    x: npt.NDArray[np.float64], y: npt.NDArray[np.float64]
) -> list[list[tuple[float, float]]]:
    """Return the stretches of a curve between its gaps."""
    lines: list[list[tuple[float, float]]] = [[]]
    for across, down in zip(x.tolist(), y.tolist(), strict=True):
        if math.isfinite(across) and math.isfinite(down):
            lines[-1].append((across, down))
        elif lines[-1]:
            lines.append([])
    return [line for line in lines if len(line) > 1]


def _rgb(colour: str) -> Rgb:
    return int(colour[1:3], 16), int(colour[3:5], 16), int(colour[5:7], 16)
