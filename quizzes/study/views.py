"""The start page and the progress page."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.concepts.models import ConceptMap
from quizzes.learners.services import current_learner
from quizzes.lessons.figures.predict import figure_errors, stray_messages
from quizzes.lessons.models import Lesson
from quizzes.pages.blocks import PageContext, parse_page, render_page
from quizzes.study.concept_states import concept_states
from quizzes.study.misconceptions import misconceptions_of
from quizzes.study.next_actions import next_actions
from quizzes.study.progress_overview import progress_overview
from quizzes.study.recommendations import next_recommendation

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
    """Show what this site is, a figure with sliders, and the next lesson, quiz and exercise."""
    learner = current_learner(request)
    errors = figure_errors(FIGURE, request.GET)
    context = {
        "figure": render_page(FIGURE, PageContext(request, learner, lesson="", step="")),
        "ways": next_actions(learner),
        "has_cards": Lesson.objects.filter(form=Lesson.Form.CARDS).exists(),
        "has_map": ConceptMap.objects.exists(),
        "stray": stray_messages(FIGURE, request.GET),
    }
    return render(request, "study/home.html", context, status=400 if errors else 200)


@never_cache
@require_safe
def progress(request: HttpRequest) -> HttpResponse:
    """Show the learner's progress and the next thing to do."""
    learner = current_learner(request)
    overview = progress_overview(learner)
    context = {
        "overview": overview,
        "suggestion": next_recommendation(learner, overview),
        "misconceptions": misconceptions_of(learner),
        "concept_states": concept_states(learner)[1],
    }
    return render(request, "study/progress.html", context)


@require_safe
def accessibility(request: HttpRequest) -> HttpResponse:
    """Show the accessibility statement: the goal, the tests and the known gaps."""
    return render(request, "study/accessibility.html")
