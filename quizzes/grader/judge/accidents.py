"""Accidents that say little in Python's own words, and what helps: a sentence beside the exception.

A hint is chosen by the type of the exception and by the line of the code that failed. The text of
the exception is the code's to write, so it chooses none: a report must not say in our name what it
wants. It only rules out a hint where the usual words of Python or a library are missing.
The line is looked at as tokens, so that what stands in a string or a comment counts for nothing.
"""

from __future__ import annotations

import io
import itertools
import re
import tokenize
from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from quizzes.grader.judge import headlines, messages
from quizzes.grader.judge.code_text.call_cycles import calls_again
from quizzes.grader.judge.code_text.characters import is_invisible, name_of
from quizzes.grader.judge.code_text.cleaner import (
    CleanedCode,
    Replacement,
    clean_code,
    notebook_code,
)
from quizzes.grader.protocol.observation import Failure
from quizzes.grader.protocol.verdict import Stage

SYNTAX = ("SyntaxError", "IndentationError", "TabError")
PYTHON_2 = {"xrange", "raw_input", "unicode", "basestring", "unichr", "long", "izip", "reduce"}
PYTHON_2_METHODS = {"iteritems", "itervalues", "iterkeys", "has_key"}
THREADS = {"Thread", "ThreadPoolExecutor", "ProcessPoolExecutor", "Process"}
STARTS = {"start", "submit"}  # methods of these
# Methods that only one of the two libraries has; `size` is a number of an array.
OF_TENSORS = {
    *("unsqueeze", "permute", "chunk", "expand", "contiguous", "float", "double", "half", "size"),
    *("repeat_interleave", "type_as", "detach", "dim", "numel", "to", "long", "masked_fill"),
}
OF_ARRAYS = {"astype", "copy", "fill"}
STATEMENTS = {
    *("def", "class", "for", "while", "if", "elif", "else", "return", "import", "from", "with"),
    *("try", "except", "finally", "raise", "assert", "del", "global", "lambda", "yield", "async"),
    *("await", "not", "pass", "break", "continue", "nonlocal", "in", "is", "and", "or"),
}
PROSE = 4  # so many words in a row, from the start of a line, are no program
MAX_LINE = 1000  # of a longer line its beginning; each of its names costs time
LATER_TYPES = {"generator", "coroutine", "async_generator"}
MOST_LINES = 50  # with "cuda" in them
LIKE = 0.6  # of a name and what it may be meant to be
_WORD = re.compile(r"[A-Za-z][A-Za-z'\u2019]*[.,:;!?]*\Z")
_CONSOLE = re.compile(r"\s*(>>>|%\s*\w|!\s*\w|(In|Out)\s*\[\d*\]:)")
_FRAME = re.compile(r'^ *File "[^"]*", line (\d{1,6})', re.MULTILINE)
_FENCE = re.compile(r"\s*(```|~~~)")
_EXCEPT_COMMA = re.compile(r"\s*except\s+\w+\s*,\s*\w+\s*:")
_CONVERTS = re.compile(r"from_numpy|as_tensor|torch\.tensor|\bTensor\(|\.numpy\(|np\.asarray")
_INFINITY = re.compile(r"['\"]\s*[-+]?inf(?:inity)?\s*['\"]", re.IGNORECASE)
_SIGNS = {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING, tokenize.NEWLINE}
_NO_FACTORS = {"", "(", "[", "{", ",", "=", ":", "\n"}  # a star behind these unpacks
_DECORATOR = re.compile(r"\s*@\w")
_WITHOUT_KEYWORDS = re.compile(r"\s+def (\w+)\(\s*\*\w+\s*\)")
_RETURNS_NAME = re.compile(r"\s+return (\w+)\s*(?:#|\Z)")
_MODULE = re.compile(r"\s*class\s+\w+\s*\(.*Module")
_LATER = re.compile(r"\b(?:yield|async\s+def)\b")
# What Python, NumPy and torch say where the type of an exception says too little.
_SAID = {
    "thread": "start new thread",
    "truth": "more than one",
    "module": "before Module.__init__() call",
    "keyword": "unexpected keyword argument",
}
_TRUTH = {"if", "elif", "while", "not", "and", "or", ".", "else"}
_IMPORTED = (
    r"^[ \t]*(?:import\s+{0}(?:\.\w+)*\s+as\s+(\w+).*|from\s+{0}(?:\.\w+)*\s+import\s+(.+))$"
)


def hint_for(failure: Failure, code: str, *, library: str, takes_arrays: bool) -> str:
    """Return the sentence that helps with this failure, "" where there is none.

    `library` is the exercise's; `takes_arrays`: the call that failed was given arrays of it.
    """
    accident = Accident(failure, code, library, takes_arrays)
    if failure.stage is Stage.NAME:  # then its type is what the code gave the name to
        return _notebook(accident)
    return next(filter(None, (rule(accident) for rule in _RULES)), "")


