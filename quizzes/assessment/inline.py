"""The block `question` of lesson pages: asked and answered in the step, with every reason.

```question
slug: row-zero
```
"""

from collections.abc import Iterable, Mapping, Sequence

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.assessment.models import Question, Response
from quizzes.assessment.services import inline_order
from quizzes.assessment.showing import QuestionShown, question_shown
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.fields import Fields
from quizzes.pages.source import Fault


class QuestionBlock:
    """Four queries a page, however many questions stand in it."""

    name = "question"

    def check(self, block: Block) -> Iterable[Fault]:
        faults: list[Fault] = []
        fields = Fields(block.node, faults)
        fields.slug("slug")
        fields.done()
        if block.body.strip():
            faults.append(block.fault("a question block has no body"))
        return faults

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Mapping[str, QuestionShown]:
        slugs = {str(block.options.get("slug", "")) for block in blocks}
        step = f"{context.lesson}/{context.step}"
        found = Question.objects.filter(slug__in=slugs, current__isnull=False)
        shown = {
            question.slug: unanswered(question)
            for question in found.select_related("current__question").prefetch_related(
                "current__options"
            )
        }
        if context.learner is not None:
            answered = Response.objects.filter(
                learner=context.learner, step=step, version__question__slug__in=slugs
            )
            for response in (
                answered.select_related("version__question")
                .prefetch_related("version__options")
                .order_by("answered_at")
            ):
                shown[response.version.question.slug] = inline_answered(response)
        return shown

    def render(
        self, block: Block, prepared: Mapping[str, QuestionShown], context: PageContext
    ) -> SafeString:
        slug = str(block.options.get("slug", ""))
        question = prepared.get(slug)
        if question is None:
            words = '<p class="notice notice--warn">The question {} is not here yet.</p>'
            return format_html(words, slug)
        facts = {"question": question, "slug": slug, "step": f"{context.lesson}/{context.step}"}
        return SafeString(render_to_string("assessment/inline.html", facts, context.request))


def unanswered(question: Question) -> QuestionShown:
    """Return a question of a lesson as it is first met."""
    version = question.current
    if version is None:
        raise ValueError(f"question {question.slug}: has no version")
    order = inline_order(version)
    return question_shown(version, number=0, name="option", order=order, choice=None)


def inline_answered(response: Response) -> QuestionShown:
    """Return a question of a lesson with the learner's answer and every reason."""
    return question_shown(
        response.version,
        number=0,
        name="option",
        order=response.option_order,
        choice=response.choice_id,
    )
