"""A program's expressions, as a table by line and as data for the editor."""

from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace
from itertools import groupby
from typing import Any

from quizzes.grader.programs import Difference, Expression, XRay, share_values


@dataclass(frozen=True)
class Line:
    """The rows of one line of the code. `known` of a row is False where nothing was compared."""

    number: int
    rows: list[Expression]


def lines_of(result: XRay, *, compared: bool) -> list[Line]:
    """Return the lines that have expressions, each with its rows.

    A name alone has no row where its value is known to be that of the row before of that name.
    """
    rows = _worth_a_row(result)
    if not compared:
        rows = (_uncompared(row) for row in rows)
    grouped = groupby(rows, key=lambda row: row.line)
    return [Line(number, list(group)) for number, group in grouped]


def data_for_scripts(
    result: XRay, difference: Difference | None, *, compared: bool
) -> dict[str, Any]:
    """Return the expressions as plain data, with sentences, and their values, each once.

    `place`: where the first difference stands, and both values; None where there is none.
    """
    rows = result.expressions if compared else map(_uncompared, result.expressions)
    plain = share_values({**asdict(row), "times": times_of(row)} for row in rows)
    return {**plain, "place": asdict(difference) if difference else None}


def times_of(row: Expression) -> str:
    """Say how often an expression ran, and which of its values is shown."""
    if row.count == 1 and not row.goes_on:
        return "Ran once."
    least = "at least " if row.goes_on else ""
    often = (
        f"{least}{row.count:,} times".replace(",", "\u202f") if row.count > 1 else f"{least}once"
    )
    value = f"This is its {row.which} value" if row.which else "This is its value"
    return f"Ran {often}. {value}."


def _worth_a_row(result: XRay) -> Iterator[Expression]:
    before: dict[str, int] = {}
    for row in result.expressions:
        if row.text.isidentifier():
            if row.number and before.get(row.text) == row.number:
                continue
            before[row.text] = row.number
        yield row


def _uncompared(row: Expression) -> Expression:
    return replace(row, known=False)
