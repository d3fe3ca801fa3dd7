"""The review queue, one question at a time, and practice of one question with fresh numbers."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.assessment.alone import Asked, UnreadableError, answer_in_review, shown_to
from quizzes.assessment.answering import NoSuchChoiceError, clean_text
from quizzes.assessment.drawing import draw_steadily
from quizzes.assessment.forms import AloneForm
from quizzes.assessment.models import Question, Response
from quizzes.assessment.reviewing import note_answers
from quizzes.assessment.showing import drawn_shown, response_shown, with_problem
from quizzes.learners.models import Learner, ReviewCard
from quizzes.learners.rates import Rate, too_many
from quizzes.learners.services import current_learner, due_count, learner_for_writing
from quizzes.study.reviewing import (
    AnsweredElsewhereError,
    answer_card,
    next_due,
    recall_card,
    waiting,
)

PRACTICE = Rate(per_second=20, burst=200)  # each answer is a row, and a class may share an address


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest) -> HttpResponse:
    """Ask what is due, one at a time; POST records the answer and shows the reasons."""
    learner = current_learner(request)
    if request.method == "POST":
        return _answer(request, learner)
    due = next_due(learner)
    context: dict[str, object] = {
        "due": due,
        "count": due_count(learner),
        "waiting": waiting(learner),
        "elsewhere": "elsewhere" in request.GET,
    }
    if due is not None and due.drawn is not None:
        context |= {
            "question": drawn_shown(due.drawn),
            "slug": due.drawn.version.question.slug,
        }
    return render(request, "study/review.html", context)


def _answer(request: HttpRequest, learner: Learner | None) -> HttpResponse:
    card = _own_card(request, learner)
    seen = _number(request.POST.get("seen"))
    recall = request.POST.get("recall")
    try:
        if recall in {"yes", "no"}:
            recall_card(card=card, seen=seen, remembered=recall == "yes")
            return redirect("study:review")
        question = _asked_question(request.POST.get("question", ""))
        form = AloneForm(request.POST)
        if not form.is_valid():
            return redirect("study:review")  # nothing was chosen: it is asked once more
        asked = form.asked()
        response = answer_card(card=card, seen=seen, question=question, asked=asked)
        return redirect("study:review_answer", response.pk)
    except AnsweredElsewhereError:
        return redirect("/review/?elsewhere=1")
    except NoSuchChoiceError as error:
        raise Http404(str(error)) from error
    except UnreadableError as error:
        again = _again(question, asked, str(error))
        facts: dict[str, object] = {"due": {"card": card, "drawn": True}, "question": again}
        facts |= {"slug": question.slug, "count": due_count(learner)}
        return render(request, "study/review.html", facts, status=400)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def practice(request: HttpRequest, slug: str) -> HttpResponse:
    """Ask one question by itself, as often as one likes; generated ones with fresh numbers."""
    wait = PRACTICE.wait_seconds(request) if request.method == "POST" else 0
    if wait:
        return too_many(wait)
    question = _asked_question(slug)
    context = {"slug": slug, "generated": bool(question.current and question.current.is_generated)}
    status = 200
    if request.method == "POST":
        form = AloneForm(request.POST)
        if form.is_valid():
            return _practised(request, question, form.asked(), context)
        context["error"], status = "Choose an option first.", 400
    drawn = draw_steadily([question], learner=current_learner(request)).get(question.pk)
    context["question"] = drawn_shown(drawn) if drawn else None
    return render(request, "study/practice.html", context, status=status)


def _practised(
    request: HttpRequest, question: Question, asked: Asked, context: dict[str, object]
) -> HttpResponse:
    try:
        shown_to(question, asked)  # before a newcomer gets a row
        learner = learner_for_writing(request)
        response = answer_in_review(learner=learner, question=question, asked=asked)
    except NoSuchChoiceError as error:
        raise Http404(str(error)) from error
    except UnreadableError as error:
        context["question"] = _again(question, asked, str(error))
        return render(request, "study/practice.html", context, status=400)
    note_answers(learner=learner, responses=[response])
    return redirect("study:review_answer", response.pk)


@never_cache
@require_safe
def review_answer(request: HttpRequest, number: int) -> HttpResponse:
    """Show an answer given in a review or in practice, with every reason."""
    learner = current_learner(request)
    found = Response.objects.filter(pk=number, learner=learner, attempt=None, step="")
    rows = found.select_related("version__question", "version", "instance")
    response = rows.first() if learner else None
    if response is None:
        raise Http404(f"answer {number} is not yours or does not exist")
    context = {
        "question": response_shown(response),
        "slug": response.version.question.slug,
        "generated": response.instance_id is not None,
        "count": due_count(learner),
    }
    return render(request, "study/review_answer.html", context)


def _again(question: Question, asked: Asked, problem: str) -> object:
    shown = drawn_shown(shown_to(question, asked))
    return with_problem(shown, typed=clean_text(str(asked.given)), problem=problem)


def _own_card(request: HttpRequest, learner: Learner | None) -> ReviewCard:
    cards = ReviewCard.objects.filter(learner=learner) if learner else ReviewCard.objects.none()
    return get_object_or_404(cards.select_related("learner"), pk=_number(request.POST.get("card")))


def _asked_question(slug: str) -> Question:
    questions = Question.objects.select_related("current").filter(current__isnull=False)
    return get_object_or_404(questions, slug=slug)


def _number(text: str | None) -> int:
    return int(text) if text and text.isascii() and text.isdigit() and len(text) < 10 else -1
