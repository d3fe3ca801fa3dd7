"""The review queue, one question at a time, and practice of one question with fresh numbers."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.assessment.forms import AnswerForm
from quizzes.assessment.models import Question, Response
from quizzes.assessment.presenters import drawn_question_context, response_context, with_problem
from quizzes.assessment.selection import SelectedQuestion, draw_steadily, draw_with_mistake
from quizzes.assessment.services import NoSuchChoiceError, clean_text, note_answers
from quizzes.assessment.single_question import (
    SubmittedAnswer,
    UnreadableError,
    answer_in_review,
    displayed_version,
)
from quizzes.content_files.typed_text import read_whole_number
from quizzes.courses.current_course import in_course, withdrawn
from quizzes.courses.models import Course
from quizzes.learners.models import Learner, Progress, ReviewCard
from quizzes.learners.review import NamedCard
from quizzes.learners.services import (
    current_learner,
    due_cards_of,
    due_count,
    due_count_of,
    kept_learner,
    may_show,
    next_waiting_card,
    record_progress,
    record_review,
)
from quizzes.study.misconceptions import CodeMistake, code_mistakes
from quizzes.study.recommendations import recommendation_for


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def review(request: HttpRequest) -> HttpResponse:
    """Ask the due questions one at a time; POST records the answer and shows the reasons."""
    learner = current_learner(request)
    if request.method == "POST":
        return _answer(request, learner)
    recommendation_for(request, None)  # the header's, with which the cards are read
    cards = due_cards_of(request)
    due = next_due(cards)
    context: dict[str, object] = {
        "due": due,
        "count": len(cards),
        "waiting": None if due else next_waiting_card(learner),
        "elsewhere": "elsewhere" in request.GET,
    }
    if due is not None and due.drawn is not None:
        context |= {
            "question": drawn_question_context(due.drawn),
            "slug": due.drawn.version.question.slug,
            "of_course": due.card.course,
        }
    return render(request, "study/review.html", context)


def _answer(request: HttpRequest, learner: Learner | None) -> HttpResponse:
    card = _own_card(request, learner)
    number = read_whole_number(request.POST.get("seen", ""))
    seen = -1 if number is None else number
    recall = request.POST.get("recall")
    try:
        if recall in {"yes", "no"}:
            recall_card(card=card, seen=seen, remembered=recall == "yes")
            return redirect("study:review")
        question = _asked_question(card.course_id, request.POST.get("question", ""))
        form = AnswerForm(request.POST)
        if not form.is_valid():
            return redirect("study:review")  # no option was chosen: the question is asked once more
        answer = form.submitted_answer()
        response = answer_card(card=card, seen=seen, question=question, answer=answer)
        return redirect("study:review_answer", response.pk)
    except AnsweredElsewhereError:
        return redirect("/review/?elsewhere=1")
    except NoSuchChoiceError as error:
        raise Http404(str(error)) from error
    except UnreadableError as error:
        again = _again(question, answer, str(error))
        facts: dict[str, object] = {"due": {"card": card, "drawn": True}, "question": again}
        facts |= {"slug": question.slug, "count": due_count(learner)}
        return render(request, "study/review.html", facts, status=400)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def practice(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Ask one question by itself, any number of times; a generated one with fresh numbers."""
    published = Question.objects.filter(course=course, current__isnull=False)
    question = get_object_or_404(published.select_related("current", "course"), slug=slug)
    if question.withdrawn_at:
        return withdrawn(request, "question", question.slug)
    if not may_show(current_learner(request), question):
        raise Http404(f"question {slug} is not practised while its answers are hidden")
    context = {
        "asked": question,
        "generated": bool(question.current and question.current.is_generated),
    }
    status = 200
    if request.method == "POST":
        form = AnswerForm(request.POST)
        if form.is_valid():
            return _practised(request, question, form.submitted_answer(), context)
        context["error"], status = "Choose an option first.", 400
    drawn = draw_steadily([question], learner=current_learner(request)).get(question.pk)
    context["question"] = drawn_question_context(drawn) if drawn else None
    return render(request, "study/practice.html", context, status=status)


def _practised(
    request: HttpRequest, question: Question, answer: SubmittedAnswer, context: dict[str, object]
) -> HttpResponse:
    try:
        displayed_version(question, answer)  # before a row is made for a newcomer
        with kept_learner(request) as learner:
            response = answer_in_review(learner=learner, question=question, answer=answer)
    except NoSuchChoiceError as error:
        raise Http404(str(error)) from error
    except UnreadableError as error:
        context["question"] = _again(question, answer, str(error))
        return render(request, "study/practice.html", context, status=400)
    note_answers(learner=learner, responses=[response])
    return redirect("study:review_answer", response.pk)


