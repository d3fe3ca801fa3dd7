"""Plots that are written in the browser: what is missing, how they are published.

What is published was drawn: learners get the frames that its author has seen.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from quizzes.content_files.files import MemoryFiles
from quizzes.content_files.problems import ContentProblem
from quizzes.courses.drafts import CheckedText
from quizzes.courses.editions import PastText, editions_of
from quizzes.courses.models import ContentDraft
from quizzes.learners.models import User
from quizzes.lessons.models import Plot, PlotDrawing
from quizzes.lessons.plots.drawings import PROGRAM, drawings_of
from quizzes.lessons.plots.plot_files import PlotSource, plot_file, read_plots
from quizzes.lessons.plots.store import put_plot, stored_plot_hash

BEGINNING = '''"""How often a coin shows heads

Slider n: 2 to 20 step 2
"""

import math


def plot(n):
    counts = list(range(n + 1))
    chances = [math.comb(n, k) / 2**n for k in counts]
    return bars(
        counts,
        chances,
        title="How many heads are likely",
        subtitle=f"{n} tosses of a fair coin",
        x="heads k",
        y="probability",
        says=f"The most likely number of heads is {n // 2}, with probability {max(chances):.3f}.",
    )
'''
BLANK: Mapping[str, Any] = {"text": BEGINNING}
DRAW_IT = "draw it before it is published"
WAIT = "wait until it is drawn"


@dataclass
class EditablePlot:
    """A plot for the mechanism of drafts."""

    row: Plot
    kind = ContentDraft.Kind.PLOT

    def refresh(self) -> None:
        self.row.refresh_from_db(from_queryset=Plot.objects.select_related("course"))

    def published(self) -> dict[str, Any] | None:
        return {"text": self.row.text} if self.row.text else None

    def published_hash(self) -> str:
        return stored_plot_hash(self.row)

    def blank(self) -> Mapping[str, Any]:
        return BLANK

    def files(self, content: Mapping[str, Any]) -> dict[str, str]:
        return {PROGRAM: content["text"]}

    def content(self, files: Mapping[str, str]) -> dict[str, Any]:
        return {"text": files[PROGRAM]}

    def read(self, content: Mapping[str, Any]) -> tuple[PlotSource | None, list[ContentProblem]]:
        """Read a draft by the rules of course files; None for a text that is no file of one."""
        files = MemoryFiles(self.row.course.slug, {plot_file(self.row.slug): content["text"]})
        plots, problems = read_plots(files)
        source = plots[0] if plots else None
        return source, [replace(problem, path="text") for problem in problems]

    def check(self, content: Mapping[str, Any]) -> CheckedText:
        """Read a draft, and ask whether it is drawn. One query."""
        source, problems = self.read(content)
        if not problems and source is not None:
            problems += self._drawing_problems(source)
        return CheckedText(source, tuple(sorted(problems)))

    def drawing(self, text: str) -> PlotDrawing | None:
        """Return the drawing of a program, None before anybody wanted one. One query."""
        return drawings_of(self.row.course, [text]).get(text)

    def _drawing_problems(self, source: PlotSource) -> Iterator[ContentProblem]:
        drawing = self.drawing(source.text)
        if drawing is None:
            yield ContentProblem("text", 1, DRAW_IT)
        elif drawing.state == PlotDrawing.State.WAITING:
            yield ContentProblem("text", 1, WAIT)
        elif drawing.state != PlotDrawing.State.DRAWN:
            yield ContentProblem("text", drawing.line, drawing.problem)

    def store_published(self, source: PlotSource, editor: User | None) -> str:
        """Give lessons the plot under its name."""
        # What the files name no longer belongs to the browser from now on: no load takes it again.
        if self.row.withdrawn_at is not None:
            self.row.loaded_hash = ""
        put_plot(self.row, source, by=editor)
        self.refresh()
        return ""

    def versions(self) -> list[PastText]:
        """Return its editions. One query."""
        now, editions = self.published_hash(), list(editions_of(self.row))
        return [
            PastText(
                edition.number,
                self.content(edition.files),
                edition.at,
                edition.by,
                edition.from_files,
                is_current=edition is editions[0] and now == edition.content_hash,
                row=edition,
            )
            for edition in editions
        ]

    def drop_unused(self) -> bool:
        """Delete a plot that was never published."""
        if self.row.text:
            return False
        self.row.delete()
        return True
