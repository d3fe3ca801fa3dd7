"""An uploaded text file as a table: its encoding and its separator are worked out, and named.

Spreadsheets save in the encoding and with the separator of their computer's region, so a file says
neither. A byte order mark decides; else what is UTF-8 is UTF-8, as other texts hardly ever are by
chance; else it is Windows-1252, in which nearly every text can be read. That guess can be wrong, so
pages say it, and show the names.
"""

import codecs
import csv
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from io import StringIO

MOST_LINES = 5_000
MOST_BYTES = 1024 * 1024
MOST_COLUMNS = 500
COMMA = ","
SEPARATORS = {COMMA: "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
UTF_8, UTF_16, WINDOWS = ENCODINGS = ("UTF-8", "UTF-16", "Windows-1252")
MARKS = (
    (codecs.BOM_UTF8, "utf-8", UTF_8),
    (codecs.BOM_UTF16_LE, "utf-16", UTF_16),
    (codecs.BOM_UTF16_BE, "utf-16", UTF_16),
)
# Spreadsheets write it first where the separator is not that of their region.
SEPARATOR_LINE = re.compile(r'\s*"?sep=(?P<separator>[,;\t|])"?[ ,;\t|]*(\r\n|\r|\n|\Z)', re.I)

Row = tuple[int, list[str]]  # the line on which it begins, and its cells


class TableError(ValueError):
    """The file is no table; the message says why. `line` is 0 for the file as a whole."""

    def __init__(self, cause: str, line: int = 0) -> None:
        super().__init__(cause)
        self.line = line


@dataclass(frozen=True)
class Table:
    """The rows of a file that say something, and how it was read."""

    rows: Sequence[Row]
    encoding: str = UTF_8
    separator: str = COMMA

    @property
    def separator_words(self) -> str:
        """Name the separator of cells."""
        return SEPARATORS[self.separator]


def read_table(data: bytes, knows: Callable[[str], bool]) -> Table:
    """Read a file as a table. Raises TableError.

    `knows` says whether it knows a cell of the first row as the name of a column: the separator
    that gives most of them is that of the file.
    """
    if len(data) > MOST_BYTES:
        raise TableError(f"the file has {len(data)} bytes: at most {MOST_BYTES}")
    text, encoding = decode(data)
    if len(text.encode()) > MOST_BYTES:  # it comes back from the page as UTF-8
        raise TableError(f"the file has {len(text.encode())} bytes in UTF-8: at most {MOST_BYTES}")
    if not text.strip("\ufeff \t\r\n"):
        raise TableError("the file is empty")
    start = SEPARATOR_LINE.match(text)
    lines = text[start.end() :] if start else text
    separator = start["separator"] if start else _separator_of(lines, knows)
    rows = list(_rows(lines, separator, 1 if start else 0))
    if not rows:
        raise TableError("the file is empty")
    return Table(rows, encoding, separator)


def decode(data: bytes) -> tuple[str, str]:
    """Return the text of a file and the name of its encoding. Raises TableError."""
    for mark, codec, name in MARKS:
        if data.startswith(mark):
            try:
                return _without_nul(data.decode(codec).removeprefix("\ufeff")), name
            except UnicodeDecodeError as error:
                where = _where(data, error)
                raise TableError(f"byte {where} is not {name}: save the file as UTF-8") from error
    try:
        return _without_nul(data.decode()), UTF_8
    except UnicodeDecodeError:
        pass
    try:
        return _without_nul(data.decode("cp1252")), WINDOWS
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        cause = f"byte {_where(data, error)} is neither UTF-8 nor {WINDOWS}: save the file as UTF-8"
        raise TableError(cause, line) from error


def _where(data: bytes, error: UnicodeDecodeError) -> str:
    return f"{error.start + 1} (0x{data[error.start]:02X})"


def _without_nul(text: str) -> str:
    if "\0" in text:
        line = text[: text.index("\0")].count("\n") + 1
        raise TableError("there is a NUL character: save the file as UTF-8", line)
    return text


def _separator_of(text: str, knows: Callable[[str], bool]) -> str:
    """Return the separator that gives the most columns that are known, and then the most at all."""
    best, most = COMMA, (-1, -1)
    for separator in SEPARATORS:
        try:
            first = next(_rows(text, separator, 0, most_columns=len(text)))[1]
        except (TableError, StopIteration):
            continue
        count = (sum(map(knows, first[:MOST_COLUMNS])), len(first))
        if count > most:
            best, most = separator, count
    return best


def _rows(
    text: str, separator: str, lines_before: int, most_columns: int = MOST_COLUMNS
) -> Iterator[Row]:
    reader = csv.reader(StringIO(text, newline=""), delimiter=separator, strict=True)
    ends = 0  # the line on which the row before ended
    count = 0
    while True:
        try:
            row = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            cause = f"cannot be read as a table: {error}"
            raise TableError(cause, ends + 1 + lines_before) from error
        begins, ends = ends + 1 + lines_before, reader.line_num
        if not any(cell.strip("\ufeff \t\r\n") for cell in row):
            continue
        count += 1
        if count > MOST_LINES + 1:  # the first names the columns
            raise TableError(f"the file has more than {MOST_LINES} lines of people", begins)
        if len(row) > most_columns:
            raise TableError(f"has {len(row)} cells: at most {most_columns}", begins)
        yield begins, row
