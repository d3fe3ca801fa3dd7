"""Pages of quizzes: the list, the start, an attempt, its review; and answers inside lessons."""

from collections.abc import Sequence
from functools import cache
from math import ceil

from django.db.models import SlugField
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.safestring import SafeString
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from quizzes.assessment.course_quizzes import lessons_of_quizzes, listed_quizzes, quiz_named
from quizzes.assessment.forms import BadChoicesError, InlineAnswerForm, read_choices
from quizzes.assessment.lesson_block import unanswered
from quizzes.assessment.models import Attempt, Option, Question, Quiz, Response
from quizzes.assessment.presenters import (
    attempt_questions,
    drawn_question_context,
    response_context,
    to_try_again,
    with_problem,
)
from quizzes.assessment.selection import SelectedQuestion
from quizzes.assessment.services import (
    Answer,
    AttemptClosedError,
    NoSuchChoiceError,
    NumbersMissingError,
    answer,
    clean_text,
    hand_in_overdue,
    history_of,
    start_attempt,
    submit_attempt,
    typed_numbers,
)
from quizzes.assessment.single_question import UnreadableError, answer_inline, displayed_version
from quizzes.assessment.sittings import (
    PRACTICE,
    Offers,
    SittingClosedError,
    free_practice,
    offers_of,
)
from quizzes.content_files.typed_text import MAX_KEY, read_whole_number
from quizzes.courses import addresses
from quizzes.courses.addresses import lesson_picture
from quizzes.courses.current_course import in_course, withdrawn
from quizzes.courses.just_done import JUST_DONE
from quizzes.courses.models import Course, OldName
from quizzes.courses.old_names import new_names
from quizzes.courses.sign_in_again import NOBODY, forget_work, sign_in_first, unsent_work
from quizzes.learners.services import (
    current_learner,
    hidden_slugs,
    kept_learner,
    progress_of,
)
from quizzes.limits.limits import ATTEMPT_ROWS
from quizzes.pages.course_links import with_course_links
from quizzes.pages.course_order import CoursePlace, places
from quizzes.pages.families import families
from quizzes.pages.markdown import render_markdown
from quizzes.statements import Param, Reader


@require_safe
@in_course
def index(request: HttpRequest, course: Course) -> HttpResponse:
    """Show every quiz of a course, and how far this learner is with each."""
    quizzes = listed_quizzes(course)
    learner = current_learner(request)
    states = progress_of(course.pk, learner, "quiz", [quiz.slug for quiz in quizzes])
    lessons = _lessons_of(course, quizzes)
    family_of = families(course.pk)
    cards = [
        {
            "quiz": quiz,
            "state": states.get(quiz.slug, ""),
            "family": family_of.get(place.slug) if place else None,
            "picture": lesson_picture(course.slug, place.slug, place.picture) if place else None,
        }
        for quiz, place in zip(quizzes, lessons, strict=True)
    ]
    return render(request, "assessment/index.html", {"cards": cards})


def _lessons_of(course: Course, quizzes: Sequence[Quiz]) -> list[CoursePlace | None]:
    """Return a step of the lesson that each quiz asks about most, None for one about several."""
    first = {place.slug: place for place in reversed(places(course.pk))}
    lessons = lessons_of_quizzes(course.pk)
    return [first.get(lessons.get(quiz.pk, "")) for quiz in quizzes]