@never_cache
@require_safe
def review_answer(request: HttpRequest, number: int) -> HttpResponse:
    """Show an answer given in a review or in practice, with every reason."""
    learner = current_learner(request)
    found = Response.objects.filter(pk=number, learner=learner, attempt=None, step="")
    rows = found.select_related("version__question__course", "version", "instance")
    response = rows.first() if learner else None
    if response is None:
        raise Http404(f"answer {number} is not yours or does not exist")
    context = {
        "question": response_context(response, learner),
        "asked": response.version.question,
        "generated": response.instance_id is not None,
        "count": due_count_of(request),
    }
    return render(request, "study/review_answer.html", context)


def _again(question: Question, answer: SubmittedAnswer, problem: str) -> object:
    shown = drawn_question_context(displayed_version(question, answer))
    return with_problem(shown, typed=clean_text(str(answer.value)), problem=problem)


def _own_card(request: HttpRequest, learner: Learner | None) -> ReviewCard:
    cards = ReviewCard.objects.filter(learner=learner) if learner else ReviewCard.objects.none()
    return get_object_or_404(
        cards.select_related("learner", "course"),
        pk=read_whole_number(request.POST.get("card", "")),
    )


def _asked_question(course: int, slug: str) -> Question:
    questions = Question.objects.available().select_related("current", "course")
    return get_object_or_404(questions, course=course, slug=slug)


# ---- the question of a due card

LOOKED_AT = 20  # cards whose question is gone are passed over


class AnsweredElsewhereError(Exception):
    """The card was answered in another tab since the page was made; nothing was recorded."""


@dataclass(frozen=True)
class Due:
    """A card and its content: a question, or the mistake itself if no question asks for it."""

    card: ReviewCard
    drawn: SelectedQuestion | None
    mistake: CodeMistake | None


def next_due(cards: Sequence[NamedCard]) -> Due | None:
    """Return the first of the due cards that still has content, with it; None without one."""
    keys = [card.key for card in cards[:LOOKED_AT]]
    rows = ReviewCard.objects.filter(pk__in=keys).select_related("learner", "course")
    for card in rows.order_by("due_at", "pk") if keys else ():
        due = _shown(card)
        if due is not None:
            return due
    return None


def _shown(card: ReviewCard) -> Due | None:
    if card.kind == ReviewCard.Kind.QUESTION:
        found = Question.objects.available().filter(course=card.course_id, slug=card.slug)
        drawn = draw_steadily(found.select_related("current", "course"), learner=card.learner)
        return next((Due(card, one, None) for one in drawn.values()), None)
    asking = draw_with_mistake(card.course_id, card.slug, learner=card.learner)
    if asking is not None:
        return Due(card, asking, None)
    made = (
        mistake for mistake in code_mistakes(card.course, card.learner) if mistake.name == card.slug
    )
    return next((Due(card, None, one) for one in made), None)


@transaction.atomic
def answer_card(
    *, card: ReviewCard, seen: int, question: Question, answer: SubmittedAnswer
) -> Response:
    """Record the answer to a card and return the time of its next review.

    Raises AnsweredElsewhereError, NoSuchChoiceError for a question that the card does not ask, and
    the errors of `answer_in_review`.
    """
    if not _asks(card, question, answer):
        raise NoSuchChoiceError(f"{card} does not ask question {question.slug}")
    response = answer_in_review(learner=card.learner, question=question, answer=answer)
    if not record_review(card=card, seen=seen, remembered=bool(response.is_right)):
        raise AnsweredElsewhereError(f"{card} was answered after {seen} reviews")
    if card.kind == ReviewCard.Kind.QUESTION and response.is_right:
        record_progress(
            card.course_id,
            learner=card.learner,
            kind=Progress.Kind.QUESTION,
            slug=question.slug,
            state=Progress.State.DONE,
        )
    return response


def _asks(card: ReviewCard, question: Question, answer: SubmittedAnswer) -> bool:
    """Return whether the answer to a question answers a card."""
    if card.kind == ReviewCard.Kind.QUESTION:
        return question.slug == card.slug
    return any(
        option.mistake == card.slug for option in displayed_version(question, answer).options
    )


def recall_card(*, card: ReviewCard, seen: int, remembered: bool) -> None:
    """Record how well a learner recalls a mistake that no question asks for.

    Raises AnsweredElsewhereError.
    """
    if not record_review(card=card, seen=seen, remembered=remembered):
        raise AnsweredElsewhereError(f"{card} was answered after {seen} reviews")
