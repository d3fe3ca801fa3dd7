"""A figure as HTML: first pictures for every screen, sliders, card, table, files."""

from dataclasses import dataclass
from typing import Any

from django.template.loader import render_to_string
from django.utils.safestring import SafeString
from posenc import __version__
from posenc.figures.describe import describe
from posenc.query import Selection

from quizzes.lessons.figures.address import WIDTHS, compute, files_of, texts_of
from quizzes.lessons.figures.asked import Asked
from quizzes.lessons.figures.controls import CURSOR, controls
from quizzes.lessons.figures.live import (
    card_html,
    cursor_text,
    first_pictures,
)
from quizzes.lessons.figures.values import table_html


@dataclass(frozen=True, eq=False)
class FigureShown:
    """A figure of a page: what is asked of it, its sliders, and fields its form must keep."""

    id: str
    asked: Asked
    sliders: tuple[str, ...]
    kept: tuple[tuple[str, str], ...] = ()
    compact: bool = False  # beside others: drawn for a phone's width on every screen

    def html(self) -> SafeString:
        """Return the whole figure."""
        return render_to_string("lessons/figure.html", self._context())

    def _context(self) -> dict[str, Any]:
        selection = self.asked.selection
        cursor = CURSOR if set(CURSOR) <= set(selection.arguments) else ()
        named, errors = {*self.sliders, *cursor}, self.asked.errors
        ours: dict[str, Any] = {"prefix": self.id, "errors": errors}
        drawn = picture_context(selection)
        if self.compact:
            drawn["wide"] = drawn["narrow"]
            for by_width in (drawn["geometry"], drawn["notes"]):
                by_width["wide"] = by_width["narrow"]
        return {
            **drawn,
            "compact": self.compact,
            "id": self.id,
            "sliders": controls(selection, names=self.sliders, **ours),
            "cursor": controls(selection, names=cursor, **ours),
            "other_errors": [text for name, text in errors.items() if name not in named],
            "others": self.kept,
            "card": card_html(selection),
            "files": list(files_of(selection).items()),
            "encoding": selection.entry.slug,
            "view": selection.view.slug,
            "version": __version__,
            "initial": texts_of(self.asked.initial),
            "shown": texts_of(selection),
        }


def picture_context(selection: Selection) -> dict[str, Any]:
    """Return what a template needs to show one picture and say what is in it."""
    data = compute(selection)
    slugs = (selection.entry.slug, selection.view.slug)
    pictures = {
        (one.width_name, one.scheme): one for one in first_pictures(*slugs, selection.canonical())
    }
    return {
        "data": data,
        "alt": describe(data),
        "notes": {name: pictures[name, "light"].note for name in WIDTHS},
        "geometry": {name: pictures[name, "light"].geometry for name in WIDTHS},
        "wide": (pictures["wide", "dark"], pictures["wide", "light"]),
        "narrow": (pictures["narrow", "dark"], pictures["narrow", "light"]),
        "cursor_text": cursor_text(data),
        "table": table_html(data),
    }
