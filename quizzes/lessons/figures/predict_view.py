"""Taking a prediction: noted as progress, then answered by the page with the revealed figure."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_POST

from quizzes.learners.services import learner_for_writing
from quizzes.lessons.figures.address import MAX_TEXT
from quizzes.lessons.figures.asked import fields_to_keep
from quizzes.lessons.figures.predict import PREDICTED, PredictBlock
from quizzes.lessons.models import Step
from quizzes.lessons.services import mark_seen
from quizzes.pages.blocks import parse_page


@require_POST
def predict(request: HttpRequest, lesson: str, step: str, block: str) -> HttpResponse:
    """Note that the step was seen and go back to it; its address now holds the prediction.

    A prediction that cannot be used goes there too, and the page says what was expected.
    """
    found = get_object_or_404(Step.objects.select_related("lesson"), lesson__slug=lesson, slug=step)
    page = parse_page(found.text, path=f"{lesson}/{step}")
    ids = [one.options["id"] for one in page.blocks if one.kind == PredictBlock.name]
    if block not in ids:
        raise Http404(f"no prediction {block!r} in step {step!r}")
    mark_seen(learner=learner_for_writing(request), lesson=found.lesson, step=found)
    own = (f"{block}.{PREDICTED}", request.POST.get(PREDICTED, "")[:MAX_TEXT])
    query = urlencode([*fields_to_keep(request.POST, [block]), own])
    address = reverse("lessons:step", args=[lesson, step])
    return redirect(f"{address}?{query}#predict-{block}")
