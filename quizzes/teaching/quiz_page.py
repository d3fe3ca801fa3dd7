"""How quizzes are put together in the browser: the kind's declaration for `studio_views.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlencode

from django.db.models import Count, OuterRef, Prefetch, Subquery
from django.db.models.functions import Coalesce
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.assessment.models import Attempt, Option, Question, Quiz, QuizQuestion
from quizzes.assessment.models.attempts import still_open
from quizzes.assessment.option_lengths import count_longest, quiz_remark
from quizzes.assessment.presenters import version_contexts
from quizzes.assessment.quiz_drafts import BLANK, EditableQuiz, check_quiz
from quizzes.assessment.sources import PlaceSource, QuizSource
from quizzes.classes.publishing.running_work import work_on_quiz
from quizzes.courses.drafts import CurrentText
from quizzes.courses.editions import PastText
from quizzes.courses.models import ContentDraft, Course
from quizzes.pages.course_links import with_course_links
from quizzes.pages.markdown import render_markdown
from quizzes.teaching.access import for_editors
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import (
    missing_in_quiz,
    place_ids,
    pressed_button,
    read_quiz,
    slug_of,
    slugs_in,
)
from quizzes.teaching.lists import requested_filter
from quizzes.teaching.questions import find_questions, tags_to_find_by, tags_used
from quizzes.teaching.studio import StudioPage, Words, history_of


class QuizPage(StudioPage):
    """The page on which quizzes are put together."""

    template = "teaching/quiz.html"
    list_template = "teaching/quizzes.html"
    preview_template = "teaching/quiz_preview.html"
    preview_methods = ("GET", "HEAD")
    version_template = "teaching/_quiz_version.html"
    withdraws_in_form = (
        "Withdrawn: learners can no longer find it. Open attempts can still be finished, and "
        "classes that it is assigned to keep it."
    )
    words = Words(
        new_draft="{slug} is now a draft. Learners will see it when you publish it.",
        saved_draft="Saved as a draft. Learners will see it when you publish it.",
        plan="Saved. It will be published when it has closed for the classes working on it.",
        running_work="Saved, not published: classes are working on this quiz. Choose whether to"
        " publish now or after it closes.",
        plan_dropped="It will not be published when the quiz closes.",
        discarded="The quiz {slug} has been discarded.",
        brought_back="Version {number} is now your draft. Learners will see it when you publish "
        "it.",
    )

    def thing(self, course: Course, slug: str) -> EditableQuiz:
        return EditableQuiz(get_object_or_404(Quiz, course=course, slug=slug))

    def list_context(self, request: HttpRequest, course: Course) -> dict[str, Any]:
        del request
        return {"quizzes": quiz_list(course)}

    def blank(self, data: QueryDict) -> Mapping[str, Any]:
        del data
        return BLANK

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        return pressed_button(read_quiz(data), button)

    def context(
        self, request: HttpRequest, thing: EditableQuiz, now: CurrentText
    ) -> dict[str, Any]:
        search = _search(request, thing.row.course, slugs_in(now.content))
        return quiz_form_context(thing, now) | search

    def preview(
        self, request: HttpRequest, thing: EditableQuiz, content: Mapping[str, Any]
    ) -> dict[str, Any]:
        del request
        quiz, places = thing.row, check_quiz(thing.row, content)[0].places
        return {
            "quiz": quiz,
            "content": content,
            "summary": with_course_links(render_markdown(content["summary"]), quiz.course.slug),
            "parts": _preview_parts(quiz.course, places),
            "has_points": any(place.points != 1 for place in places),
        }

    def version(self, request: HttpRequest, thing: EditableQuiz, text: PastText) -> dict[str, Any]:
        return self.preview(request, thing, text.content)

    def publication(self, thing: EditableQuiz, source: QuizSource) -> str:
        del thing
        asks = source.size
        return f"Published with {asks} question{'s' * (asks != 1)}: learners can now find it."

    def next_address(self, request: HttpRequest, thing: EditableQuiz, button: str) -> str:
        """Return the address to go on: at the question that was moved, with the same search."""
        del thing
        act, _, slug = button.partition(":")
        search = {name: request.POST.get(name, "")[:200] for name in ("q", "tag")}
        terms = {name: value for name, value in search.items() if value}
        query = f"?{urlencode(terms)}" if terms else ""
        place = f"#place-{slug.replace(':', '-')}"
        where = {"up": place, "down": place, "add": "#found", "find": "#found", "pool": "#chosen"}
        return f"{request.path}{query}{where.get(act, '#chosen' if act == 'remove' else '')}"


@never_cache
@require_safe
@for_editors
def find(request: HttpRequest, course: Course, slug: str) -> HttpResponse:
    """Return the questions that match the words as a fragment; `questions` are chosen already."""
    get_object_or_404(Quiz, course=course, slug=slug)
    context = _search(request, course, [str(one) for one in request.GET.getlist("questions")])
    return render(request, "teaching/_found.html", context)


def _preview_parts(course: Course, places: Sequence[PlaceSource]) -> list[dict[str, Any]]:
    """Return the contents of a preview in order: questions, and what each pool draws from.

    A question that learners are not asked is only named.

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
        else:
            parts.append({"missing": place.question})
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


@dataclass(frozen=True)
class QuizLine:
    """A quiz in the list, with its draft's content if it has one."""

    quiz: Quiz
    draft: Mapping[str, Any] | None

    @property
    def title(self) -> str:
        drafted = str(self.draft["title"]) if self.draft else ""
        return self.quiz.title or drafted or self.quiz.slug


def quiz_list(course: Course) -> list[QuizLine]:
    """Return every quiz of a course with `asks`, `taken` and its draft. Two queries."""
    quizzes = (
        Quiz.objects.filter(course=course)
        .annotate(asks=_counted(QuizQuestion), taken=_counted(Attempt))
        .order_by("slug")
    )
    files = dict(course.drafts.filter(kind=ContentDraft.Kind.QUIZ).values_list("slug", "files"))
    return [
        QuizLine(quiz, EditableQuiz(quiz).content(files[quiz.slug]) if quiz.slug in files else None)
        for quiz in quizzes
    ]


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


def quiz_form_context(thing: EditableQuiz, now: CurrentText) -> dict[str, Any]:
    """Return the context of a quiz that is being put together."""
    quiz, content, draft = thing.row, now.content, now.draft
    source, problems = check_quiz(quiz, content)
    attempts = Attempt.objects.filter(quiz=quiz).aggregate(
        all=Count("pk"), open=Count("pk", filter=still_open(timezone.now()))
    )
    published, published_hash = thing.published(), thing.published_hash()
    return {
        "quiz": quiz,
        "content": content,
        "revision": now.revision,
        "draft": draft,
        "behind": bool(draft and quiz.is_published and draft.base != published_hash),
        "edited_since_load": bool(quiz.loaded_hash) and published_hash != quiz.loaded_hash,
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
        "versions": history_of(thing),
    }
