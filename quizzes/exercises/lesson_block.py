"""The block `exercise` of lesson pages: a card with the exercise's title and this learner's state.

Its verb opens the workbench in the step (static/exercises/in_step.js).

```exercise
slug: sinusoidal-table
```
"""

from collections.abc import Iterable, Mapping, Sequence

from django.template.loader import render_to_string
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.content_files.problems import ContentProblem
from quizzes.exercises.drafts import exercises_with_draft
from quizzes.exercises.page_context import Card, card_of
from quizzes.exercises.services import course_exercises
from quizzes.learners.services import progress_of
from quizzes.pages.blocks import Block, PageContext, slug_block_problems


class ExerciseBlock:
    """Two queries a page at most, however many exercises stand in it."""

    name = "exercise"

    def check(self, block: Block) -> Iterable[ContentProblem]:
        return slug_block_problems(block, "an exercise")

    def prepare(self, blocks: Sequence[Block], context: PageContext) -> Mapping[str, Card]:
        slugs = {str(block.options.get("slug", "")) for block in blocks}
        there = {row.slug: row for row in course_exercises(context.course) if row.slug in slugs}
        states = progress_of(context.course.pk, context.learner, "exercise", there)
        drafted = exercises_with_draft(learner=context.learner, exercises=there.values())
        return {
            slug: card_of(row, states.get(slug, ""), has_draft=row.pk in drafted)
            for slug, row in there.items()
        }

    def render(
        self, block: Block, prepared: Mapping[str, Card], context: PageContext
    ) -> SafeString:
        slug = str(block.options.get("slug", ""))
        card = prepared.get(slug)
        if card is None:
            words = "The exercise {} is not available yet."
            return format_html('<p class="notice notice--warn">' + words + "</p>", slug)
        # The editor's style element has it: see `csp_update` of the step's view.
        nonce = getattr(context.request, "csp_nonce", "")
        facts = {"card": card, "nonce": nonce, "request": context.request, "course": context.course}
        return SafeString(render_to_string("exercises/_card.html", facts))
