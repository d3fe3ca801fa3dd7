"""Answer with one layer of a submission's failing case, drawn; the caller knows who may see it."""

from django.http import Http404, HttpRequest, HttpResponse

from quizzes.exercises.failure_picture import LAYERS, draw_layer, draw_small
from quizzes.exercises.models import Submission
from quizzes.exercises.page_context import arrays_of

KEEP_SECONDS = 7 * 24 * 3600


def picture_response(
    request: HttpRequest, submission: Submission, layer: str, *, is_small: bool = False
) -> HttpResponse:
    """Return the layer as SVG, in the scheme that the address names. Raises Http404.

    A browser keeps it under an address that names its version; another may show a later grading.
    """
    arrays = arrays_of(submission)
    if layer not in LAYERS or arrays is None:
        raise Http404(f"submission {submission.pk} has no picture {layer}")
    scheme = "dark" if request.GET.get("scheme") == "dark" else "light"
    draw = draw_small if is_small else draw_layer
    drawn = draw(arrays, layer=layer, scheme=scheme)
    response = HttpResponse(drawn.svg, content_type="image/svg+xml")
    is_this_version = request.GET.get("v") == submission.picture_version
    kept = f"max-age={KEEP_SECONDS}, immutable" if is_this_version else "no-cache"
    response["Cache-Control"] = f"private, {kept}"
    return response
