"""How plots are written in the browser: the kind's declaration for `studio_views.py`."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib import messages
from django.http import Http404, HttpRequest, QueryDict
from django.shortcuts import get_object_or_404
from django.utils.safestring import SafeString

from quizzes.assessment.models import QuestionDraw
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.drafts import CurrentText
from quizzes.courses.editions import PastText
from quizzes.courses.models import ContentDraft, Course
from quizzes.exercises.proofs.proof_queue import proofs_waiting, versions_waiting
from quizzes.exercises.services import grading_state
from quizzes.lessons.figures.address import select
from quizzes.lessons.figures.figure_context import FigureContext
from quizzes.lessons.figures.figure_params import requested_params
from quizzes.lessons.models import Plot, PlotDrawing, Step
from quizzes.lessons.plots.drawings import PREFIX, drawings_of, want_drawing
from quizzes.lessons.plots.entries import plot_entry
from quizzes.lessons.plots.plot_drafts import BLANK, EditablePlot
from quizzes.lessons.plots.plot_files import KIND, plots_named
from quizzes.teaching.access import editor_of
from quizzes.teaching.changes import changes
from quizzes.teaching.forms import MissingField
from quizzes.teaching.studio import StudioPage, Words, history_of, own_address

FIGURE = "plot"  # the id of its picture on pages


class PlotPage(StudioPage):
    """The page on which plots are written."""

    template = "teaching/plot.html"
    list_template = "teaching/plots.html"
    preview_template = "teaching/plot_preview.html"
    preview_methods = ("GET", "HEAD")
    version_template = "teaching/_plot_version.html"
    withdrawn = "Withdrawn: no other lesson can show it."
    restored = "Restored: lessons can show it again."
    words = Words(
        new_draft="{slug} is now a draft. Lessons can show it when you publish it.",
        saved_draft="Saved as a draft. Lessons can show it when you publish it.",
        plan="",
        running_work="",
        plan_dropped="",
        discarded="The plot {slug} has been discarded.",
        brought_back="Version {number} is now your draft. Lessons show it when you publish it.",
    )

    def row(self, course: Course, slug: str) -> Plot:
        rows = Plot.objects.select_related("course").exclude(text="")
        return get_object_or_404(rows, course=course, slug=slug)

    def warning(self, row: Plot) -> str:
        if not _steps_with(row):
            return ""
        return (
            "Not withdrawn: lessons show this plot. They are listed above the button: tick"
            " “Withdraw it anyway” there if you are sure."
        )

    def thing(self, course: Course, slug: str) -> EditablePlot:
        rows = Plot.objects.select_related("course")
        return EditablePlot(get_object_or_404(rows, course=course, slug=slug))

    def list_context(self, request: HttpRequest, course: Course) -> dict[str, Any]:
        del request
        return {"plots": plot_list(course)}

    def blank(self, data: QueryDict) -> Mapping[str, Any]:
        del data
        return BLANK

    def read(self, data: QueryDict, button: str) -> dict[str, Any]:
        del button
        text = str(data.get("text", "")).replace("\r\n", "\n").replace("\r", "\n")
        return {"text": text}

    def after_save(
        self, request: HttpRequest, thing: EditablePlot, content: Any, button: str
    ) -> None:
        """Have the saved program drawn, if that was the button and it can be read."""
        if button != "draw":
            return
        editor, text = editor_of(request), content["text"]
        others = PlotDrawing.objects.filter(state=PlotDrawing.State.WAITING, asked_by=editor)
        if thing.read({"text": text})[1]:
            messages.warning(request, "Not drawn: there are problems to fix first.")
        elif (other := others.exclude(text=text).first()) is not None:
            words = f"Not drawn: {other.slug}, which you wanted before, is still being drawn."
            messages.warning(request, words)
        else:
            want_drawing(thing.row.course, thing.row.slug, text, by=editor)

    def context(
        self, request: HttpRequest, thing: EditablePlot, now: CurrentText
    ) -> dict[str, Any]:
        content, draft, plot = now.content, now.draft, thing.row
        published, drawing = thing.published(), thing.drawing(content["text"])
        waits = drawing is not None and drawing.state == PlotDrawing.State.WAITING
        missing = [_missing(problem) for problem in thing.check(content).problems]
        return {
            "content": content,
            "revision": now.revision,
            "draft": draft,
            "behind": bool(draft and published and draft.base != thing.published_hash()),
            "edited_since_load": bool(plot.loaded_hash)
            and thing.published_hash() != plot.loaded_hash,
            "missing": missing,
            "can_draw": not thing.read(content)[1],
            "drawing": drawing,
            "before": _waiting_before(drawing) if drawing and waits else 0,
            "grading": grading_state() if waits else None,
            "picture": _picture(drawing, request),
            "changes": changes(published, content) if draft and published else [],
            "versions": history_of(thing),
            "users": _steps_with(plot),
        }

    def preview(
        self, request: HttpRequest, thing: EditablePlot, content: Mapping[str, Any]
    ) -> dict[str, Any]:
        drawing = thing.drawing(content["text"])
        return {"plot": thing.row, "picture": _picture(drawing, request)}

    def version(self, request: HttpRequest, thing: EditablePlot, text: PastText) -> dict[str, Any]:
        drawing = thing.drawing(text.content["text"])
        return {"content": text.content, "picture": _picture(drawing, request)}

    def publication(self, thing: EditablePlot, source: Any) -> str:
        del thing, source
        return "Published: lessons can show it, and those that do show it from now on."

    def next_address(self, request: HttpRequest, thing: EditablePlot, button: str) -> str:
        del request
        return f"{own_address(thing)}{'#drawing' if button == 'draw' else ''}"


def _missing(problem: ContentProblem) -> MissingField:
    """Return a fault of the program in the words of the form, with its line."""
    line = f"line {problem.line}: " if problem.line > 1 else ""
    return MissingField("text", "Program", f"{line}{problem.message}")


def _picture(drawing: PlotDrawing | None, request: HttpRequest) -> SafeString | str:
    """Return a drawn plot as lessons show it, with all sliders; "" where it is not drawn."""
    if drawing is None or drawing.state != PlotDrawing.State.DRAWN:
        return ""
    try:
        entry = plot_entry(f"{PREFIX}{drawing.key}")
    except Http404:  # drawn again in this moment
        return ""
    view = next(iter(entry.views.values()))
    params = requested_params(select(entry, view, {}), FIGURE, request.GET)
    sliders = tuple(parameter.name for parameter in view.parameters)
    return FigureContext(FIGURE, params, sliders).html()


def _waiting_before(drawing: PlotDrawing) -> int:
    """Count what a worker does before it draws this one: proofs and questions come first."""
    questions = QuestionDraw.objects.filter(state=QuestionDraw.State.WAITING)
    plots = PlotDrawing.objects.filter(state=PlotDrawing.State.WAITING)
    earlier = plots.filter(asked_at__lt=drawing.asked_at)
    return versions_waiting() + proofs_waiting() + questions.count() + earlier.count()


def _steps_with(plot: Plot) -> list[str]:
    """Return the steps of the course's lessons that show a plot. One query."""
    rows = Step.objects.filter(
        lesson__course=plot.course_id, lesson__withdrawn_at=None, text__contains=KIND
    )
    steps = rows.select_related("lesson")
    return [f"step {step.path}" for step in steps if plot.slug in plots_named(step.text)]


@dataclass(frozen=True)
class PlotLine:
    """A plot in the list, with its draft, and the drawing of what lessons show."""

    plot: Plot
    draft: ContentDraft | None
    drawing: PlotDrawing | None


def plot_list(course: Course) -> Sequence[PlotLine]:
    """Return the plots of a course by name. Three queries."""
    rows = list(Plot.objects.filter(course=course).order_by("slug"))
    drafts = course.drafts.filter(kind=ContentDraft.Kind.PLOT).select_related("edited_by")
    by_slug = {draft.slug: draft for draft in drafts}
    drawings = drawings_of(course, (plot.text for plot in rows if plot.text))
    return [PlotLine(plot, by_slug.get(plot.slug), drawings.get(plot.text)) for plot in rows]
