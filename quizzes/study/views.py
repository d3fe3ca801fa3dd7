"""The start page, and what a learner has done so far."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.concepts.models import ConceptMap
from quizzes.learners.services import current_learner
from quizzes.lessons.figures.page_errors import figure_errors, stray_messages
from quizzes.lessons.models import Lesson
from quizzes.pages.blocks import PageContext, parse_page, render_page
from quizzes.study.concept_states import standings
from quizzes.study.ledger import ledger_of
from quizzes.study.misconceptions import misconceptions_of
from quizzes.study.suggesting import next_suggestion
from quizzes.study.ways import ways_in

FIGURE = parse_page(
    """```figure
id: codes
encoding: sinusoidal
view: heatmap
set: {d_model: 50}
sliders: [d_model, base]
```""",
    path="home",
)


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """Say what this is, let one move a slider at once, and show the ways in."""
    learner = current_learner(request)
    errors = figure_errors(FIGURE, request.GET)
    context = {
        "figure": render_page(FIGURE, PageContext(request, learner, lesson="", step="")),
        "ways": ways_in(learner),
        "has_cards": Lesson.objects.filter(form=Lesson.Form.CARDS).exists(),
        "has_map": ConceptMap.objects.exists(),
        "stray": stray_messages(FIGURE, request.GET),
    }
    return render(request, "study/home.html", context, status=400 if errors else 200)


@never_cache
@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """Show how far this learner is with everything, and what to do next."""
    learner = current_learner(request)
    ledger = ledger_of(learner)
    context = {
        "ledger": ledger,
        "suggestion": next_suggestion(learner, ledger),
        "misconceptions": misconceptions_of(learner),
        "standings": standings(learner)[1],
    }
    return render(request, "study/progress.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Say what is aimed at, how it is tested and what falls short."""
    return render(request, "study/accessibility.html")
