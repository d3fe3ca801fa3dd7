"""Pages of exercises: the list, one exercise with its form, one submission with its verdict."""

from csp.constants import NONCE
from csp.decorators import csp_update
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_GET, require_http_methods, require_safe

from quizzes.exercises import showing, verdicts
from quizzes.exercises.access import visible_submission
from quizzes.exercises.drawing import LAYERS, draw_layer
from quizzes.exercises.forms import CodeForm
from quizzes.exercises.limits import TooMany
from quizzes.exercises.listing import grouped
from quizzes.exercises.models import Exercise, Submission
from quizzes.exercises.services import ExerciseClosed, published, submit_code
from quizzes.exercises.tries import recent_tries
from quizzes.exercises.waiting import wait_for_verdict
from quizzes.learners.services import current_learner, learner_for_writing, progress_of

KEEP_SECONDS = 7 * 24 * 3600


@require_safe
def index(request: HttpRequest) -> HttpResponse:
    """Every exercise, and how far this learner is with each."""
    exercises = list(published())
    learner = current_learner(request)
    states = progress_of(learner, "exercise", [one.slug for one in exercises]) if learner else {}
    return render(request, "exercises/index.html", {"groups": grouped(exercises, states)})


@csp_update({"style-src": NONCE})  # type: ignore[arg-type]  # for the editor's style element
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def exercise(request: HttpRequest, slug: str) -> HttpResponse:
    """Show an exercise; POST hands code in and answers with the verdict, or where it will be."""
    found = get_object_or_404(Exercise.objects.select_related("current"), slug=slug)
    if found.current is None:
        raise Http404(f"exercise {slug} has no version")
    if request.method == "POST":
        return _hand_in(request, found)
    return _page(request, found, None)


@never_cache
@require_safe
def submission(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Show one submission with its code and verdict, to its learner and the staff."""
    found = visible_submission(request, slug, number)
    return render(request, "exercises/submission.html", showing.submission_page(request, found))


@never_cache
@require_GET
def verdict(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return the verdict, or that it is awaited, as a fragment that asks again by itself."""
    found = visible_submission(request, slug, number)
    return _fragment(request, found, asked=showing.times_asked(request))


@require_safe
def picture(request: HttpRequest, slug: str, number: int, layer: str) -> HttpResponse:
    """Draw one layer of the smallest failing case, in a light or a dark scheme."""
    found = visible_submission(request, slug, number)
    arrays = verdicts.arrays_of(found)
    if layer not in LAYERS or arrays is None:
        raise Http404(f"submission {number} has no picture {layer}")
    scheme = "dark" if request.GET.get("scheme") == "dark" else "light"
    drawn = draw_layer(arrays, layer=layer, scheme=scheme)
    response = HttpResponse(drawn.svg, content_type="image/svg+xml")
    response["Cache-Control"] = f"private, max-age={KEEP_SECONDS}, immutable"
    return response


@never_cache
@require_safe
def report(request: HttpRequest, slug: str, number: int) -> HttpResponse:
    """Return a graded submission's report as JSON, for programs."""
    found = visible_submission(request, slug, number)
    facts = verdicts.report_as_json(found)
    if facts is None:
        raise Http404(f"submission {number} has no report yet")
    response = JsonResponse(facts, json_dumps_params={"indent": 2, "ensure_ascii": False})
    response["Content-Disposition"] = f'attachment; filename="{slug}-{number}.json"'
    return response


def _hand_in(request: HttpRequest, exercise: Exercise) -> HttpResponse:
    form = CodeForm(request.POST)
    if not form.is_valid():
        return _refused(request, exercise, form, showing.first_error(form), status=400)
    try:
        made = submit_code(
            exercise=exercise,
            learner=learner_for_writing(request),
            kind=form.cleaned_data["kind"],
            code=form.cleaned_data["code"],
            form_key=form.cleaned_data["key"],
        )
    except TooMany as error:
        response = _refused(request, exercise, form, str(error), status=429)
        response["Retry-After"] = str(error.retry_after_seconds)
        return response
    except ExerciseClosed:
        return _refused(request, exercise, form, showing.CLOSED, status=409)
    return _answer(request, exercise, made)


def _answer(request: HttpRequest, exercise: Exercise, made: Submission) -> HttpResponse:
    wait_for_verdict(submission=made)
    if not request.headers.get("HX-Request"):
        return redirect("exercises:submission", exercise.slug, made.pk)
    return _fragment(request, visible_submission(request, exercise.slug, made.pk), asked=0)


def _fragment(request: HttpRequest, found: Submission, *, asked: int) -> HttpResponse:
    context = {**verdicts.verdict_context(found, asked=asked), "fragment": True}
    if found.graded_at and (request.POST or request.GET).get("with") == "history":
        exercise = found.exercise_version.exercise
        context["history"] = recent_tries(exercise=exercise, learner=current_learner(request))
    return render(request, "exercises/_verdict.html", context)


def _refused(
    request: HttpRequest, exercise: Exercise, form: CodeForm, message: str, *, status: int
) -> HttpResponse:
    if request.headers.get("HX-Request"):
        context = {"message": message, "key": verdicts.new_key()}
        return render(request, "exercises/_refused.html", context, status=status)
    refusal = "" if "code" in form.errors else message
    return _page(request, exercise, form, status=status, refusal=refusal)


def _page(
    request: HttpRequest,
    exercise: Exercise,
    form: CodeForm | None,
    *,
    status: int = 200,
    refusal: str = "",
) -> HttpResponse:
    context = {**showing.exercise_page(request, exercise, form), "refusal": refusal}
    return render(request, "exercises/exercise.html", context, status=status)
