"""The numbers of a learner's code at one place of an exercise's figure, shared at a link.

Only while the reference may be shown: right numbers are as good as its own. A link stays open when
work of a class begins later; its owner can end it. The reference and the difference are never
stored with them.
"""

from http import HTTPStatus

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from quizzes.courses.addresses import figure_address
from quizzes.courses.current_course import in_course
from quizzes.courses.models import Course
from quizzes.exercises.runs.samples import own_sample
from quizzes.study.code_figures.pictures import FIRST_TRY
from quizzes.study.code_figures.views import figure_of_exercise, pictures_for, why_no_reference
from quizzes.study.lab.forms import NameForm
from quizzes.study.lab.numbers import shared_figure
from quizzes.study.lab.sharing import owner_address, store_numbers

WITHHELD = (
    "These numbers cannot be shared now: work of your class still counts the exercise, or it is"
    " being verified."
)
NO_TRY = "You can share these numbers once a Check or Submit of yours was graded."


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def share_figure(
    request: HttpRequest, course: Course, slug: str, *, number: int, place: int
) -> HttpResponse:
    """Show one place of a learner's batch with a field for a name; POST shares its numbers."""
    exercise, figure = figure_of_exercise(request, course, slug)
    row = own_sample(request, number, exercise)
    why_not = why_no_reference(request, exercise)
    try:
        pictures = pictures_for(exercise, row, why_not=why_not)
        picture = pictures.places[place]
        stored = shared_figure(figure, picture.place)
        words = pictures.words(picture)
    except (LookupError, ValueError) as error:
        raise Http404(f"run {number} has no place {place}") from error
    if picture.yours is None or row.graded_at is None:
        raise Http404(f"run {number} has no numbers at place {place}")
    refusal = (NO_TRY if why_not == FIRST_TRY else WITHHELD) if why_not else ""
    form = NameForm(request.POST) if request.method == "POST" else NameForm()
    status = HTTPStatus.OK
    if request.method == "POST":
        if not request.user.is_authenticated:
            raise Http404("a visitor without an account shares nothing: nobody could revoke it")
        status = HTTPStatus.CONFLICT if refusal else HTTPStatus.BAD_REQUEST
        if not refusal and form.is_valid():
            name = form.cleaned_data["name"]
            shared, problem = store_numbers(row, picture.yours, name, figure=stored)
            if shared is not None:
                return redirect(owner_address(shared))
            form.add_error("name", problem)
            status = HTTPStatus.CONFLICT
    return render(
        request,
        "study/share_figure.html",
        {
            "exercise": exercise,
            "address": figure_address(course.slug, slug, row.pk),
            "file": f"yours-{place}.svg",
            "place": ", ".join(f"{name} = {picture.place[name]}" for name in figure.sliders),
            "words": words,
            "refusal": refusal,
            "name_form": form,
            "may_share": request.user.is_authenticated,
        },
        status=status,
    )
