"""A picture in words, for readers who do not see it: its title, its finding and its marks."""

import numpy as np

from posenc.figures.picture import require_data
from posenc.number_format import spoken
from posenc.views import ViewData


def describe(view_data: ViewData) -> str:
    """Return the text alternative: the title, the subtitle, the finding, the outlined cell.

    Raises ParameterError for anything but ViewData.
    """
    require_data(view_data)
    drawn = view_data.kind.capitalize()
    sentences = [
        view_data.title if view_data.title.endswith("?") else f"{view_data.title}.",
        f"{drawn}. {view_data.subtitle}".strip(),
        view_data.finding,
        _marked(view_data),
        _hidden(view_data),
        _outlined(view_data),
    ]
    return spoken(" ".join(sentence for sentence in sentences if sentence))


def _marked(view_data: ViewData) -> str:
    """Return the numbered zones and the lines, each once."""
    data = view_data.panels or (view_data,)
    zones = [f"{one}: {zone.label}" for part in data for one, zone in enumerate(part.zones, 1)]
    edges = [f"line: {edge.label}" for part in data for edge in part.edges]
    marks = list(dict.fromkeys(zones + edges))
    return f"Marked: {'; '.join(marks)}." if marks else ""


def _hidden(view_data: ViewData) -> str:
    maps = [one for one in view_data.panels or (view_data,) if one.kind == "heatmap"]
    masked = {one.masked for one in maps if np.isnan(one.values).any()}
    return f"Grey cells: {'; '.join(sorted(masked))}." if masked else ""


def _outlined(view_data: ViewData) -> str:
    if view_data.cursor is None:
        return ""
    row, column = view_data.cursor
    value = signed_digits(view_data.values[row, column])
    return (
        f"The outlined cell, {view_data.row_noun} {view_data.row_names[row]},"
        f" {view_data.column_noun} {view_data.column_names[column]}, is {value}."
    )


def signed_digits(value: float, digits: int = 4) -> str:
    """Return "+0.9909", "−0.4161" or "0.0000": a sign in front, and none before a zero."""
    text = f"{abs(value):.{digits}f}"
    if float(text) == 0:
        return text
    return ("−" if value < 0 else "+") + text
