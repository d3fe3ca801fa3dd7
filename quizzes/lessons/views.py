"""Reading pages. GET changes nothing; the way to the next step is a POST that notes progress."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.learners.services import current_learner, learner_for_writing
from quizzes.lessons.figures.predict import figure_errors, stray_messages
from quizzes.lessons.models import Course, Lesson, Step
from quizzes.lessons.services import LessonProgress, mark_read, progress_in
from quizzes.pages.blocks import Page, PageContext, parse_page, render_page


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every course with its lessons, and this learner's progress in each."""
    lessons = list(Lesson.objects.with_steps().order_by("course", "number"))
    progress = progress_in(learner=current_learner(request), lessons=lessons)
    courses: dict[Course, list[tuple[Lesson, LessonProgress]]] = {}
    cards = [(one, progress[one.pk]) for one in lessons if one.form == Lesson.Form.CARDS]
    for lesson in (one for one in lessons if one.form == Lesson.Form.STEPS):
        courses.setdefault(lesson.course, []).append((lesson, progress[lesson.pk]))
    return render(request, "lessons/index.html", {"courses": courses, "cards": cards})


@require_safe
def lesson(request: HttpRequest, lesson: str) -> HttpResponse:
    """Go to the first step of a lesson that this learner has not read."""
    found = get_object_or_404(Lesson.objects.with_steps(), slug=lesson)
    progress = progress_in(learner=current_learner(request), lessons=[found])[found.pk]
    if not progress.steps:
        raise Http404(f"lesson {lesson!r} has no steps")
    response = redirect("lessons:step", found.slug, progress.next_step.slug)
    response["Cache-Control"] = "no-store"  # the next visit may go elsewhere
    return response


@require_http_methods(["GET", "HEAD", "POST"])
def step(request: HttpRequest, lesson: str, step: str) -> HttpResponse:
    """Show one step; POST notes that it was read and goes on."""
    found = get_object_or_404(Lesson.objects.with_steps(), slug=lesson)
    steps = list(found.steps.all())
    place = next((index for index, one in enumerate(steps) if one.slug == step), None)
    if place is None:
        return render(request, "lessons/no_step.html", {"lesson": found}, status=404)
    if found.form == Lesson.Form.CARDS and request.method != "POST":
        asked = f"?{request.GET.urlencode()}" if request.GET else ""
        return redirect(reverse("lessons:card", args=[place + 1]) + asked)
    return _read(request, found, steps, place)


@require_http_methods(["GET", "HEAD", "POST"])
def card(request: HttpRequest, number: int = 0) -> HttpResponse:
    """Show one card of the deep dive; without a number, the first that is not read yet."""
    lessons = Lesson.objects.with_steps().filter(form=Lesson.Form.CARDS)
    found = lessons.order_by("course", "number").first()
    steps = list(found.steps.all()) if found else []
    if found is None and number == 0:
        return redirect("lessons:index")  # a course without cards
    if found is None or number > len(steps):
        raise Http404(f"there are {len(steps)} cards, not {number}")
    if number == 0:
        return lesson(request, found.slug)
    return _read(request, found, steps, number - 1)


def _read(request: HttpRequest, lesson: Lesson, steps: list[Step], place: int) -> HttpResponse:
    if request.method == "POST":
        mark_read(learner=learner_for_writing(request), lesson=lesson, step=steps[place])
        return redirect(_onward(lesson, steps, place))
    return _show(request, lesson, place, steps[place])


def _show(request: HttpRequest, lesson: Lesson, place: int, step: Step) -> HttpResponse:
    learner = current_learner(request)
    progress = progress_in(learner=learner, lessons=[lesson])[lesson.pk]
    page = _page(lesson, step)
    errors = figure_errors(page, request.GET)
    context = {
        "lesson": lesson,
        "step": step,
        "place": place + 1,
        "progress": progress,
        "previous": progress.steps[place - 1][0] if place else None,
        "next": progress.steps[place + 1][0] if place + 1 < len(progress.steps) else None,
        "sources": _sources(lesson, step),
        "body": render_page(page, PageContext(request, learner, lesson.slug, step.slug)),
        "kinds": {block.kind for block in page.blocks},
        "stray": stray_messages(page, request.GET),
    }
    template = "lessons/card.html" if lesson.form == Lesson.Form.CARDS else "lessons/step.html"
    return render(request, template, context, status=400 if errors else 200)


def _page(lesson: Lesson, step: Step) -> Page:
    return parse_page(step.text, path=f"{lesson.slug}/{step.slug}")  # reads the deferred text


def _sources(lesson: Lesson, step: Step) -> list[dict[str, str]]:
    """Return the step's sources in words: the work, its address and where in it."""
    works = lesson.course.sources
    return [
        {**works.get(source["key"], {"text": source["key"], "url": ""}), "where": source["where"]}
        for source in step.sources
    ]


def _onward(lesson: Lesson, steps: list[Step], place: int) -> str:
    if lesson.form == Lesson.Form.CARDS and place + 1 < len(steps):
        return reverse("lessons:card", args=[place + 2])
    if place + 1 < len(steps):
        return reverse("lessons:step", args=[lesson.slug, steps[place + 1].slug])
    return f"{reverse('lessons:index')}#{lesson.slug}"
