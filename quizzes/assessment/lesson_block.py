"""The block `question` of lesson pages: asked and answered in the step, with every reason.

```question
slug: row-zero
```
"""

from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import cache, lru_cache
from types import MappingProxyType
from typing import Any

from django.db.models import CharField, QuerySet
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.assessment.corrections.notices import corrections, with_regrades
from quizzes.assessment.models import Question, Response
from quizzes.assessment.presenters import (
    QuestionContext,
    drawn_question_context,
    response_contexts,
    to_try_again,
)
from quizzes.assessment.selection import draw_steadily
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.addresses import answer_address
from quizzes.courses.content import cached_content
from quizzes.courses.models import LATER_OF_COURSE
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs
from quizzes.pages.blocks import Block, PageContext, slug_block_problems
from quizzes.pages.form_placeholders import render_for_all, with_token
from quizzes.statements import Param, Reader

CACHE_SIZE = 512  # questions as HTML in each process; a course has some 200, of 1 to 4 KB


class QuestionBlock:
    """Seven queries a page at most, however many questions stand in it."""

    name = "question"

    def check(self, block: Block) -> Iterable[ContentProblem]:
        return slug_block_problems(block, "a question")

    def prepare(
        self, blocks: Sequence[Block], context: PageContext
    ) -> Mapping[str, QuestionContext]:
        slugs = {str(block.options.get("slug", "")) for block in blocks}
        answered = answered_in(context, slugs)
        return answered | open_questions(context, slugs - answered.keys())

    def render(
        self, block: Block, prepared: Mapping[str, QuestionContext], context: PageContext
    ) -> SafeString:
        slug = str(block.options.get("slug", ""))
        question = prepared.get(slug)
        if question is None:
            words = '<p class="notice notice--warn">The question {} is not available yet.</p>'
            return format_html(words, slug)
        facts = {
            "question": question,
            "slug": slug,
            "step": f"{context.lesson}/{context.step}",
            "answer_address": answer_address(context.course.slug, slug),
        }
        if question.answered:
            return SafeString(render_to_string("assessment/inline.html", facts, context.request))
        return with_token(_unanswered(**facts), context.request)


# Before its answer a fixed question is the same for every reader: 0.6 ms of a step's 6.
@lru_cache(maxsize=CACHE_SIZE)
def _unanswered(**facts: Any) -> SafeString:
    return render_for_all("assessment/inline.html", facts)


def open_questions(context: PageContext, slugs: Collection[str]) -> dict[str, QuestionContext]:
    """Return the questions of these slugs as they are first met. Six queries at most."""
    if not slugs:
        return {}
    fixed = dict(_fixed_questions(context.course.pk, *sorted(slugs)))
    left = set(slugs) - fixed.keys()
    return {**fixed, **_drawn(_asked(context.course.pk, left), context.learner)} if left else fixed


def _asked(course: int, slugs: Iterable[str]) -> QuerySet[Question]:
    rows = Question.objects.available().filter(course=course, slug__in=slugs)
    return rows.select_related("current", "course").defer(*LATER_OF_COURSE)


def _drawn(questions: Iterable[Question], learner: Learner | None) -> dict[str, QuestionContext]:
    found = list(questions)
    drawn = draw_steadily(found, learner=learner)
    return {one.slug: drawn_question_context(drawn[one.pk]) for one in found if one.pk in drawn}


# By Django's queries the question of a step takes 1.3 ms of its 6.
@cached_content
def _fixed_questions(course: int, *slugs: str) -> Mapping[str, QuestionContext]:
    """Return those of the questions that ask every learner the same."""
    rows = _asked(course, slugs)
    fixed = [row for row in rows if row.current and not row.current.is_generated]
    return MappingProxyType(_drawn(fixed, None))


def answered_in(context: PageContext, slugs: Iterable[str]) -> dict[str, QuestionContext]:
    """Return the questions answered inside a step, the wrong ones to try again.

    Two queries, more where one of them was regraded.
    """
    if context.learner is None:
        return {}
    named = set(slugs)
    rows = _answers_in_step().read(
        learner=context.learner.pk,
        course=context.course.pk,
        step=f"{context.lesson}/{context.step}",
    )
    responses = [row for row in rows if row.version.question.slug in named]
    if not responses:
        return {}
    hidden = hidden_slugs(context.learner, context.course.pk, "question")
    shown = response_contexts(responses, hidden, corrections(responses))
    return {
        response.version.question.slug: to_try_again(question)
        for response, question in zip(responses, shown, strict=True)
    }


@cache
def _answers_in_step() -> Reader[Response]:
    rows = Response.objects.filter(
        version__question__course=Param("course"),
        learner=Param("learner"),
        step=Param("step", CharField()),
    )
    things = rows.select_related("version__question__course", "instance")
    later = [f"version__question__{name}" for name in LATER_OF_COURSE]
    return Reader(with_regrades(things).defer(*later).order_by("answered_at"))


def unanswered(question: Question, learner: Learner | None) -> QuestionContext | None:
    """Return a question of a lesson as it is first met; None while it is being prepared."""
    drawn = draw_steadily([question], learner=learner).get(question.pk)
    return drawn_question_context(drawn) if drawn else None
