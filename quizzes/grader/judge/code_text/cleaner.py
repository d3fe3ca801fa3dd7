"""Pasted code made plain: characters that Python does not take in code become the ones meant.

The rule for the hint, for the button "Clean it" and for whether that is offered. It is a function
of the text alone, and nothing is compiled: what is read here is mostly no Python. So this scans:
strings, comments and code are told apart as Python tells them, of f-strings also the fields. What
stands in a string or a comment stays, unless the string's own quotes are no quotes.

Of two readings the one that Python has wins: of `"a” + “b"` nothing is changed, since it is a
string. Code that Python reads is changed only where a name holds what nobody sees.
"""

from __future__ import annotations

import itertools
import json
import keyword
import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from quizzes.grader.judge.code_text.characters import (
    DOUBLE_QUOTES,
    DOUBTFUL_DOUBLE,
    DOUBTFUL_SINGLE,
    GUILLEMETS,
    SINGLE_QUOTES,
    SOFT_HYPHEN,
    SPACES_OF_PYTHON,
    is_invisible,
    reading_of,
)

TAB_SIZES = (4, 8, 2, 3)  # in the order in which they are tried
MOST_PASSES = 6  # a string whose quotes are replaced is read in the next pass
MOST_NESTED = 40  # f-strings and their fields; Python takes fewer
MOST_FAILED = 20  # f-strings without an end; more are read as other strings
MOST_QUOTES = 50  # of a line that may end a string
MOST_STEPS = 300_000  # signs and quotes looked at, again and again; beyond, a text is left alone
MOST_CLEANED = 8  # texts whose cleaning is kept: a page and a grading ask several times for one
_PREFIXES = {"r", "u", "b", "f", "t", "br", "rb", "fr", "rf", "tr", "rt"}
_ASCII_WORD = re.compile(r"[A-Za-z0-9_]+")
_PLAIN = re.compile(r"[ $-&*+,./;<=>?@^`|~-]+")  # signs that nothing depends on
_NOTHING_ODD = re.compile(r"[\n\f -~]*")
_MAGIC = re.compile(r"[ \t]*(?:%{1,2}[A-Za-z]|!{1,2}\S|\?{1,2}\w)|[^#'\"]*\w\?{1,2}[ \t]*$")
_NAMED = re.compile(r"\\N\{[^{}\n]*\}")  # a character by its name: no field
_CELL_MAGIC = re.compile(r"\s*%%(\w+)")
_RUNS_PYTHON = {"time", "timeit", "capture", "prun"}


@dataclass(frozen=True, slots=True)
class Replacement:
    """One place that is changed; lines and columns count from 1, columns in characters.

    `new` is None where a character is only named: what it should be is not certain.
    """

    line: int
    column: int
    old: str
    new: str | None


@dataclass(frozen=True)
class CleanedCode:
    """What cleaning makes of a text. `unclear`: what Python does not take and nobody can read.

    `tabs`: lines whose indentation was written with tabs. `was_notebook`: the text was a notebook
    file, and this is the code of its cells.
    """

    code: str
    replacements: Sequence[Replacement] = ()
    unclear: Sequence[Replacement] = ()
    tabs: Sequence[int] = ()
    was_notebook: bool = False

    @property
    def is_changed(self) -> bool:
        return bool(self.replacements or self.tabs or self.was_notebook)


@lru_cache(maxsize=MOST_CLEANED)
def clean_code(code: str) -> CleanedCode:
    """Return the code as its author meant it, with each change.

    Lines stay the lines that they are, except of a notebook file; cleaned code is clean. A text of
    thousands of quotes and brackets, read in too many ways, comes back as it is.
    """
    cells = notebook_code(code)
    try:
        if cells is None:
            return _clean_text(code)
        while (inner := notebook_code(cells)) is not None:  # each is shorter than the one around it
            cells = inner
        return replace(_clean_text(cells), was_notebook=True)
    except _TooManyStepsError:
        return CleanedCode(code)


