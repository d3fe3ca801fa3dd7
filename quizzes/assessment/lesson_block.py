"""The block `question` of lesson pages: asked and answered in the step, with every reason.

```question
slug: row-zero
```
"""

from collections.abc import Iterable, Mapping, Sequence

from django.db.models import Q
from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

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
from quizzes.courses.models import LATER_OF_COURSE
from quizzes.learners.models import Learner
from quizzes.learners.services import hidden_slugs
from quizzes.pages.blocks import Block, PageContext, slug_block_problems


class QuestionBlock:
    """Seven queries a page at most, however many questions stand in it."""

    name = "question"

    def check(self, block: Block) -> Iterable[ContentProblem]:
        return slug_block_problems(block, "a question")

    def prepare(
        self, blocks: Sequence[Block], context: PageContext
    ) -> Mapping[str, QuestionContext]:
        slugs = {str(block.options.get("slug", "")) for block in blocks}
        questions = Question.objects.asked().filter(course=context.course, slug__in=slugs)
        answered = answered_in(context, slugs)
        rows = questions.select_related("current", "course").defer(*LATER_OF_COURSE)
        open_ones = [one for one in rows if one.slug not in answered]
        drawn = draw_steadily(open_ones, learner=context.learner)
        return answered | {
            one.slug: drawn_question_context(drawn[one.pk]) for one in open_ones if one.pk in drawn
        }

    def render(
        self, block: Block, prepared: Mapping[str, QuestionContext], context: PageContext
    ) -> SafeString:
        slug = str(block.options.get("slug", ""))
        question = prepared.get(slug)
        if question is None:
            words = '<p class="notice notice--warn">The question {} is not here yet.</p>'
            return format_html(words, slug)
        facts = {
            "question": question,
            "slug": slug,
            "step": f"{context.lesson}/{context.step}",
            "answer_address": answer_address(context.course.slug, slug),
        }
        return SafeString(render_to_string("assessment/inline.html", facts, context.request))


def answered_in(context: PageContext, slugs: Iterable[str]) -> dict[str, QuestionContext]:
    """Return the questions answered inside a step, the wrong ones to try again. Two queries."""
    if context.learner is None:
        return {}
    questions = Q(version__question__course=context.course, version__question__slug__in=slugs)
    step = f"{context.lesson}/{context.step}"
    found = Response.objects.filter(questions, learner=context.learner, step=step)
    rows = found.select_related("version__question__course", "instance")
    responses = list(rows.order_by("answered_at"))
    shown = response_contexts(
        responses, hidden_slugs(context.learner, context.course.pk, "question")
    )
    return {
        response.version.question.slug: to_try_again(question)
        for response, question in zip(responses, shown, strict=True)
    }


def unanswered(question: Question, learner: Learner | None) -> QuestionContext | None:
    """Return a question of a lesson as it is first met; None while it is being prepared."""
    drawn = draw_steadily([question], learner=learner).get(question.pk)
    return drawn_question_context(drawn) if drawn else None
