"""How questions are written in the browser: the kind's declaration for `studio_views.py`."""

from collections.abc import Mapping, Sequence
from typing import Any

from django.contrib import messages
from django.http import HttpRequest, QueryDict
from django.shortcuts import get_object_or_404

from quizzes.assessment.drawing.draws import (
    FEW,
    MANY,
    DrawRefusedError,
    ask_for_draw,
    draw_of,
    stop_draw,
)
from quizzes.assessment.drawing.report import questions_in
from quizzes.assessment.models import Question
from quizzes.assessment.presenters import question_context, source_context
from quizzes.assessment.question_drafts import BLANK, EditableQuestion
from quizzes.assessment.question_fields import MAX_OPTIONS
from quizzes.classes.publishing.editable_kinds import editable_question
from quizzes.classes.publishing.running_work import tags_of, work_on_question
from quizzes.courses.drafts import CurrentText, StaleRevisionError, current_text, save_draft
from quizzes.courses.editions import PastText
from quizzes.courses.models import Course
from quizzes.teaching.access import editor_of
from quizzes.teaching.forms import BLANKS, form_rows, missing_fields, read_content
from quizzes.teaching.lists import page_of, requested_filter
from quizzes.teaching.question.programs import can_be_drawn, drawn_content, fixed_content
from quizzes.teaching.questions import (
    answers_to,
    changes_question,
    find_questions,
    history,
    question_form_context,
    tags_to_find_by,
    tags_used,
)
from quizzes.teaching.studio import PastVersion, StudioPage, Words, own_address

DRAWS = {"draw": FEW, "draw-many": MANY}  # the buttons, and how many seeds each draws
ROWS = {str(number) for number in range(1, MAX_OPTIONS + 1)}


