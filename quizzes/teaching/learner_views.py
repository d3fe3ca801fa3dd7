"""Instructors' pages: the learners, and one of them."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.learners.models import Learner
from quizzes.learners.roles import instructors_only
from quizzes.teaching.learners import WHO, found_learners, learner_page
from quizzes.teaching.lists import asked, page_of

ORDERS = {"seen": "Last seen", "name": "Name"}


@never_cache
@require_safe
@instructors_only
def learners(request: HttpRequest) -> HttpResponse:
    """Every learner, with a search."""
    words, who, order = asked(request, "q"), asked(request, "who"), asked(request, "order")
    context = {
        "page": page_of(request, found_learners(words, who=who, order=order)),
        "words": words,
        "whos": WHO,
        "who": who,
        "orders": ORDERS,
        "order": order,
    }
    return render(request, "teaching/learners.html", context)


@never_cache
@require_safe
@instructors_only
def learner(request: HttpRequest, number: int) -> HttpResponse:
    """One learner: progress, attempts, submissions, mistakes."""
    found = get_object_or_404(Learner.objects.select_related("user"), pk=number)
    return render(request, "teaching/learner.html", learner_page(found))
