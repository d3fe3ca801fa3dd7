"""A picture in words, for those who do not see it: what is drawn, and what the numbers say."""

import numpy as np

from posenc.views import ViewData


def describe(view_data: ViewData) -> str:
    """Return the text alternative: the title, what was drawn, the finding, the outlined cell."""
    drawn = view_data.kind.capitalize()
    sentences = [
        f"{view_data.title}.",
        f"{drawn}. {view_data.subtitle}",
        view_data.finding,
        _hidden(view_data),
        _outlined(view_data),
    ]
    return " ".join(sentence for sentence in sentences if sentence)


def _hidden(view_data: ViewData) -> str:
    if view_data.kind != "heatmap" or not np.isnan(view_data.values).any():
        return ""
    return f"Grey cells: {view_data.masked}."


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