def _clean_text(code: str) -> CleanedCode:
    if _NOTHING_ODD.fullmatch(code):
        return CleanedCode(code)
    steps = Steps()
    scan = _Scan(code, steps)
    scan.run()
    replacements, text = list(scan.replacements), scan.text
    last = scan
    for _ in range(MOST_PASSES):
        if not last.replacements:
            break
        last = _Scan(text, steps)
        last.run()
        text = last.text
        replacements += last.replacements
    expanded = _expand_tabs(text, last)
    tabs = [
        number
        for number, (old, new) in enumerate(
            zip(text.split("\n"), expanded.split("\n"), strict=True), start=1
        )
        if old != new
    ]
    return CleanedCode(expanded, tuple(replacements), tuple(scan.unclear), tuple(tabs))


# ---- notebook files


def notebook_code(text: str) -> str | None:
    """Return the code cells of a notebook file as a program, None for any other text."""
    start = text.lstrip("\ufeff \t\n")
    if not start.startswith("{") or '"cells"' not in start:
        return None
    try:
        notebook = json.loads(start)
    except (ValueError, RecursionError):
        return None
    cells = _cells_of(notebook)
    if cells is None:
        return None
    steps = Steps()
    sources = [_program_of(source, steps) for source in map(_source_of, cells) if source.strip()]
    return "\n\n".join(sources) + ("\n" if sources else "")


def _cells_of(notebook: object) -> list[object] | None:
    if not isinstance(notebook, dict):
        return None
    if isinstance(sheets := notebook.get("worksheets"), list):  # before version 4
        listed = [sheet.get("cells") for sheet in sheets if isinstance(sheet, dict)]
        return [cell for cells in listed if isinstance(cells, list) for cell in cells]
    cells = notebook.get("cells")
    if not isinstance(cells, list):
        return None
    kinds = [isinstance(cell, dict) and "cell_type" in cell for cell in cells]
    return cells if all(kinds) and (kinds or "nbformat" in notebook) else None


def _source_of(cell: object) -> str:
    if not isinstance(cell, Mapping) or cell.get("cell_type") != "code":
        return ""
    source = cell.get("source", cell.get("input"))
    parts = source if isinstance(source, list) else [source]
    text = "".join(part for part in parts if isinstance(part, str))
    text = text.encode("utf-8", "replace").decode("utf-8").replace("\0", "")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _program_of(source: str, steps: Steps) -> str:
    """Return a cell without what only a notebook takes: such lines become comments."""
    lines = source.rstrip("\n").split("\n")
    cell = _CELL_MAGIC.match(lines[0])
    if cell and cell[1] not in _RUNS_PYTHON:
        return "\n".join(f"# {line}".rstrip() for line in lines)
    scan = _Scan(source.rstrip("\n"), steps)
    try:
        scan.run()
    except _TooManyStepsError:
        return "\n".join(lines)
    begins = {start.line for start in scan.starts}
    for number, line in enumerate(lines, start=1):
        if number in begins and _MAGIC.match(line) and not line.lstrip().startswith("#"):
            bare = line.lstrip()
            indentation = line[: len(line) - len(bare)]
            lines[number - 1] = f"{indentation}{'pass  ' if indentation else ''}# {bare}"
    return "\n".join(lines)


# ---- tabs and spaces


def _expand_tabs(text: str, scan: _Scan) -> str:
    """Return text with spaces for tabs where Python finds them mixed, and a size fits."""
    if not _is_mixed(text, scan.starts):
        return text
    lines = text.split("\n")
    for size in TAB_SIZES:
        expanded = list(lines)
        for start in scan.starts:
            line = lines[start.line - 1]
            expanded[start.line - 1] = _indentation(line).expandtabs(size) + line.lstrip(" \t\f")
        if _fits(expanded, scan.starts):
            return "\n".join(expanded)
    return text


def _indentation(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" \t\f"))]


def _is_mixed(text: str, starts: Sequence[_Start]) -> bool:
    """Say whether Python raises a TabError: where a tab's width decides how lines are indented."""
    if "\t" not in text:
        return False
    lines, stack = text.split("\n"), [(0, 0)]
    for start in starts:
        # A form feed begins the line again, as Python counts.
        space = _indentation(lines[start.line - 1]).rpartition("\f")[2]
        wide, narrow = len(space.expandtabs(8)), len(space)
        while wide < stack[-1][0]:
            stack.pop()
        if (wide == stack[-1][0]) != (narrow == stack[-1][1]) or narrow < stack[-1][1]:
            return True
        if wide > stack[-1][0]:
            stack.append((wide, narrow))
    return False


