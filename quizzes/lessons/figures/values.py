"""The values of a picture as a table, in the page and in files."""

from dataclasses import dataclass
from math import isfinite
from typing import Any

import numpy as np
import numpy.typing as npt
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.safestring import SafeString
from posenc.views import OVER_X, ViewData

TABLE_ROWS, TABLE_COLUMNS = 64, 64  # of the table in the page; the files have all of them


@dataclass(frozen=True, eq=False)
class ValueTable:
    """The values of a picture with the names of their rows and columns."""

    values: npt.NDArray[np.float64] | npt.NDArray[np.int64]  # (whole for categories)
    row_noun: str
    row_names: tuple[str, ...]
    column_noun: str
    column_names: tuple[str, ...]


def table_of(data: ViewData) -> ValueTable:
    """Return the values as a table. Curves go down the page: one column for each of them."""
    rows, columns = (data.row_noun, data.row_names), (data.column_noun, data.column_names)
    values = data.values.T if data.kind in OVER_X else data.values
    if data.scale == "category":
        values = values.astype(np.int64)  # buckets and rows have numbers, not sizes
    names = (*columns, *rows) if data.kind in OVER_X else (*rows, *columns)
    return ValueTable(values, *names)


def table_html(data: ViewData) -> SafeString:
    """Return the values as a table: as many rows and columns as fit on a page.

    The rows are joined here, since a template takes twenty times as long for thousands of cells.
    """
    table = table_of(data)
    shown = table.values[:TABLE_ROWS, :TABLE_COLUMNS]
    digits = "d" if np.issubdtype(shown.dtype, np.integer) else ".4f"
    names = [escape(name) for name in table.row_names[:TABLE_ROWS]]
    rows = (
        f'<tr><th scope="row">{name}</th>{"".join(_cell(value, digits) for value in row)}</tr>'
        for name, row in zip(names, shown.tolist(), strict=True)
    )
    context = {
        "title": data.title,
        "table": table,
        "columns": table.column_names[:TABLE_COLUMNS],
        "count": len(names),
        "body": SafeString("".join(rows)),
        "cut": table.values.shape != shown.shape,
        "sizes": table.values.shape,
    }
    return render_to_string("lessons/_table.html", context)


def _cell(value: float, digits: str) -> str:
    return f"<td>{value:{digits}}</td>".replace("-", "−")


def numbers_of(data: ViewData) -> dict[str, Any]:
    """Return the values with the names of their rows and columns; null for NaN and infinity."""
    table = table_of(data)
    rows = table.values.tolist()
    if not np.isfinite(table.values).all():
        rows = [[number if isfinite(number) else None for number in row] for row in rows]
    return {
        "unit": data.unit,
        "row_noun": table.row_noun,
        "row_names": table.row_names,
        "column_noun": table.column_noun,
        "column_names": table.column_names,
        "values": rows,
        "summary": dict(data.summary),
    }
