"""A class's results: each question the first time it was asked, and the figures of one quiz.

The figures are there as CSV and JSON, too.
"""

from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from decimal import Decimal
from functools import wraps
from typing import Any

from django.http import (
    HttpRequest,
    HttpResponse,
    HttpResponseBadRequest,
    HttpResponseBase,
    JsonResponse,
)
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.utils.http import urlencode
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Option, QuestionVersion, Quiz, Regrade, Response
from quizzes.classes.access import attempts_seen, students_of
from quizzes.classes.exports.csv_lines import Cell, csv_lines
from quizzes.classes.items.flags import Deed, Flag
from quizzes.classes.items.reader import (
    Item,
    QuizItems,
    Which,
    attempts_at,
    read_items,
    taken_quizzes,
)
from quizzes.classes.log import record_opening_for_class
from quizzes.classes.members import sections_of
from quizzes.classes.models import Cohort
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.roles import role_in
from quizzes.pages.markdown import first_paragraph, render_inline
from quizzes.teaching.access import CLASS_ROLE, View, editor_of, for_class_staff
from quizzes.teaching.addresses import address_in, class_address
from quizzes.teaching.course_results import first_answers_context
from quizzes.teaching.downloads import csv_file, separator_of
from quizzes.teaching.lists import page_of, requested_filter
from quizzes.teaching.people.members import members_by_learner

WHICH = {
    Which.FIRST: "the first of each",
    Which.LAST: "the last of each",
    Which.BEST: "the best of each",
    Which.ALL: "all",
}
FIGURES = (
    "n",
    "facility",
    "sd",
    "guess",
    "intended_weight",
    "effective_weight",
    "discrimination",
    "efficiency",
)
DEEDS = {
    Deed.REGRADE: "Look at the key",
    Deed.REREAD: "Look at the key",
    Deed.EDIT: "Edit the question",
}


@dataclass(frozen=True)
class Filters:
    """What the address asks for: a quiz or all questions, a section, and which attempts count."""

    quizzes: Sequence[Quiz]
    quiz: Quiz | None
    section: str
    which: Which


class NoSuchFilterError(ValueError):
    """The address asks for what there is not; the message names it and what there is."""


def read_filters(request: HttpRequest, cohort: Cohort) -> Filters:
    """Return the choice that the address makes. One query."""
    quizzes = list(Quiz.objects.filter(course=cohort.course_id).order_by("title", "pk"))
    slug, word = requested_filter(request, "quiz"), requested_filter(request, "attempts")
    if word and word not in set(Which):
        raise NoSuchFilterError(f"attempts={word}: must be one of {', '.join(Which)}")
    by_slug = {quiz.slug: quiz for quiz in quizzes}
    if slug and slug not in by_slug:
        there = ", ".join(by_slug) or "none yet"
        raise NoSuchFilterError(f"quiz={slug}: must be a quiz of the course: {there}")
    return Filters(
        quizzes,
        by_slug.get(slug),
        requested_filter(request, "section"),
        Which(word) if word else Which.FIRST,
    )


def read_quiz_filters(request: HttpRequest, cohort: Cohort) -> Filters:
    """Return the same for a file; without a quiz the one that was submitted last."""
    filters = read_filters(request, cohort)
    return filters if filters.quiz else replace(filters, quiz=_newest_quiz(cohort))


def _newest_quiz(cohort: Cohort) -> Quiz | None:
    taken = attempts_seen(cohort).handed_in(timezone.now()).order_by("-pk")
    newest = taken.select_related("quiz").first()
    return newest.quiz if newest else None


def refuse_unknown_filters(view: View) -> View:
    """Answer 400 with the words of a NoSuchFilterError that a view raises."""

    @wraps(view)
    def guarded(request: HttpRequest, *args: object, **kwargs: object) -> HttpResponseBase:
        try:
            return view(request, *args, **kwargs)
        except NoSuchFilterError as error:
            return HttpResponseBadRequest(str(error), content_type="text/plain; charset=utf-8")

    return guarded


