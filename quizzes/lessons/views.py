"""Reading pages. GET changes nothing; the way to the next step is a POST that notes progress."""

from csp.constants import NONCE
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.courses import addresses
from quizzes.courses.current_course import course_sources, in_course, withdrawn
from quizzes.courses.models import Course
from quizzes.courses.old_names import moved
from quizzes.learners.models import Progress
from quizzes.learners.services import current_learner, learner_for_writing
from quizzes.lessons.course_lessons import course_lessons, lesson_named, whole_step
from quizzes.lessons.figures.figure_params import has_figure_params
from quizzes.lessons.figures.predict import figure_errors, stray_messages
from quizzes.lessons.glossary import TermLinks
from quizzes.lessons.models import Lesson, SmallPicture, Step, StepThumbnail, Thumbnail
from quizzes.lessons.plots.plot_block import plot_errors
from quizzes.lessons.services import (
    LessonProgress,
    StepStates,
    is_kept,
    mark_read,
    progress_in,
    version_of,
)
from quizzes.limits.seconds import count_seconds
from quizzes.pages.blocks import Page, PageContext, parse_page, render_page


@require_safe
@in_course
def thumbnail(request: HttpRequest, course: Course, lesson: str, scheme: str) -> HttpResponse:
    """Send a lesson's small picture; its address changes when it does."""
    there = Thumbnail.objects.filter(lesson__course=course, lesson__slug=lesson)
    return _image_response(request, get_object_or_404(there, scheme=scheme))


@require_safe
@in_course
def step_thumbnail(
    request: HttpRequest, course: Course, lesson: str, step: str, scheme: str
) -> HttpResponse:
    """Send a step's small picture, as the map shows it."""
    there = StepThumbnail.objects.exclude(png=b"").filter(step__lesson__course=course)
    names = {"step__lesson__slug": lesson, "step__slug": step}
    return _image_response(request, get_object_or_404(there, scheme=scheme, **names))


def _image_response(request: HttpRequest, picture: SmallPicture) -> HttpResponse:
    response = HttpResponse(bytes(picture.png), content_type="image/png")
    current = request.GET.get("v") == version_of(picture.made_of)
    response["Cache-Control"] = "public, max-age=31536000, immutable" if current else "no-store"
    return response


def _lesson_or_404(course: Course, slug: str) -> Lesson:
    """Return a lesson of a course with its steps, one that was withdrawn too."""
    found = lesson_named(course, slug)
    if found is None or not found.title:  # or it was never published
        raise Http404(f"there is no lesson {slug}")
    return found


@require_safe
@in_course
def lesson(request: HttpRequest, course: Course, lesson: str) -> HttpResponse:
    """Go to the first step of a lesson that this learner has not read; to a reference's first."""
    found = _lesson_or_404(course, lesson)
    return _refused(request, course, found) or _go_on(request, found)


def _refused(request: HttpRequest, course: Course, lesson: Lesson) -> HttpResponse | None:
    """Return the answer to a learner for whom a withdrawn lesson is not kept, else None.

    What has another name by now leads there, also where the withdrawn lesson is kept.
    """
    if lesson.withdrawn_at is None:
        return None
    if (elsewhere := moved(request, course)) is not None:
        return elsewhere
    if is_kept(learner=current_learner(request), lesson=lesson):
        return None
    return withdrawn(request, "lesson", lesson.title)


def _go_on(request: HttpRequest, lesson: Lesson) -> HttpResponse:
    progress = progress_in(learner=current_learner(request), lessons=[lesson])[lesson.pk]
    if not progress.steps and not progress.deeper:
        raise Http404(f"lesson {lesson.slug!r} has no steps")
    response = redirect(progress.next_step if progress.steps else progress.deeper[0][0])
    response["Cache-Control"] = "no-store"  # the next visit may go elsewhere
    return response


# The editor of an exercise in a step has a style element. Without one, no nonce is made or sent.
with_editor = csp_update({"style-src": NONCE})


