"""Instructors' pages: put quizzes together from questions, publish and withdraw them."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import wraps
from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Count, OuterRef, Prefetch, QuerySet, Subquery
from django.db.models.functions import Coalesce
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from quizzes.assessment.models import Attempt, Option, Question, Quiz, QuizQuestion
from quizzes.assessment.models.attempts import still_open
from quizzes.assessment.models.drafts import Draft
from quizzes.assessment.option_lengths import count_longest, quiz_remark
from quizzes.assessment.presenters import version_contexts
from quizzes.assessment.question_drafts import is_storable
from quizzes.assessment.quiz_drafts import (
    BLANK,
    check_quiz,
    discard_quiz_draft,
    editable_quiz,
    new_quiz,
    publish_quiz,
    publish_quiz_later,
    save_quiz_draft,
    withdraw_quiz,
)
from quizzes.assessment.revisions import NotReadyError, SlugTakenError, StaleRevisionError
from quizzes.assessment.sources import PlaceSource
from quizzes.assessment.store import content_of_quiz, stored_quiz_hash
from quizzes.classes.publishing.running_work import work_on_quiz
from quizzes.courses.models import Course
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_markdown
from quizzes.teaching.access import (
    editor_of,
    editors_only,
    for_editors,
    for_viewers,
    revision_in,
)
from quizzes.teaching.addresses import address_in
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import (
    UNSTORABLE,
    SlugForm,
    missing_in_quiz,
    place_ids,
    pressed_button,
    read_quiz,
    slug_of,
    slugs_in,
)
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.questions import find_questions, tags_to_find_by, tags_used
from quizzes.teaching.saved_messages import say_saved


def there_still(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Answer 404 for a quiz that is discarded while the view works on it."""

    @wraps(view)
    def guarded(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
        try:
            return view(request, course, slug)
        except Quiz.DoesNotExist as error:
            raise Http404(f"quiz {slug} has been discarded") from error

    return guarded


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
def quizzes(request: HttpRequest, course: Course) -> HttpResponse:
    """Show every quiz of a course; POST begins a new one."""
    if request.method == "POST":
        editors_only(request)
    form = SlugForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        try:
            made = new_quiz(
                course, slug=form.cleaned_data["slug"], content=BLANK, editor=editor_of(request)
            )
            messages.success(
                request, f"{made.slug} is now a draft. Learners will see it when you publish it."
            )
            return redirect(address_in(course, "quiz", made.slug))
        except SlugTakenError as error:
            form.add_error("slug", str(error))
    context = {"quizzes": quiz_list(course), "form": form}
    return render(request, "teaching/quizzes.html", context, status=400 if form.errors else 200)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@for_viewers
@there_still
def quiz(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Put one quiz together; POST saves it as a draft and carries out its button."""
    if request.method == "POST":
        editors_only(request)
    found = get_object_or_404(Quiz, course=course, slug=slug)
    if request.method == "POST":
        return _write(request, found)
    there = editable_quiz(found)
    context = quiz_form_context(found, there.content, there.revision, draft=there.draft)
    context |= _search(request, course, slugs_in(there.content))
    return render(request, "teaching/quiz.html", context)


@never_cache
@require_safe
@for_editors
def find(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Return the questions that match the words as a fragment; `questions` are chosen already."""
    get_object_or_404(Quiz, course=course, slug=slug)
    context = _search(request, course, [str(one) for one in request.GET.getlist("questions")])
    return render(request, "teaching/_found.html", context)


@never_cache
@require_safe
@for_viewers
@there_still
def preview(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Show the draft of the quiz as a learner would see it, with every reason."""
    found = get_object_or_404(Quiz, course=course, slug=slug)
    there = editable_quiz(found)
    places = check_quiz(found, there.content)[0].places
    context = {
        "quiz": found,
        "content": there.content,
        "summary": with_course_links(render_markdown(there.content["summary"]), course.slug),
        "parts": _preview_parts(course, places),
        "has_points": any(place.points != 1 for place in places),
    }
    return render(request, "teaching/quiz_preview.html", context)


def _preview_parts(course: Course, places: Sequence[PlaceSource]) -> list[dict[str, Any]]:
    """Return the contents of a preview in order: questions, and what each pool draws from.

    Four queries.
    """
    fixed = Prefetch("current__options", Option.objects.filter(instance=None))
    rows = Question.objects.available().select_related("current__question__course")
    there = {one.slug: one for one in rows.filter(course=course).prefetch_related(fixed)}
    named = {place.question for place in places}
    parts: list[dict[str, Any]] = []
    number = 1
    for place in places:
        question = there.get(place.question)
        if place.draw:
            drawn = [
                slug
                for slug, one in there.items()
                if one.current and place.tag in one.current.tags and slug not in named
            ]
            parts.append({"pool": place, "from": sorted(drawn), "number": number})
            number += place.draw
        elif question is not None and question.current is not None:
            shown = version_contexts([question.current])[0]
            parts.append({"question": replace(shown, number=number, points=place.points)})
            number += 1
    return parts


def _search(request: HttpRequest, course: Course, chosen: list[str]) -> dict[str, object]:
    words, tag = requested_filter(request, "q"), requested_filter(request, "tag")
    found = find_for_quiz(course, words, tag, without=chosen)
    return {
        "words": words,
        "tag": tag,
        "tags": tags_used(course),
        "found": found[:MOST_FOUND],
        "more_found": len(found) > MOST_FOUND,
    }


def _write(request: HttpRequest, quiz: Quiz) -> HttpResponse:
    """Save the draft, and publish, withdraw or discard the quiz if that button was pressed."""
    button = request.POST.get("do", "save")
    content = pressed_button(read_quiz(request.POST), button)
    if button not in {"discard", "withdraw"} and not is_storable(content):
        messages.error(request, UNSTORABLE)
        draft = editable_quiz(quiz).draft
        context = quiz_form_context(quiz, content, revision_in(request), draft=draft)
        context |= _search(request, quiz.course, slugs_in(content))
        return render(request, "teaching/quiz.html", context, status=400)
    try:
        if button in {"discard", "withdraw"}:
            return _put_away(request, quiz, button)
        _save(request, quiz, content, button)
    except NotReadyError as error:
        count = len(error.problems)
        say_saved(
            request,
            quiz,
            f"Saved, not published: {count} problem{'s' * (count != 1)} to fix first.",
            messages.WARNING,
        )
    except StaleRevisionError as error:
        context = quiz_form_context(quiz, content, error.revision, draft=error.draft)
        context |= _search(request, quiz.course, slugs_in(content))
        context |= {"stale": error, "stale_changes": changes(editable_quiz(quiz).content, content)}
        return render(request, "teaching/quiz.html", context, status=409)
    return redirect(_next(request, button))


def _save(request: HttpRequest, quiz: Quiz, content: dict[str, object], button: str) -> None:
    revision, editor = revision_in(request), editor_of(request)
    there = editable_quiz(quiz)
    waits = there.draft is not None and there.draft.publish_when_closed
    same = there.revision == revision and there.content == content
    takes_back = button == "save" and waits  # what waits to be published
    if button != "publish" and same and not takes_back:
        if button == "save":
            say_saved(request, quiz, "Nothing was changed.", messages.INFO)
        return
    saved = save_quiz_draft(quiz=quiz, content=content, revision=revision, editor=editor)
    running = work_on_quiz(quiz) if button == "publish" else []
    when = request.POST.get("when", "")
    if running and when == "closed" and all(one.closes_at for one in running):
        publish_quiz_later(quiz=quiz, revision=saved, by=editor)
        say_saved(
            request,
            quiz,
            "Saved. It will be published when it has closed for the classes working on it.",
        )
    elif running and when != "now":
        say_saved(
            request,
            quiz,
            "Saved, not published: classes are working on this quiz. Choose whether to publish"
            " now or after it closes.",
            messages.WARNING,
        )
    elif button == "publish":
        asks = publish_quiz(quiz=quiz, revision=saved, by=editor)
        say_saved(
            request,
            quiz,
            f"Published with {asks} question{'s' * (asks != 1)}: learners can now find it.",
        )
    elif button == "save":
        plan = " It will not be published when the quiz closes." if waits else ""
        say_saved(
            request, quiz, f"Saved as a draft. Learners will see it when you publish it.{plan}"
        )


def _put_away(request: HttpRequest, quiz: Quiz, button: str) -> HttpResponse:
    if button == "withdraw":
        withdraw_quiz(quiz=quiz, revision=revision_in(request), by=editor_of(request))
        messages.success(
            request,
            "Withdrawn: learners can no longer find it. Open attempts can still be finished, and "
            "classes that it is assigned to keep it.",
        )
    elif discard_quiz_draft(quiz=quiz, revision=revision_in(request)):
        messages.success(request, "The draft has been discarded.")
    else:
        messages.success(request, f"The quiz {quiz.slug} has been discarded.")
        return redirect(address_in(quiz.course, "quizzes"))
    return redirect(address_in(quiz.course, "quiz", quiz.slug))


def _next(request: HttpRequest, button: str) -> str:
    """Return the address to go on: at the question that was moved, with the same search."""
    act, _, slug = button.partition(":")
    search = {name: request.POST.get(name, "")[:200] for name in ("q", "tag")}
    asked = {name: value for name, value in search.items() if value}
    query = f"?{urlencode(asked)}" if asked else ""
    place = f"#place-{slug.replace(':', '-')}"
    where = {"up": place, "down": place, "add": "#found", "find": "#found", "pool": "#chosen"}
    return f"{request.path}{query}{where.get(act, '#chosen' if act == 'remove' else '')}"


MOST_FOUND = 20


@dataclass(frozen=True)
class QuizPlace:
    """One place of a quiz that is being put together: a question, or a pool without a slug.

    `name` is that of its fields. What was typed for points, and for a pool, stands as it was typed.
    """

    number: int  # from 1
    name: str
    slug: str
    prompt: str
    state: str  # "" where it is asked, else a word that says why it is not
    points: Any = 1
    draw: Any = ""
    tag: str = ""

    @property
    def key(self) -> str:
        """Return its name as an address may hold it."""
        return self.name.replace(":", "-")


def quiz_list(course: Course) -> QuerySet[Quiz]:
    """Return every quiz of a course with `asks`, `taken` and its draft. One query."""
    return (
        Quiz.objects.filter(course=course)
        .select_related("draft")
        .annotate(asks=_counted(QuizQuestion), taken=_counted(Attempt))
        .order_by("slug")
    )


def _counted(rows: Any) -> Coalesce:
    found = rows.objects.filter(quiz=OuterRef("pk")).order_by().values("quiz")
    return Coalesce(Subquery(found.annotate(number=Count("pk")).values("number")), 0)


def find_for_quiz(
    course: Course, words: str, tag: str, *, without: Sequence[str]
) -> list[Question]:
    """Return published questions that are not in the quiz yet, one more than are shown."""
    found = find_questions(course, words, tag=tag)
    found = found.filter(current__isnull=False, withdrawn_at=None)
    return list(found.exclude(slug__in=without)[: MOST_FOUND + 1])


def places(course: Course, content: Mapping[str, Any]) -> list[QuizPlace]:
    """Return the places in their order. One query."""
    slugs = slugs_in(content)
    rows = Question.objects.select_related("current").filter(course=course, slug__in=slugs)
    by_slug = {question.slug: question for question in rows}
    entries = zip(place_ids(content), content["questions"], strict=True)
    return [
        _place(number, name, entry, by_slug.get(slug_of(entry)))
        for number, (name, entry) in enumerate(entries, start=1)
    ]


def key_remark(course: Course, slugs: Sequence[str]) -> str:
    """Return a remark on a quiz whose longest options give its keys away, else "". One query."""
    current = Question.objects.filter(course=course, slug__in=slugs).values("current")
    fixed = Option.objects.filter(instance=None, version__in=current)
    by_version: dict[int, list[Option]] = {}
    for option in fixed:
        by_version.setdefault(option.version_id, []).append(option)
    return quiz_remark(len(slugs), count_longest(by_version.values()))


def _place(number: int, name: str, entry: Any, question: Question | None) -> QuizPlace:
    fields = entry if isinstance(entry, dict) else {}
    slug, points = slug_of(entry), fields.get("points", 1)
    if not slug:
        draw, tag = fields.get("draw", ""), str(fields.get("tag", ""))
        return QuizPlace(number, name, "", "", "", points, draw, tag)
    current = question.current if question is not None else None
    if question is None:
        return QuizPlace(number, name, slug, "There is no such question.", "Not published", points)
    if current is None:
        return QuizPlace(number, name, slug, "", "Not published", points)
    state = "Withdrawn" if question.withdrawn_at else ""
    return QuizPlace(number, name, slug, current.prompt, state, points)


def quiz_form_context(
    quiz: Quiz, content: Mapping[str, Any], revision: int, *, draft: Draft | None
) -> dict[str, Any]:
    """Return the context of a quiz that is being put together."""
    source, problems = check_quiz(quiz, content)
    attempts = Attempt.objects.filter(quiz=quiz).aggregate(
        all=Count("pk"), open=Count("pk", filter=still_open(timezone.now()))
    )
    published = content_of_quiz(quiz) if quiz.is_published else None
    return {
        "quiz": quiz,
        "content": content,
        "revision": revision,
        "draft": draft,
        "behind": bool(draft and quiz.is_published and draft.base != stored_quiz_hash(quiz)),
        "edited_since_load": bool(quiz.loaded_hash) and stored_quiz_hash(quiz) != quiz.loaded_hash,
        "places": places(quiz.course, content),
        "tags": (tags := tags_used(quiz.course)),
        "tags_to_find_by": tags_to_find_by(tags),
        "summary": with_course_links(render_markdown(source.summary), quiz.course.slug),
        "missing": missing_in_quiz(problems),
        "remark": key_remark(quiz.course, slugs_in(content)),
        "attempts": attempts,
        "running": (running := work_on_quiz(quiz)),
        "all_close": all(one.closes_at for one in running),
        "changes": changes(published, content) if draft and published else [],
    }