def _read(cohort: Cohort, filters: Filters) -> QuizItems | None:
    if filters.quiz is None:
        return None
    return read_items(cohort, filters.quiz, section=filters.section, which=filters.which)


@never_cache
@require_safe
@for_class_staff
@refuse_unknown_filters
def results(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Show the questions that students were asked, hardest first; of a quiz also its figures."""
    filters = read_filters(request, cohort)
    sees = role_in(cohort.course, request.user) is not None
    slug = filters.quiz.slug if filters.quiz else ""
    context = {
        "cohort": cohort,
        "asked": filters,
        "which": {key.value: words for key, words in WHICH.items()},
        "sections": sections_of(cohort),
        "sees_course": sees,
        **first_answers_context(cohort.course, slug, students_of(cohort, filters.section)),
    }
    if filters.quiz is None:
        context["taken"] = taken_quizzes(cohort)
    else:
        manages = CLASS_ROLE.of(request).may_manage
        context |= _figures(cohort, _read(cohort, filters), sees=sees, manages=manages)
    return render(request, "teaching/results/results.html", context)


def _figures(
    cohort: Cohort, quiz_items: QuizItems | None, *, sees: bool, manages: bool
) -> dict[str, Any]:
    """Return each version that was asked with its figures, its answers, and what stands out."""
    items = quiz_items.items if quiz_items else ()
    rows = [_row(cohort, item, sees=sees, manages=manages) for item in items]
    return {"found": quiz_items, "items": rows, "flagged": [row for row in rows if row["flags"]]}


def _row(cohort: Cohort, item: Item, *, sees: bool, manages: bool) -> dict[str, Any]:
    return {
        "item": item,
        "prompt": first_paragraph(item.version.prompt),
        "answers": [(row, render_inline(row.text)) for row in item.rows],
        "flags": _ways(cohort, item, sees=sees, manages=manages),
        "address": address_in(cohort.course, "question", item.slug) if sees else "",
        "regrade": _regrade_address(cohort, item) if manages else "",
    }


def _regrade_address(cohort: Cohort, item: Item) -> str:
    """Return the address at which an instructor regrades a class's answers to a question."""
    address = address_in(cohort.course, "regrade_question", item.slug)
    return f"{address}?class={cohort.slug}"


def _ways(cohort: Cohort, item: Item, *, sees: bool, manages: bool) -> list[tuple[Flag, str, str]]:
    """Return each flag with the address where it leads, "" for nowhere, and the link's words."""
    ways = []
    for flag in item.flags:
        words, address = DEEDS[flag.deed], ""
        if flag.deed is Deed.REGRADE and manages:
            words, address = "Regrade answers", _regrade_address(cohort, item)
        elif flag.deed is Deed.REREAD and manages:
            words = "Preview the new marks"
            rule = {"version": str(item.version.number), "rule": str(Regrade.Rule.NEW_KEY)}
            address = f"{_regrade_address(cohort, item)}&{urlencode(rule)}#preview"
        elif sees:
            address = address_in(cohort.course, "question", item.slug)
        ways.append((flag, address, words))
    return ways


@never_cache
@require_safe
@for_class_staff
@refuse_unknown_filters
def results_csv(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Send the figures, one line for each version; one that is not defined is empty."""
    filters = read_quiz_filters(request, cohort)
    lines = csv_lines(_lines(_read(cohort, filters), filters), separator_of(request))
    return csv_file(lines, f"{cohort.slug}-results.csv")


def _lines(quiz_items: QuizItems | None, filters: Filters) -> Iterable[Sequence[Cell]]:
    yield ["quiz", "attempts", "section", "question", "version", "asked_now", *FIGURES, "flags"]
    for item in quiz_items.items if quiz_items else ():
        figures = [getattr(item.figures, name) for name in FIGURES]
        yield [
            quiz_items.quiz.slug if quiz_items else "",
            filters.which,
            filters.section,
            item.slug,
            item.version.number,
            "yes" if item.is_current else "no",
            *(Decimal(f"{value:.6f}") if isinstance(value, float) else value for value in figures),
            " ".join(flag.kind for flag in item.flags),
        ]


@never_cache
@require_safe
@for_class_staff
@refuse_unknown_filters
def results_json(request: HttpRequest, cohort: Cohort) -> HttpResponse:
    """Send the figures, the answers and the flags as JSON; null is not defined."""
    filters = read_quiz_filters(request, cohort)
    found = _read(cohort, filters)
    answer = {
        "class": cohort.slug,
        "quiz": filters.quiz.slug if filters.quiz else None,
        "section": filters.section,
        "attempts": filters.which.value,
        "students": found.students if found else 0,
        "attempts_counted": found.attempts if found else 0,
        "whole": asdict(found.whole) if found else None,
        "items": [_plain(one) for one in found.items] if found else [],
    }
    return JsonResponse(answer, json_dumps_params={"ensure_ascii": False})


def _plain(item: Item) -> dict[str, Any]:
    return {
        "question": item.slug,
        "version": item.version.number,
        "asked_now": item.is_current,
        **asdict(item.figures),
        "answers": [
            {
                "text": row.text,
                "times": row.times,
                "better_half": row.better,
                "key": row.is_key,
                "blank": row.is_blank,
                "mistake": row.mistake or None,
            }
            for row in item.rows
        ],
        "flags": [{"kind": flag.kind, "words": flag.words} for flag in item.flags],
    }


@never_cache
@require_safe
@for_class_staff
@refuse_unknown_filters
def answers(request: HttpRequest, cohort: Cohort, number: int) -> HttpResponse:
    """List what each student answered to one version, newest first, with a link to the attempt."""
    version = get_object_or_404(
        QuestionVersion.objects.select_related("question").filter(
            question__course=cohort.course_id
        ),
        pk=number,
    )
    filters = read_quiz_filters(request, cohort)
    rows = Response.objects.filter(version=version).select_related("attempt", "choice")
    if filters.quiz is None:
        rows = rows.none()
    else:
        seen = attempts_at(cohort, filters.quiz, filters.section)
        rows = rows.filter(attempt__in=seen.values("pk"))
    page = page_of(request, rows.order_by("-attempt", "order"))
    subjects = [version.question.as_subject(), *_named_section(filters)]
    about = f"the answers to version {version.number}"
    record_opening_for_class(cohort, editor_of(request), subjects, about)
    context = {
        "cohort": cohort,
        "asked": filters,
        "version": version,
        "prompt": first_paragraph(version.prompt),
        "page": page,
        "rows": _answered(cohort, list(page.object_list)),
    }
    return render(request, "teaching/results/answers.html", context)


def _named_section(filters: Filters) -> list[Subject]:
    name = filters.section
    return [Subject.of(Kind.SECTION, name, f"section {name}")] if name else []


def _answered(cohort: Cohort, rows: list[Response]) -> list[dict[str, Any]]:
    chosen = {pk for row in rows for pk in row.choices or ()}
    texts = dict(Option.objects.filter(pk__in=chosen).values_list("pk", "text")) if chosen else {}
    learners = {row.attempt.learner_id for row in rows if row.attempt}
    people = members_by_learner(cohort, learners)
    found = []
    for row in rows:
        assert row.attempt is not None
        if row.choice is not None:
            text = row.choice.text
        elif row.choices:
            text = " · ".join(texts.get(pk, "") for pk in row.choices)
        else:
            text = ""
        found.append(
            {
                "response": row,
                "member": people.get(row.attempt.learner_id),
                "text": render_inline(text) if text else row.text,
            }
        )
    return found


@never_cache
@require_safe
@for_class_staff
def moved(request: HttpRequest, cohort: Cohort, page: str, **where: int) -> HttpResponse:
    """Lead an address from when figures had a page of their own to the page that has them now."""
    query = request.GET.urlencode()
    address = class_address(cohort, page, *where.values())
    return redirect(f"{address}?{query}" if query else address, permanent=True)