class QuestionPage(StudioPage):
    """The page on which questions are written."""

    template = "teaching/question.html"
    list_template = "teaching/questions.html"
    preview_template = "teaching/_preview.html"
    preview_methods = ("POST",)
    version_template = "teaching/_question_version.html"
    withdrawn = "Withdrawn: it is no longer asked. Existing answers are kept."
    restored = "Restored: its quizzes will include it again."
    words = Words(
        new_draft="{slug} is now a draft. It will not be asked until you publish it.",
        saved_draft="Saved as a draft. It will not be asked until you publish it.",
        plan="Saved. It will be published when its quizzes have closed for the classes working "
        "on them.",
        running_work="Saved, not published: classes are working on a quiz with this question."
        " Choose whether to publish now or after it closes.",
        plan_dropped="It will not be published when the quiz closes.",
        discarded="The question {slug} has been discarded.",
        brought_back="Version {number} is now your draft. It will be asked once you publish it.",
    )

    def row(self, course: Course, slug: str) -> Question:
        rows = Question.objects.select_related("current", "course")
        return get_object_or_404(rows, course=course, slug=slug)

    def warning(self, row: Question) -> str:
        if not work_on_question(row, tags_of(row, {})):
            return ""
        return (
            "Not withdrawn: classes are working on a quiz with this question. They are listed above"
            " the button: tick “Withdraw it anyway” there if you are sure."
        )

    def thing(self, course: Course, slug: str) -> EditableQuestion:
        return editable_question(self.row(course, slug))

    def list_context(self, request: HttpRequest, course: Course) -> dict[str, Any]:
        words, tag = requested_filter(request, "q"), requested_filter(request, "tag")
        return {
            "page": page_of(request, find_questions(course, words, tag=tag)),
            "words": words,
            "tag": tag,
            "tags": tags_to_find_by(tags_used(course)),
        }

    def blank(self, data: QueryDict) -> Mapping[str, Any]:
        return BLANKS.get(data.get("kind", ""), BLANK)

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        content = read_content(data)
        is_to_be_drawn = button == "generate" and "generator" not in content
        return drawn_content(content) if is_to_be_drawn and can_be_drawn(content) else content

    def context(
        self, request: HttpRequest, thing: EditableQuestion, now: CurrentText
    ) -> dict[str, Any]:
        asked_rows = requested_filter(request, "rows")
        at_least = int(asked_rows) if asked_rows in ROWS else 0
        return question_form_context(thing, now, at_least=at_least)

    def preview(
        self, request: HttpRequest, thing: EditableQuestion, content: Mapping[str, Any]
    ) -> dict[str, Any]:
        del request
        checked = thing.check(content)
        return {
            "preview": source_context(checked.source, thing.row.course.slug),
            "is_generated": "generator" in content,
            "missing": missing_fields(checked.problems),
        }

    def history(self, thing: EditableQuestion) -> Sequence[PastVersion]:
        return history(thing)

    def version(
        self, request: HttpRequest, thing: EditableQuestion, text: PastText
    ) -> dict[str, Any]:
        del request
        order = [option.pk for option in text.row.options.all()]
        return {
            "shown": question_context(text.row, number=1, name="shown", order=order),
            "answers": answers_to(thing.row.course, text.row),
        }

    def changes_work(self, thing: EditableQuestion, content: Mapping[str, Any]) -> bool:
        return changes_question(thing.row, content)

    def publication(self, thing: EditableQuestion, source: object) -> str:
        del source
        assert thing.row.current is not None
        return f"Published: version {thing.row.current.number}{_where_asked(thing.row)}"

    def after_save(
        self,
        request: HttpRequest,
        thing: EditableQuestion,
        content: Mapping[str, Any],
        button: str,
    ) -> None:
        """Begin or stop a draw, or say what became of a question that was turned into another."""
        if button in DRAWS:
            self._draw(request, thing, content, DRAWS[button])
        elif button == "stop" and stop_draw(thing.row):
            _say(request, thing, "The draw has been stopped.")
        elif button == "generate":
            _say(
                request, thing, "Saved as a draft with a program. Draw it, and change what varies."
            )
        elif button == "fix" and "generator" in content:
            self._fix(request, thing, content)

    def _draw(
        self, request: HttpRequest, thing: EditableQuestion, content: Mapping[str, Any], seeds: int
    ) -> None:
        checked = thing.check(content)
        faults = [fault for fault in checked.problems if fault.path in {"generator", "exercise"}]
        if faults or not checked.source.generator:
            _say(request, thing, "Not drawn: fix the program first, as listed.", messages.WARNING)
            return
        try:
            ask_for_draw(thing.row, checked.source, seeds=seeds, by=editor_of(request))
        except DrawRefusedError as error:
            _say(request, thing, f"Not drawn. {error}", messages.WARNING)
        else:
            _say(request, thing, f"Saved. Seeds 1 to {seeds} will appear under Numbers.")

    def _fix(
        self, request: HttpRequest, thing: EditableQuestion, content: Mapping[str, Any]
    ) -> None:
        """Save what the first seed gave as a fixed question."""
        now, draw = current_text(thing), draw_of(thing.row)
        if now.content != content:
            raise StaleRevisionError(str(thing.row), now)
        made = questions_in(draw.report) if draw and draw.kind == content["kind"] else []
        if not made and not thing.row.current_id:
            _say(request, thing, "Draw it first: seed 1 becomes the question.", messages.WARNING)
            return
        fixed = fixed_content(content, made[0] if made else None)
        save_draft(thing, content=fixed, revision=now.revision, editor=editor_of(request))
        _say(request, thing, "Saved as a draft without a program.")

    def next_address(self, request: HttpRequest, thing: EditableQuestion, button: str) -> str:
        if button == "more":
            return f"{request.path}?rows={form_rows(request.POST) + 1}#more"
        if button in DRAWS:
            return f"{own_address(thing)}#numbers"
        return own_address(thing)


def _say(
    request: HttpRequest, thing: EditableQuestion, words: str, level: int = messages.SUCCESS
) -> None:
    """Add a message that names the form, so that its script knows that it is saved."""
    form = f"question/{thing.row.course.slug}/{thing.row.slug}"
    messages.add_message(request, level, words, extra_tags=form)


def _where_asked(question: Question) -> str:
    """Return whether learners are asked a question: in a quiz, or in a lesson that names it."""
    if question.withdrawn_at:
        return ". The question is withdrawn: restore it so that it can be asked."
    if question.loaded_hash or question.places.exists():
        return " will be asked from now on."
    return ". It is not in any quiz yet: add it to one under Quizzes."
