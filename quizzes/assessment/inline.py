"""The block `question` of lesson pages: asked and answered in the step, with every reason.

```question
slug: row-zero
```
"""

from collections.abc import Iterable, Mapping, Sequence

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.assessment.drawing import draw_steadily
from quizzes.assessment.models import Question, Response
from quizzes.assessment.showing import drawn_shown, responses_shown
from quizzes.assessment.shown import QuestionShown
from quizzes.learners.models import Learner
from quizzes.pages.blocks import Block, PageContext
from quizzes.pages.fields import Fields
from quizzes.pages.source import Fault


class QuestionBlock:
    """Seven queries a page at most, however many questions stand in it."""

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
        questions = Question.objects.filter(slug__in=slugs, current__isnull=False)
        answered = answered_in(context.learner, f"{context.lesson}/{context.step}", slugs)
        open_ones = [one for one in questions.select_related("current") if one.slug not in answered]
        drawn = draw_steadily(open_ones, learner=context.learner)
        return answered | {
            one.slug: drawn_shown(drawn[one.pk]) for one in open_ones if one.pk in drawn
        }

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


def answered_in(
    learner: Learner | None, step: str, slugs: Iterable[str]
) -> dict[str, QuestionShown]:
    """Return the questions answered inside a step, with every reason. Two queries at most."""
    if learner is None:
        return {}
    found = Response.objects.filter(learner=learner, step=step, version__question__slug__in=slugs)
    responses = list(found.select_related("version__question", "instance").order_by("answered_at"))
    return {
        response.version.question.slug: shown
        for response, shown in zip(responses, responses_shown(responses), strict=True)
    }


def unanswered(question: Question, learner: Learner | None) -> QuestionShown | None:
    """Return a question of a lesson as it is first met; None while it is being prepared."""
    drawn = draw_steadily([question], learner=learner).get(question.pk)
    return drawn_shown(drawn) if drawn else None
