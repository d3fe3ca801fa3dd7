"""CSV as spreadsheets take it: RFC 4180 in UTF-8 with a byte order mark, without live formulas."""

import csv
import io
import re
from collections.abc import Iterable, Iterator
from decimal import Decimal

BOM = "\ufeff"
FORMULA = ("=", "+", "-", "@", "\t", "\r")
PLAIN_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?\Z", re.ASCII)

Cell = str | int | float | Decimal | None


def harmless(cell: Cell) -> str:
    """Return a cell that no spreadsheet takes for a formula; plain numbers stay as they are."""
    if cell is None:
        return ""
    text = str(cell)
    if text.startswith(FORMULA) and not PLAIN_NUMBER.match(text):
        return f"'{text}"
    return text


def csv_lines(rows: Iterable[Iterable[Cell]]) -> Iterator[bytes]:
    """Yield rows as lines of a file, one after the other."""
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\r\n")
    text.write(BOM)
    for row in rows:
        writer.writerow([harmless(cell) for cell in row])
        yield text.getvalue().encode()
        text.seek(0)
        text.truncate()