def _summary(quiz: Quiz) -> SafeString:
    return with_course_links(render_markdown(quiz.summary), quiz.course.slug)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def quiz(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Say what a quiz is; POST begins an attempt, or goes on with the open one."""
    shown = quiz_named(course, slug)
    if shown is None:
        raise Http404(f"there is no quiz {slug}")
    learner, is_start = current_learner(request), request.method == "POST"
    is_for_all = shown.is_published and not shown.withdrawn_at and not shown.class_only
    if is_start and is_for_all:  # its rules are asked with the learner's row locked
        return _start(request, shown)
    offers = NO_OFFERS if learner is None else offers_of(learner, shown, timezone.now())
    history = history_of(learner, shown)
    is_met = history.open or (history.latest and not is_start)
    if not (is_for_all or offers.work or is_met):
        if shown.withdrawn_at and not shown.class_only:
            return withdrawn(request, "quiz", shown.title)
        why = "is for a class" if shown.class_only else "is not published"
        raise Http404(f"quiz {slug} {why}")
    if is_start:
        return _start(request, shown)
    context = {
        "quiz": shown,
        "summary": _summary(shown),
        "history": history,
        "offers": offers.work,
        "practice": offers.practice,
    }
    return render(request, "assessment/quiz.html", context)


NO_OFFERS = Offers((), free_practice())
NUMBERS_SECONDS = 10  # after which the numbers of a generated question are looked for again


def _start(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Begin an attempt in the sitting that the form names, or go on with the open one."""
    # Pages from before the keys were numbers say "assignment:12"; to go in the next release.
    text = request.POST.get("sitting", "").removeprefix("assignment:")
    sitting = (read_whole_number(text) or 0) if text else PRACTICE  # no work has the key 0
    try:
        with kept_learner(request, rows=ATTEMPT_ROWS) as learner:
            attempt = start_attempt(learner=learner, quiz=quiz, sitting=sitting)
    except Quiz.DoesNotExist as error:
        raise Http404(str(error)) from error
    except (SittingClosedError, NumbersMissingError) as error:
        is_wait = isinstance(error, NumbersMissingError)
        context = {"quiz": quiz, "why": "" if is_wait else str(error), "sitting": text}
        status = 503 if is_wait else 403
        response = render(request, "assessment/not_started.html", context, status=status)
        if is_wait:
            response.headers["Retry-After"] = str(NUMBERS_SECONDS)
        return response
    return redirect(attempt)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@in_course
def attempt(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Ask the questions; POST saves choices, and submits when the submit button was pressed."""
    try:
        found = _own_attempt(request, course, slug, number)
    except Http404:
        if asked := _signed_out(request, course, slug, number):
            return asked
        raise
    if request.method == "POST":
        return _save(request, found)
    if found.ended_at:
        if unsent_work(request) is None:
            return redirect(found.review_address)
        forget_work(request, request.path)
        return redirect(f"{found.review_address}?late=signed-out")
    return _ask(request, found)


def _signed_out(
    request: HttpRequest, course: Course, slug: str, number: int
) -> HttpResponse | None:
    """Ask a visitor to sign in to an attempt; what was sent is kept for its learner's account."""
    if _wants_json(request) or not Quiz.objects.filter(course=course, slug=slug).exists():
        return None
    named = Attempt.objects.filter(quiz__course=course, quiz__slug=slug, pk=number)
    owner = named.exclude(learner__user=None).values_list("learner__user", flat=True).first()
    return sign_in_first(request, "quiz", owner=owner or NOBODY)


def _wants_json(request: HttpRequest) -> bool:
    return request.headers.get("Accept", "").startswith("application/json")


@never_cache
@require_safe
@in_course
def review(request: HttpRequest, course: Course, slug: str, number: int) -> HttpResponse:
    """Show a submitted attempt with a reason for every option."""
    try:
        found = _own_attempt(request, course, slug, number)
    except Http404:
        if asked := _signed_out(request, course, slug, number):
            return asked
        raise
    if not found.ended_at:
        return redirect(found)
    if hand_in_overdue(found):  # so that progress and review cards follow
        found.refresh_from_db()
    JUST_DONE.set(request, addresses.Thing("quiz", slug))
    hidden = hidden_slugs(found.learner, course.pk, "question")
    questions = attempt_questions(found, hidden)
    any_hidden = any(question.hidden for question in questions)
    history = None if any_hidden else history_of(found.learner, found.quiz, found.sitting)
    context = {
        "attempt": found,
        "quiz": found.quiz,
        "questions": questions,
        "minutes": _minutes_of(found),
        "any_hidden": any_hidden,
        "history": history,
    }
    return render(request, "assessment/review.html", context)


def _minutes_of(attempt: Attempt) -> str:
    assert attempt.ended_at is not None
    took = (attempt.ended_at - attempt.started_at).total_seconds()
    return f"{max(1, round(took / 60))} min"


@require_POST
@in_course
def answer_in_lesson(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Record an answer given inside a step and show the reasons: a fragment, or the step again."""
    published = Question.objects.filter(course=course, current__isnull=False)
    question = get_object_or_404(published.select_related("current", "course"), slug=slug)
    if question.withdrawn_at:
        return withdrawn(request, "question", question.slug)
    form = InlineAnswerForm(request.POST)
    if "step" in form.errors:
        raise Http404(f"step={request.POST.get('step')!r}: must be <lesson>/<step>")
    shown_in = form.cleaned_data["step"]  # a tab that was open while a load renamed the step
    step = new_names(course, OldName.Kind.STEP, {shown_in}).get(shown_in, shown_in)
    where = addresses.answer_address(course.slug, slug)
    context = {"slug": slug, "step": step, "answer_address": where, "fragment": True}
    if "show" in request.POST:
        return _shown_again(request, course, context, question)
    if not form.is_valid():
        words = "Choose an option first."
        context |= {"question": unanswered(question, current_learner(request)), "error": words}
        return _inline(request, course, context, status=400)
    answer = form.submitted_answer()
    try:
        displayed_version(question, answer)  # before a newcomer gets a row
        with kept_learner(request) as learner:
            response = answer_inline(learner=learner, question=question, step=step, answer=answer)
    except NoSuchChoiceError as error:
        raise Http404(str(error)) from error
    except UnreadableError as error:
        again = drawn_question_context(displayed_version(question, answer))
        typed = clean_text(str(answer.value))
        context["question"] = with_problem(again, typed=typed, problem=str(error))
        return _inline(request, course, context, status=400)
    context["question"] = to_try_again(response_context(response, response.learner))
    context["kept"] = response.pk is not None
    return _inline(request, course, context, status=200)


def _shown_again(
    request: HttpRequest, course: Course, context: dict[str, object], question: Question
) -> HttpResponse:
    """Show a question that was answered wrong with every reason, or ask it once more."""
    learner = current_learner(request)
    step = str(context["step"])
    answered = Response.objects.filter(version__question=question, learner=learner, step=step)
    rows = answered.select_related("version__question__course", "instance")
    first = rows.order_by("-answered_at").first() if learner else None
    if first is None:
        raise Http404(f"question {question.slug} was not answered in {step} yet")
    shown = response_context(first, learner)
    if request.POST["show"] == "again" and not shown.right and not shown.hidden:
        options = Option.objects.filter(version=first.version, instance=first.instance)
        shown = drawn_question_context(
            SelectedQuestion(first.version, first.instance, tuple(options))
        )
    context |= {"question": shown, "kept": False}
    return _inline(request, course, context, status=200)


def _inline(
    request: HttpRequest, course: Course, context: dict[str, object], *, status: int
) -> HttpResponse:
    if request.headers.get("HX-Request"):
        # htmx swaps successful answers only, and this one says what is missing.
        return render(request, "assessment/inline.html", context)
    step = addresses.step_address(course.slug, str(context["step"]))
    if status != 200 or not context["kept"]:
        context |= {"problem": status != 200, "step_address": step}
        return render(request, "assessment/inline_page.html", context, status=status)
    return redirect(f"{step}#question-{context['slug']}")


def _own_attempt(request: HttpRequest, course: Course, slug: str, number: int) -> Attempt:
    """Return the visitor's attempt, or raise Http404: other people's attempts do not exist."""
    learner = current_learner(request)
    named = {"course": course.pk, "quiz": slug, "attempt": min(number, MAX_KEY)}
    attempt = _own_attempts().first(learner=learner.pk, **named) if learner else None
    if attempt is None or learner is None:
        raise Http404(f"attempt {number} at {slug} is not yours or does not exist")
    attempt.learner = learner  # with what was read of it already
    attempt.quiz.course = course
    return attempt


@cache
def _own_attempts() -> Reader[Attempt]:
    named = {"quiz__course": Param("course"), "quiz__slug": Param("quiz", SlugField())}
    mine = Attempt.objects.filter(learner=Param("learner"), pk=Param("attempt"), **named)
    return Reader(mine.select_related("quiz"))


def _save(request: HttpRequest, attempt: Attempt) -> HttpResponse:
    """Save what the form brings: autosave wants JSON, a pressed button a page."""
    wants_json = _wants_json(request)
    try:
        choices = read_choices(request.POST)
        if wants_json:
            answered = answer(attempt=attempt, choices=choices)
            typed = [pk for pk, choice in choices.items() if isinstance(choice, str)]
            unread, read = typed_numbers(attempt=attempt, among=typed)
            told = {"answered": answered, "unread": unread, "read": read}
            left = _seconds_left(attempt)
            return JsonResponse(told if left is None else told | {"seconds_left": left})
        return _pressed(request, attempt, choices)
    except (BadChoicesError, NoSuchChoiceError) as error:
        if wants_json:
            return JsonResponse({"error": str(error)}, status=400)
        return _ask(request, attempt, problem=str(error), status=400)
    except AttemptClosedError as error:
        where = attempt.review_address
        if wants_json:
            return JsonResponse({"error": "submitted", "review": where}, status=409)
        return redirect(f"{where}?late=1" if error.choices_lost else where)


def _pressed(request: HttpRequest, attempt: Attempt, choices: dict[int, Answer]) -> HttpResponse:
    """Do what the pressed button says: save, submit, or submit with questions left blank."""
    button = request.POST.get("do", "save")
    if button not in {"submit", "submit-blank"}:
        answer(attempt=attempt, choices=choices)
        return redirect(f"{request.path}?saved=1#saved")
    if submit_attempt(attempt=attempt, choices=choices, blanks=button == "submit-blank"):
        return redirect(attempt.review_address)
    return redirect(f"{request.path}?blank=1#blank")


def _seconds_left(attempt: Attempt) -> int | None:
    """Return for how long the attempt takes answers by the server's clock, None without an end."""
    if attempt.deadline_at is None:
        return None
    return max(0, ceil((attempt.deadline_at - timezone.now()).total_seconds()))


def _ask(
    request: HttpRequest, attempt: Attempt, *, problem: str = "", status: int = 200
) -> HttpResponse:
    questions = attempt_questions(attempt)
    counted = [question for question in questions if not question.is_dropped]
    blanks = [question for question in counted if not question.answered]
    context = {
        "attempt": attempt,
        "quiz": attempt.quiz,
        "questions": questions,
        "asked": len(counted),
        "answered": len(counted) - len(blanks),
        "seconds_left": _seconds_left(attempt),
        "has_points": any(question.points != 1 for question in counted),
        "saved": "saved" in request.GET,
        "blanks": blanks if "blank" in request.GET else [],
        "problem": problem,
    }
    return render(request, "assessment/attempt.html", context, status=status)