@with_editor
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def step(request: HttpRequest, course: Course, lesson: str, step: str) -> HttpResponse:
    """Show one step; POST notes that it was read and goes on."""
    found = _lesson_or_404(course, lesson)
    if refused := _refused(request, course, found):
        return refused
    steps = list(found.steps.all())
    place = next((index for index, one in enumerate(steps) if one.slug == step), None)
    if place is None:
        return render(request, "lessons/no_step.html", {"lesson": found}, status=404)
    if _is_deck(found) and request.method != "POST":
        asked = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(addresses.card_address(course.slug, place + 1) + asked)
    return _read(request, course, found, steps[place])


@with_editor
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def card(request: HttpRequest, course: Course, number: int = 0) -> HttpResponse:
    """Show one card of the deep dive; without a number, the first that is not read yet."""
    decks = (one for one in course_lessons(course) if one.form == Lesson.Form.CARDS)
    found = next(decks, None)
    steps = list(found.steps.all()) if found else []
    if found is None and number == 0:
        return redirect(course.lists["learn"])  # a course without cards
    if found is None or number > len(steps):
        raise Http404(f"there are {len(steps)} cards, not {number}")
    if number == 0:
        return _go_on(request, found)
    return _read(request, course, found, steps[number - 1])


def _read(request: HttpRequest, course: Course, lesson: Lesson, step: Step) -> HttpResponse:
    if request.method == "POST":
        progress = mark_read(learner=learner_for_writing(request), lesson=lesson, step=step)
        return redirect(_onward(lesson, progress, step))
    return _show(request, course, lesson, step)


@count_seconds(when=has_figure_params)
def _show(request: HttpRequest, course: Course, lesson: Lesson, shown: Step) -> HttpResponse:
    learner = current_learner(request)
    progress = progress_in(learner=learner, lessons=[lesson])[lesson.pk]
    row = progress.row_of(shown)
    place = _place_in(row, shown)
    # With its text and sources: what is kept of the lesson has neither.
    step = whole_step(shown, lesson)
    page = _page(lesson, step)
    errors = figure_errors(page, request.GET) | plot_errors(page, course, request)
    terms = TermLinks(course, lesson, step)
    reader = PageContext(request, learner, course, lesson.slug, step.slug)
    context = {
        "lesson": lesson,
        "step": step,
        "place": place + 1,
        "progress": progress,
        "is_deeper": row is not progress.steps,
        "previous": row[place - 1][0] if place else None,
        "next": row[place + 1][0] if place + 1 < len(row) else None,
        "sources": _sources(course, step),
        "body": render_page(page, reader, finish_prose=terms.link, margin=terms.margin)
        + terms.cards(),
        "page": page,
        "is_read": row[place][1] == Progress.State.DONE,
        "kinds": {block.kind for block in page.blocks},
        "stray": stray_messages(page, request.GET),
    }
    template = "lessons/card.html" if _is_deck(lesson) else "lessons/step.html"
    return render(request, template, context, status=400 if errors else 200)


def _is_deck(lesson: Lesson) -> bool:
    """Return whether its steps are read as cards: one that was withdrawn has no numbered cards."""
    return lesson.form == Lesson.Form.CARDS and lesson.withdrawn_at is None


def _page(lesson: Lesson, step: Step) -> Page:
    return parse_page(step.text, path=f"{lesson.slug}/{step.slug}")


def _sources(course: Course, step: Step) -> list[dict[str, str]]:
    """Return the step's sources in words: the work, its address and where in it."""
    works = course_sources(course.pk) if step.sources else {}
    return [
        {**works.get(source["key"], {"text": source["key"], "url": ""}), "where": source["where"]}
        for source in step.sources
    ]


def _place_in(row: StepStates, step: Step) -> int:
    return next(place for place, (other, _) in enumerate(row) if other.pk == step.pk)


def _onward(lesson: Lesson, progress: LessonProgress, step: Step) -> str:
    """Return where a reader goes on after a step: to the next one, else to the lesson's end.

    From the last step that goes deeper, to what is left of the path. A reference has no end.
    """
    row = progress.row_of(step)
    place = _place_in(row, step)
    if lesson.is_reference:
        return step.get_absolute_url()
    if _is_deck(lesson) and place + 1 < len(row):
        return addresses.card_address(lesson.course.slug, place + 2)
    if place + 1 < len(row):
        return row[place + 1][0].get_absolute_url()
    if row is not progress.steps and not progress.complete:
        return progress.next_address
    return f"{lesson.course.lists['learn']}?finished={lesson.slug}"