def brief_for(failure: Failure, code: str) -> str:
    """Return the words of the headline that say more than the exception's type, "" without."""
    accident = Accident(failure, code, "", takes_arrays=False)
    if _notebook(accident):
        return headlines.BRIEF_NOTEBOOK
    if accident.is_a("TabError") and failure.line:
        return headlines.brief_tabs(failure.line)
    odd = _odd_place(accident)
    return headlines.brief_character(odd.line, name_of(odd.old[0])) if odd else ""


def hint_for_result(stage: Stage, types: Collection[str], code: str) -> str:
    """Return the sentence that helps with a result that is no array, or has NaN in it.

    `types` are those of what was returned, by name.
    """
    lines = Accident(Failure(stage), code, "", takes_arrays=False).lines
    if stage is Stage.STRUCTURE and LATER_TYPES & set(types) and any(map(_LATER.search, lines)):
        return messages.HINT_LATER
    if stage is Stage.FINITE:
        number = _line_times_infinity("\n".join(lines))
        return messages.hint_infinity(number) if number else ""
    return ""


@dataclass(frozen=True)
class Accident:
    """What stopped the code, and where."""

    failure: Failure
    code: str
    library: str
    takes_arrays: bool

    def is_a(self, *kinds: str) -> bool:
        """Say whether the exception is of one of these types, by name."""
        return self.failure.type in kinds

    def says(self, words: str) -> bool:
        """Say whether these words are in the exception's text, which only rules out a hint."""
        return words in self.failure.message

    @cached_property
    def lines(self) -> list[str]:
        """The lines of the code, as Python counts them, each as far as it is looked at.

        Whatever is searched is searched in one line at a time: over a whole submission, which is
        the student's to write, a pattern may take time by the square of its length.
        """
        return [line[:MAX_LINE] for line in re.split(r"\r\n?|\n", self.code)]

    @cached_property
    def line(self) -> str:
        """The line that failed; "" where it is not known."""
        number = self.failure.line
        known = number is not None and 0 < number <= len(self.lines)
        return self.lines[number - 1] if known and number is not None else ""

    @cached_property
    def tokens(self) -> list[str]:
        """The names and signs of the line, as far as it can be read alone."""
        kinds = (tokenize.NAME, tokenize.OP)
        return [token.string for token in _read(self.line.strip()) if token.type in kinds]

    @cached_property
    def names(self) -> set[str]:
        """The same without their order."""
        return set(self.tokens)

    @cached_property
    def methods(self) -> set[str]:
        """The names behind a dot."""
        return {name for dot, name in itertools.pairwise(self.tokens) if dot == "."}

    @cached_property
    def called_methods(self) -> set[str]:
        """Those of them that are called."""
        three = zip(self.tokens, self.tokens[1:], self.tokens[2:], strict=False)
        return {name for dot, name, bracket in three if (dot, bracket) == (".", "(")}

    @cached_property
    def cleaned(self) -> CleanedCode:
        """What cleaning makes of the code."""
        return clean_code(self.code)

    def defines(self, name: str) -> bool:
        """Say whether the code itself gives something this name, as far as its text tells."""
        given = re.compile(rf"\b(def|class|as)\s+{name}\b|\b{name}\s*=")
        imported = re.compile(rf"\b{name}\b")
        return any(
            given.search(line) or ("import" in line and imported.search(line))
            for line in self.lines
            if name in line
        )


def _no_files(accident: Accident) -> str:
    return messages.HINT_NO_FILES if accident.is_a("FileNotFoundError") else ""


def _out_of_reach(accident: Accident) -> str:
    started = accident.names & THREADS or accident.called_methods & STARTS
    threads = accident.is_a("RuntimeError") and started and accident.says(_SAID["thread"])
    return messages.HINT_OUT_OF_REACH if threads or accident.is_a("PermissionError") else ""


def _no_card(accident: Accident) -> str:
    devices = accident.names | _devices(accident.line)
    return messages.HINT_NO_CARD if "cuda" in devices and _lacks_card(accident) else ""


def _lacks_card(accident: Accident) -> bool:
    says = accident.says("CUDA") or accident.says("NVIDIA")
    return accident.is_a("AssertionError", "RuntimeError") and says


