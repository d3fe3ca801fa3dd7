"""Instructors' page: how the class does, question by question."""

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Question, Quiz
from quizzes.learners.roles import instructors_only
from quizzes.pages.markdown import render_inline
from quizzes.teaching.class_work import Facility, chosen, facilities
from quizzes.teaching.lists import asked

MOST = 100  # of questions on the page, the hardest first


@never_cache
@require_safe
@instructors_only
def how_it_goes(request: HttpRequest) -> HttpResponse:
    """Every published question with its facility and its most chosen distractor, hardest first."""
    quiz = asked(request, "quiz")
    questions = Question.objects.filter(current__isnull=False).select_related("current")
    if quiz:
        questions = questions.filter(places__quiz__slug=quiz)
    rows = rows_of(questions)
    context = {
        "rows": rows[:MOST],
        "left_out": max(0, len(rows) - MOST),
        "quizzes": Quiz.objects.order_by("title").only("slug", "title"),
        "quiz": quiz,
    }
    return render(request, "teaching/class.html", context)


def rows_of(questions: QuerySet[Question]) -> list[dict[str, Any]]:
    """Return the questions that learners met, hardest first. Four queries."""
    by_version = {one.current_id: one for one in questions if one.current_id is not None}
    facility = facilities()
    met = [pk for pk in by_version if facility.get(pk, Facility()).met]
    met.sort(key=lambda pk: (facility[pk].percent, -facility[pk].met))
    options = chosen(met[:MOST])
    return [
        {
            "question": by_version[pk],
            "facility": facility[pk],
            "distractor": next(
                (
                    {"text": render_inline(one.option.text), "times": one.times}
                    for one in options.get(pk, ())
                    if one.times and not one.option.is_key
                ),
                None,
            ),
        }
        for pk in met
    ]