def _fits(lines: Sequence[str], starts: Sequence[_Start]) -> bool:
    """Say whether lines are indented as Python wants: deeper after a colon alone."""
    stack, opened = [0], False
    for start in starts:
        depth = len(_indentation(lines[start.line - 1]))
        if opened != (depth > stack[-1]):
            return False
        if opened:
            stack.append(depth)
        while depth < stack[-1]:
            stack.pop()
        if depth != stack[-1]:
            return False
        opened = start.opens
    return True


# ---- the scan


class _OpenStringError(Exception):
    """An f-string within a field has no end."""


class _TooManyStepsError(Exception):
    """A text would take too long."""


@dataclass
class Steps:
    """The characters that were looked at so far, each as often as it was."""

    taken: int = 0

    def take(self, count: int) -> None:
        """Note so many more, or stop."""
        self.taken += count
        if self.taken > MOST_STEPS:
            raise _TooManyStepsError


@dataclass
class _Start:
    """The first line of a statement. `opens`: it ends with a colon."""

    line: int
    opens: bool = False


@dataclass
class _Scan:
    """One way through a text. `starts`: its statements, without blank lines and comments."""

    code: str
    steps: Steps
    replacements: list[Replacement] = field(default_factory=list)
    unclear: list[Replacement] = field(default_factory=list)
    starts: list[_Start] = field(default_factory=list)

    def __post_init__(self) -> None:
        self._at, self._out = 0, list[str]()
        self._depth = 0  # of brackets
        self._continues = False  # the line before ends with a backslash
        self._at_start = True  # nothing of the line but spaces so far
        self._last = ""  # sign of the statement
        # Of the f-strings and fields around this place the f-string's prefix and quotes.
        self._around: list[tuple[str, str]] = []
        self._failed = 0  # f-strings without an end
        self._breaks = [place for place, sign in enumerate(self.code) if sign == "\n"]
        self._quotes: dict[str, list[int]] = {family.straight: [] for family in _FAMILIES}
        for place, sign in enumerate(self.code):
            if sign in _FAMILY_OF:
                self._quotes[_FAMILY_OF[sign].straight].append(place)

    @property
    def text(self) -> str:
        return "".join(self._out)

    def run(self) -> None:
        """Read the whole text."""
        self._read_code()
        if self.starts:
            self.starts[-1].opens = self._last == ":"

    def _read_code(self) -> None:
        """Read code up to the end, or in an f-string's field up to that of the field."""
        depth = 0
        field_of = self._around[-1][1] if self._around else ""
        while self._at < len(self.code):
            self.steps.take(1)
            sign = self.code[self._at]
            if field_of and (
                (depth == 0 and self._ends_field(sign)) or (sign == "\n" and len(field_of) == 1)
            ):
                return
            if sign in "([{":
                depth += 1
            elif sign in ")]}":
                depth = max(0, depth - 1)
            if not field_of:
                self._depth = depth
            self._read_next(sign)

    def _ends_field(self, sign: str) -> bool:
        return sign in "}:" or (sign == "!" and not self.code.startswith("!=", self._at))

    def _read_next(self, sign: str) -> None:
        if sign == "\n":
            self._break_line()
        elif sign in "#＃":
            self._comment(sign)
        elif plain := _PLAIN.match(self.code, self._at):
            self._note(plain[0])
            self._copy(plain.end())
        elif sign in _FAMILY_OF:
            self._note(sign)
            self._read_string("", _FAMILY_OF[sign])
        elif _is_word(sign):
            self._read_word()
        else:
            self._read_sign(sign)

    def _copy(self, end: int) -> None:
        self._out.append(self.code[self._at : end])
        self._at = end

    def _note(self, text: str) -> None:
        """Remember what the statement ends with so far, and where it began."""
        bare = text.strip(" \t\f")
        if not bare:
            return
        if self._at_start and not self._depth and not self._continues:
            if self.starts:
                self.starts[-1].opens = self._last == ":"
            self.starts.append(_Start(bisect_right(self._breaks, self._at - 1) + 1))
        self._at_start = self._continues = False
        self._last = bare[-1]

    def _break_line(self) -> None:
        self._continues = self._last == "\\" and not self._at_start
        self._at_start = True
        self._copy(self._at + 1)

    def _comment(self, sign: str) -> None:
        if sign != "#":
            self._replace(1, "#")
        self._copy(self._end_of_line(self._at))

    def _place(self, at: int) -> tuple[int, int]:
        line = bisect_right(self._breaks, at - 1)
        return line + 1, at - (self._breaks[line - 1] if line else -1)

    def _replace(self, length: int, new: str | None) -> None:
        """Write something else for the next characters, or name them alone (None)."""
        old = self.code[self._at : self._at + length]
        line, column = self._place(self._at)
        (self.unclear if new is None else self.replacements).append(
            Replacement(line, column, old, new)
        )
        self._out.append(old if new is None else new)
        self._at += length

    def _read_sign(self, sign: str) -> None:
        """Read one character that begins no word and no string."""
        if sign.isascii() and (sign in SPACES_OF_PYTHON or sign.isprintable()):
            self._note(sign)
            self._copy(self._at + 1)
            return
        new = self._soft_hyphen() if sign == SOFT_HYPHEN else reading_of(sign)
        if new == "\n":
            self._at_start = True
        else:
            self._note("?" if new is None else new)
        self._replace(1, new)

    def _soft_hyphen(self) -> str | None:
        """Return nothing within a word, which a page divided; elsewhere it may be a minus."""
        beside = self.code[max(0, self._at - 2) : self._at] + self.code[self._at + 1 : self._at + 3]
        return "" if len(beside) == 4 and beside.isalpha() else None

    def _read_word(self) -> None:
        begin, end = self._at, self._at
        while end < len(self.code) and _is_word(self.code[end]):
            ascii_word = _ASCII_WORD.match(self.code, end)
            end = ascii_word.end() if ascii_word else end + 1
        word = self.code[begin:end]
        self.steps.take(len(word))
        self._note(word)
        family = _FAMILY_OF.get(self.code[end : end + 1])
        if word.lower() in _PREFIXES and family is not None:
            self._copy(end)
            self._read_string(word.lower(), family)
        elif word.isascii():
            self._copy(end)
        else:
            self._read_wide_word(word, end)

    def _read_wide_word(self, word: str, end: int) -> None:
        """Read a number or a name that has other characters than ASCII's."""
        seen = "".join(character for character in word if not is_invisible(character))
        folded = unicodedata.normalize("NFKC", seen)
        is_number = seen[:1].isdecimal()
        whole = not is_number and (
            (not seen.isidentifier() and folded.isidentifier()) or keyword.iskeyword(folded)
        )
        if whole and folded != word:
            self._replace(len(word), folded)
            return
        for place, character in enumerate(word):
            new = None if character.isascii() else self._reading_in(character, is_number, place)
            if new is None:
                self._copy(self._at + 1)
            else:
                self._replace(1, new)
        assert self._at == end

    def _reading_in(self, character: str, is_number: bool, place: int) -> str | None:
        """Return what a character of a word should be, None where Python takes it as it is."""
        if is_invisible(character):
            return ""
        return reading_of(character) if is_number or (place == 0 and character == "·") else None

    # ---- strings

    def _read_string(self, prefix: str, family: Family) -> None:
        """Read a string from its quotes on, whichever these are."""
        first = self.code[self._at : self._at + 3]
        length = 3 if len(first) == 3 and all(sign in family.signs for sign in first) else 1
        if first[0] != family.straight:
            self._read_leaning(family, length)
            return
        quotes = family.straight
        if first == quotes * 3:
            quotes = first
        if ("f" in prefix or "t" in prefix) and self._failed < MOST_FAILED:
            if not self._read_formatted(prefix, quotes):
                self._read_open_string(family, quotes)
            return
        end = self._end_of_string(self._at + len(quotes), quotes)
        if end is None:
            self._read_open_string(family, quotes)
        else:
            self._copy(end)

    def _end_of_string(self, begin: int, quotes: str) -> int | None:
        """Return the place after a string's closing quotes; None where it does not end."""
        at = begin
        while at < len(self.code):
            self.steps.take(1)
            if self.code[at] == "\\":
                at += 2
            elif self.code.startswith(quotes, at):
                return at + len(quotes)
            elif self.code[at] == "\n" and len(quotes) == 1:
                return None
            else:
                at += 1
        return None

    def _read_open_string(self, family: Family, quotes: str) -> None:
        """Read a string whose quotes do not come again: leaning ones may end it."""
        end = self._leaning_end(self._at + len(quotes), family, len(quotes))
        if end is None:
            self._copy(len(self.code) if len(quotes) == 3 else self._end_of_line(self._at))
            return
        self._copy(end)
        if self.code.startswith(quotes, end):
            self._copy(end + len(quotes))
        else:
            self._replace(len(quotes), quotes)

    def _leaning_end(self, begin: int, family: Family, length: int) -> int | None:
        """Return where the next quotes stand: on the line, unless they are three."""
        stop = len(self.code) if length == 3 else self._end_of_line(begin)
        for at in self._quotes_between(begin, stop - length + 1, family):
            if all(sign in family.signs for sign in self.code[at : at + length]):
                return at
        return None

    def _read_leaning(self, family: Family, length: int) -> None:
        """Read a string whose first quotes are none of Python's."""
        begin = self._at + length
        end = self._leaning_end(begin, family, 3) if length == 3 else self._closing(begin, family)
        if end is None and length == 3:
            length, begin = 1, self._at + 1
            end = begin  # an empty string, and behind it one that is open
        if end is None:
            self._read_lone_quote(family)
            return
        behind = end + length
        if self.code[self._at] in GUILLEMETS:
            begin, end = self._within_guillemets(begin, end)
        quote, content = _fitting(self.code[begin:end], family.straight, length)
        self._replace(begin - self._at, quote * length)
        self._out.append(content)
        self._at = end
        if self.code[end:behind] == quote * length:
            self._copy(behind)
        else:
            self._replace(behind - end, quote * length)

    def _read_lone_quote(self, family: Family) -> None:
        sign = self.code[self._at]
        if sign not in family.doubtful:
            self._replace(1, family.straight)
        elif _is_word(sign):
            self._read_word()
        else:
            self._replace(1, None)

    def _within_guillemets(self, begin: int, end: int) -> tuple[int, int]:
        """Return the place of the text without the spaces that French sets beside these quotes."""
        text = self.code[begin:end].strip(_NARROW)
        begin = self.code.index(text, begin)
        return begin, begin + len(text)

    def _closing(self, begin: int, family: Family) -> int | None:
        """Return where a string of one line ends whose first quote leans.

        At the next quote, except an apostrophe within a word, a straight pair with a leaning quote
        behind it and a leaning pair of its own.
        """
        on_line = self._quotes_between(begin, self._end_of_line(begin), family)
        places = list(itertools.islice(on_line, MOST_QUOTES))
        if len(places) > 1 and family.straight == "'":
            inside = {at for at in places if self._is_apostrophe(at)}
            places = [at for at in places if at not in inside] or places[-1:]
        if not places:
            return None
        straight = list(itertools.takewhile(lambda at: self.code[at].isascii(), places))
        leaning = places[len(straight) :]
        if straight:
            of_the_text = leaning and len(straight) % 2 == 0 and not _opens(self.code[leaning[0]])
            return leaning[0] if of_the_text else straight[0]
        plain = [at for at in leaning if self.code[at].isascii()]
        if len(plain) % 2 == 0:  # strings of their own, further on
            leaning = [at for at in leaning if at not in plain]
        depth = 1
        for at in leaning:
            depth += 1 if _opens(self.code[at]) else -1
            if depth == 0:
                return at
        return leaning[0]

    def _quotes_between(self, begin: int, end: int, family: Family) -> Iterator[int]:
        places = self._quotes[family.straight]
        for index in range(bisect_left(places, begin), len(places)):
            self.steps.take(1)
            if places[index] >= end:
                return
            yield places[index]

    def _end_of_line(self, begin: int) -> int:
        line = self.code.find("\n", begin)
        return len(self.code) if line < 0 else line

    def _is_apostrophe(self, at: int) -> bool:
        beside = self.code[at - 1 : at] + self.code[at + 1 : at + 2]
        return len(beside) == 2 and beside.isalpha()

    # ---- f-strings: the text stays, the fields are code

    def _read_formatted(self, prefix: str, quotes: str) -> bool:
        """Read to the end of an f-string; False, and nothing is read, where it has none.

        One in a field of another that fails makes that fail too: nothing is tried twice.
        """
        before, depth = self._state(), len(self._around)
        self._around.append((prefix, quotes))
        self._copy(self._at + len(quotes))
        is_whole = depth < MOST_NESTED and self._read_text(in_field=False)
        del self._around[depth:]
        if is_whole:
            return True
        if depth:
            raise _OpenStringError
        self._failed += 1
        self._go_back(before)
        return False

    def _read_text(self, *, in_field: bool) -> bool:
        """Read the text of an f-string, or of a field's format; return whether it ended."""
        prefix, quotes = self._around[-1]
        while self._at < len(self.code):
            self.steps.take(1)
            sign = self.code[self._at]
            if in_field and sign == "}":
                return True
            if not in_field and self.code.startswith(quotes, self._at):
                self._copy(self._at + len(quotes))
                return True
            if sign == "\n" and len(quotes) == 1:
                return False
            named = "r" not in prefix and _NAMED.match(self.code, self._at)
            if named:
                self._copy(named.end())
            elif sign == "{" and (in_field or not self.code.startswith("{{", self._at)):
                if not self._read_field():
                    return False
            else:
                two = sign == "{" or (
                    sign == "\\" and self.code[self._at + 1 : self._at + 2] not in "{}"
                )
                self._copy(min(self._at + 1 + two, len(self.code)))
        return False

    def _read_field(self) -> bool:
        """Read a field from its bracket to the other; False where it has none."""
        depth = len(self._around)
        self._around.append(self._around[-1])
        self._copy(self._at + 1)
        try:
            if depth >= MOST_NESTED:
                return False
            self._read_code()
            if self.code.startswith("!", self._at):
                self._copy(self._at + 1)
                self._read_code()
            if self.code.startswith(":", self._at):
                self._copy(self._at + 1)
                if not self._read_text(in_field=True):
                    return False
        except _OpenStringError:
            return False
        finally:
            del self._around[depth:]
        if not self.code.startswith("}", self._at):
            return False
        self._copy(self._at + 1)
        return True

    def _state(self) -> tuple[int, ...]:
        changes = len(self.replacements), len(self.unclear)
        return (self._at, len(self._out), *changes, len(self.starts))

    def _go_back(self, state: tuple[int, ...]) -> None:
        """Forget what was read since then; the statement's own marks are set by what comes."""
        self._at, out, replacements, unclear, starts = state
        del self._out[out:], self.replacements[replacements:], self.unclear[unclear:]
        del self.starts[starts:]


