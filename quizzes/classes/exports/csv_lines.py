"""CSV that spreadsheets read and none of them computes: UTF-8 with a byte order mark.

A program splits lines at the separator of its computer's region, whatever the file was written
with. Quotes protect a cell where the two agree. Where they differ, quotes in the middle of a line
are letters like others: of `Ada,"x;=1"` a program that splits at semicolons makes the cells
`Ada,"x` and `=1"`. So `neutral` puts an apostrophe wherever a cell could begin that a program
would compute: at the start of a text, and in it after a line break and after each separator but
that of the file, behind blanks and quotes. The same goes for the end of a text: the quote that
closes its cell would open the next. `as_typed` takes these apostrophes off again, for every text.
"""

import re
from collections.abc import Iterable, Iterator
from decimal import Decimal
from functools import cache

BOM = "\ufeff"
COMMA, SEMICOLON = ",", ";"
SEPARATORS = ",;\t|"  # that programs split lines at
COMPUTED = "=+@\t\r＝＋－＠-"  # what a cell begins with that a program computes
# What programs skip before it: blanks and what cannot be seen, but what COMPUTED has.
SKIPPED = (
    r'"\x00-\x08\n-\x0c\x0e- \x7f-\xa0\u1680\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff'
)
PLAIN_NUMBER = re.compile(r"[+-]?(\d+([.,]\d*)?|[.,]\d+)([eE][+-]?\d+)?", re.ASCII)

Cell = str | int | Decimal | None  # a text, or a number


def neutral(text: str, separator: str = COMMA) -> str:
    """Return a text that no program computes; plain numbers stay as they are.

    `separator` is that of the file.
    """
    if PLAIN_NUMBER.fullmatch(text):
        return text
    return _starts_of_cells(separator, "").sub(r"\1'\2", text)


def as_typed(cell: str, separator: str = COMMA) -> str:
    """Return the text that `neutral` made this cell of; other cells as they are."""
    return _starts_of_cells(separator, "'").sub(r"\1\2", cell)


@cache
def _starts_of_cells(separator: str, mark: str) -> re.Pattern[str]:
    """Return what matches where a cell could start: what is before it, `mark` and apostrophes."""
    others = re.escape(SEPARATORS.replace(separator, "") + "\r\n")
    whole = rf"\A(?!['{SKIPPED}]*\Z)"  # an empty text has nothing to compute
    ahead = rf"(?=[{COMPUTED}]|\Z)"
    return re.compile(rf"((?:{whole}|[{others}])[{SKIPPED}]*+){mark}('*+){ahead}")


def csv_lines(rows: Iterable[Iterable[Cell]], separator: str = COMMA) -> Iterator[bytes]:
    """Yield rows as lines of a file, one after the other.

    Where semicolons separate, numbers have a decimal comma, as in the regions whose programs split
    there: they read 3.05 as a day in May.
    """
    before = BOM
    for row in rows:
        fields = [_text(cell, separator) for cell in row]
        # Split at another separator, the line is one cell that begins with this number.
        if fields and fields[0].startswith(tuple(COMPUTED)):
            fields[0] = f"'{fields[0]}"
        yield f"{before}{separator.join(map(_quoted, fields))}\r\n".encode()
        before = ""


def _text(cell: Cell, separator: str) -> str:
    if cell is None:
        return ""
    if isinstance(cell, str):
        return neutral(cell, separator)
    return str(cell).replace(".", "," if separator == SEMICOLON else ".")


def _quoted(field: str) -> str:
    """Quote a field with any of the separators: some programs split at several of them."""
    if any(letter in field for letter in f'"\r\n{SEPARATORS}'):
        return '"{}"'.format(field.replace('"', '""'))
    return field