def _device(accident: Accident) -> str:
    """Recognise a graphics card whose name stands in another line than the one that failed."""
    moves = "to" in accident.called_methods or "device" in accident.names
    if not moves or not _lacks_card(accident):
        return ""
    if any("is_available" in line for line in accident.lines):
        return ""  # then the name is not what is used here
    lines = itertools.islice((line for line in accident.lines if "cuda" in line), MOST_LINES)
    named = any("cuda" in _devices(line) for line in lines)
    return messages.HINT_DEVICE if named else ""


def _truth(accident: Accident) -> str:
    """Recognise an array in the place of a condition; other signs may fail for other reasons."""
    *condition, end = accident.tokens or [""]
    is_condition = end == ":" and condition[:1] in (["if"], ["elif"], ["while"])
    plain = all(name in _TRUTH or name.isidentifier() for name in condition)
    failed = accident.is_a("ValueError", "RuntimeError")
    failed = failed and accident.says(_SAID["truth"]) and accident.says("ambiguous")
    return messages.HINT_TRUTH if is_condition and plain and failed else ""


def _super(accident: Accident) -> str:
    """Recognise a module that sets attributes before it is a module."""
    sets = accident.tokens[:2] == ["self", "."] and accident.is_a("AttributeError")
    early = sets and accident.says(_SAID["module"])
    if not early or any("super" in line or "Module.__init__" in line for line in accident.lines):
        return ""
    return messages.HINT_SUPER if any(map(_MODULE.match, accident.lines)) else ""


def _keywords(accident: Accident) -> str:
    """Recognise a decorator whose function takes arguments by their places alone."""
    by_name = accident.failure.line is None or "=" in accident.names
    refused = accident.failure.stage is Stage.SIGNATURE or (accident.is_a("TypeError") and by_name)
    refused = refused and accident.says(_SAID["keyword"])
    if not refused or not any(map(_DECORATOR.match, accident.lines)):
        return ""
    inner = {match[1] for match in map(_WITHOUT_KEYWORDS.match, accident.lines) if match}
    returned = {match[1] for match in map(_RETURNS_NAME.match, accident.lines) if match}
    return messages.HINT_KEYWORDS if inner & returned else ""


def _input(accident: Accident) -> str:
    called = ("input", "(") in itertools.pairwise(accident.tokens)
    asked = called and accident.is_a("RuntimeError", "EOFError")
    return messages.HINT_INPUT if asked else ""


def _pasted(accident: Accident) -> str:
    """Recognise what surrounds code in a chat, a console or a notebook; a whole sentence, say."""
    if not accident.is_a(*SYNTAX):
        return ""
    if _CONSOLE.match(accident.line):
        return messages.HINT_CONSOLE
    words = accident.line.split()
    prose = len(words) >= PROSE and all(map(_WORD.match, words[:PROSE]))
    prose = prose and words[0] not in STATEMENTS
    return messages.HINT_PASTED if prose or _FENCE.match(accident.line) else ""


def _notebook(accident: Accident) -> str:
    """Recognise a notebook file, which Python may read as a dict and then finds no function in."""
    may_be = accident.failure.stage in (Stage.IMPORTS, Stage.NAME)
    return messages.HINT_NOTEBOOK if may_be and notebook_code(accident.code) is not None else ""


def _odd_character(accident: Accident) -> str:
    """Name the character that no keyboard of a programmer writes, as copied code has it."""
    odd = _odd_place(accident)
    if odd is None:
        return ""
    return messages.hint_character(odd.line, odd.column, name_of(odd.old[0]), odd.new)


def _odd_place(accident: Accident) -> Replacement | None:
    """Return the first odd character in code: of the line that failed, else of all lines.

    In a name that is not there only what nobody sees is to blame, and in that line alone.
    """
    of_names = accident.is_a("NameError", "AttributeError")
    if not (accident.is_a(*SYNTAX) or of_names) or _pasted(accident):
        return None
    odd = [*accident.cleaned.replacements, *accident.cleaned.unclear]
    odd.sort(key=lambda place: (place.line != accident.failure.line, place.line, place.column))
    if of_names:
        odd = [
            place
            for place in odd
            if place.line == accident.failure.line
            and (is_invisible(place.old[0]) or place.new in ("'", '"'))
        ]
    return odd[0] if odd else None


def _tabs(accident: Accident) -> str:
    return messages.HINT_TABS if accident.is_a("TabError") else ""


def _recursion(accident: Accident) -> str:
    """Name the function that calls itself, in the line from which it does.

    Where Python stops may be a line further down, in a call of a library. The lines of the
    traceback are looked at too, and each must call the function again by the code itself.
    """
    if not accident.is_a("RecursionError"):
        return ""
    stopped = [accident.failure.line or 0]
    named = [int(line) for line in _FRAME.findall(accident.failure.traceback)]
    for line in dict.fromkeys([*stopped, *reversed(named)]):
        again = calls_again(accident.code, line)
        if again is not None:
            return messages.hint_recursion(line, *again)
    return ""