_NARROW = " \u00a0\u202f\u2009"


@dataclass(frozen=True)
class Family:
    """Quotes of one kind. `doubtful`: those that are quotes only where a second one comes."""

    straight: str
    signs: frozenset[str]
    doubtful: frozenset[str]


_FAMILIES = (
    Family('"', DOUBLE_QUOTES | DOUBTFUL_DOUBLE | {'"'}, DOUBTFUL_DOUBLE),
    Family("'", SINGLE_QUOTES | DOUBTFUL_SINGLE | {"'"}, DOUBTFUL_SINGLE),
)
_FAMILY_OF = {sign: family for family in _FAMILIES for sign in family.signs}


def _opens(sign: str) -> bool:
    return unicodedata.category(sign) in ("Pi", "Ps") and sign not in GUILLEMETS


def _fitting(content: str, straight: str, length: int) -> tuple[str, str]:
    """Return a quote that does not stand in the text, or the text with its own ones escaped."""
    if length == 3 or straight not in content:
        return straight, content
    other = "'" if straight == '"' else '"'
    if other not in content:
        return other, content
    return straight, content.replace(straight, f"\\{straight}")


def _is_word(sign: str) -> bool:
    """Say whether a character can stand in a name."""
    return f"a{sign}".isidentifier()


def kinds_of(replacements: Sequence[Replacement]) -> Iterator[tuple[str, str, int]]:
    """Yield each kind of change once, as they first came: what was, what is, and how often."""
    counted: dict[tuple[str, str], int] = {}
    for item in replacements:
        for sign in item.old.strip(_NARROW) or item.old[:1]:
            key = sign, item.new or ""
            counted[key] = counted.get(key, 0) + 1
    for (old, new), count in counted.items():
        yield old, new, count
