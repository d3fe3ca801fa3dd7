"""What instructors see of quizzes: the list, one to put together, the questions there are."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce

from quizzes.assessment.models import Attempt, Question, Quiz, QuizQuestion
from quizzes.assessment.models.drafts import Draft
from quizzes.assessment.quiz_drafting import check_quiz, content_of_quiz
from quizzes.assessment.storing import stored_quiz_hash
from quizzes.pages.markdown import render_markdown
from quizzes.teaching.changes import changes
from quizzes.teaching.questions import found_questions
from quizzes.teaching.quiz_forms import missing_in_quiz

MOST_FOUND = 20


@dataclass(frozen=True)
class Place:
    """One question of a quiz that is being put together."""

    number: int  # from 1
    slug: str
    prompt: str
    ready: bool  # it was published


def quiz_list() -> QuerySet[Quiz]:
    """Return every quiz with `asks`, `taken` and its draft. One query."""
    return (
        Quiz.objects.select_related("draft")
        .annotate(asks=_counted(QuizQuestion), taken=_counted(Attempt))
        .order_by("slug")
    )


def _counted(rows: Any) -> Coalesce:
    found = rows.objects.filter(quiz=OuterRef("pk")).order_by().values("quiz")
    return Coalesce(Subquery(found.annotate(number=Count("pk")).values("number")), 0)


def found_for_quiz(words: str, tag: str, *, without: Sequence[str]) -> list[Question]:
    """Return published questions that are not in the quiz yet, one more than are shown."""
    found = found_questions(words, tag=tag).filter(current__isnull=False)
    return list(found.exclude(slug__in=without)[: MOST_FOUND + 1])


def places(slugs: Sequence[str]) -> list[Place]:
    """Return the questions in their order. One query."""
    rows = Question.objects.select_related("current").filter(slug__in=slugs)
    by_slug = {question.slug: question for question in rows}
    return [_place(number, slug, by_slug.get(slug)) for number, slug in enumerate(slugs, start=1)]


def _place(number: int, slug: str, question: Question | None) -> Place:
    if question is None:
        return Place(number, slug, "There is no such question.", ready=False)
    current = question.current
    return Place(number, slug, current.prompt if current else "", ready=current is not None)


def putting_together(
    quiz: Quiz, content: Mapping[str, Any], revision: int, *, draft: Draft | None
) -> dict[str, Any]:
    """Return what the page of a quiz that is being put together shows."""
    source, faults = check_quiz(quiz.slug, content)
    attempts = Attempt.objects.filter(quiz=quiz).aggregate(
        all=Count("pk"), open=Count("pk", filter=Q(submitted_at=None))
    )
    published = content_of_quiz(quiz) if quiz.is_published else None
    return {
        "quiz": quiz,
        "content": content,
        "revision": revision,
        "draft": draft,
        "behind": bool(draft and quiz.is_published and draft.base != stored_quiz_hash(quiz)),
        "edited_since_load": bool(quiz.loaded_hash) and stored_quiz_hash(quiz) != quiz.loaded_hash,
        "places": places(content["questions"]),
        "summary": render_markdown(source.summary),
        "missing": missing_in_quiz(faults),
        "attempts": attempts,
        "changes": changes(published, content) if draft and published else [],
    }