def _python_2(accident: Accident) -> str:
    words = accident.line.split()
    printed = words[:1] == ["print"] and len(words) > 1 and not words[1].startswith(("(", "="))
    gone = accident.names & PYTHON_2 - accident.methods
    old = (
        (accident.is_a("NameError") and not all(map(accident.defines, gone)))
        or (accident.is_a("AttributeError") and accident.methods & PYTHON_2_METHODS)
        or (accident.is_a(*SYNTAX) and (printed or _EXCEPT_COMMA.match(accident.line)))
    )
    return messages.HINT_PYTHON_2 if old else ""


def _other_library(accident: Accident) -> str:
    """Recognise a line that uses the library that the arguments are not of.

    Code that converts anything is left alone.
    """
    if not accident.takes_arrays or _CONVERTS.search(accident.code):
        return ""
    of_arrays = accident.library == "numpy"
    other, methods = ("torch", OF_TENSORS) if of_arrays else ("numpy", OF_ARRAYS)
    used = accident.is_a("TypeError") and accident.names & _names_of(other, accident.lines)
    missing = accident.is_a("AttributeError") and accident.methods & methods
    missing = missing or (
        accident.is_a("TypeError") and accident.called_methods & methods & {"size"}
    )
    if not used and not missing:
        return ""
    return messages.HINT_ARRAYS if of_arrays else messages.HINT_TENSORS


def _misspelt(accident: Accident) -> str:
    """Return a hint of the name that the code's own process suggests.

    It must be like one of the line.
    """
    suggestion = accident.failure.suggestion
    if not suggestion or not accident.is_a("NameError", "AttributeError"):
        return ""
    names = accident.names - {suggestion}
    like = any(SequenceMatcher(None, suggestion, name).ratio() >= LIKE for name in names)
    return messages.hint_misspelt(suggestion) if like else ""


_RULES: tuple[Callable[[Accident], str], ...] = (
    _no_files,
    _out_of_reach,
    _no_card,
    _device,
    _truth,
    _super,
    _keywords,
    _input,
    _notebook,
    _tabs,
    _odd_character,
    _recursion,
    _python_2,
    _pasted,
    _other_library,
    _misspelt,
)


def _names_of(library: str, lines: Sequence[str]) -> set[str]:
    """Return the names by which the code calls a library or parts of it."""
    names, pattern = {library}, re.compile(_IMPORTED.format(library))
    found = (pattern.match(line) for line in lines if library in line)
    for renamed, imported in (match.groups(default="") for match in found if match):
        listed = imported.partition("#")[0].strip(" ()").split(",")
        names |= {renamed} if renamed else {part.split()[-1] for part in listed if part.split()}
    return names


def _devices(line: str) -> set[str]:
    """Return what stands in the strings of a line before a colon, such as `cuda` of "cuda:0"."""
    strings = (token.string for token in _read(line.strip()) if token.type == tokenize.STRING)
    return {string.strip("'\"").partition(":")[0] for string in strings}


@lru_cache(maxsize=4)  # each failing case of a submission asks
def _line_times_infinity(code: str) -> int | None:
    """Return the first line that multiplies by infinity; what stands in strings is no code."""
    if "inf" not in code.lower():
        return None
    tokens = [token for token in _read(f"{code}\n") if token.type in _SIGNS]
    signs = ["", "", "", *(token.string for token in tokens), "", "", "", ""]
    for start, end in _infinities(signs):
        first, last = start, end
        if signs[first - 1] in ("+", "-"):
            first -= 1
        brackets = signs[first - 1], signs[last + 1]
        if brackets == ("(", ")") and not signs[first - 2].isidentifier():
            first, last = first - 1, last + 1
        behind = signs[first - 1] == "*" and signs[first - 2] not in _NO_FACTORS
        if behind or signs[first - 1] == "*=" or signs[last + 1] == "*":
            return tokens[start - 3].start[0]
    return None


def _infinities(signs: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Yield where an infinite number begins and ends: `inf`, `np.inf` or `float("-inf")`."""
    for at, sign in enumerate(signs):
        if sign == "inf" and signs[at + 1] not in (".", "(", "["):
            start = at
            while signs[start - 1] == ".":
                start -= 2
            yield start, at
        called = sign == "float" and (signs[at + 1], signs[at + 3]) == ("(", ")")
        if called and _INFINITY.fullmatch(signs[at + 2]):
            yield at, at + 3


def _read(text: str) -> list[tokenize.TokenInfo]:
    found = []
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            found.append(token)
    except (tokenize.TokenError, SyntaxError):
        pass  # a bracket that is closed below, or no Python from here on
    return found
