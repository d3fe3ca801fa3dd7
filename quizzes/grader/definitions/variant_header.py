"""The header of a known-wrong variant: the module docstring of wrong/<mistake>.py, in plain lines.

    Does: You give the even columns the cosine and the odd columns the sine.
    Should: The even columns should hold the sine and the odd columns the cosine.
    Number: Sine and cosine are exchanged here.
    Step: sinusoidal-values/the-formula
    Kind: mistake
    Breaks: 3. Column 2i holds the sine and column 2i+1 the cosine.

A value is text to the end of its line. It is no YAML: a sentence may hold `: ` and ` #`. The older
form has one sentence in place of Does, Should and Number, on the first line.

This file is read in two places, which must agree: here, and in the author sandbox, where its text
is executed beside a generator (`run_generator`) and nothing of this project can be imported. So it
takes from the standard library alone.
"""

import re
from typing import NamedTuple

KEYS = ("Does", "Should", "Number", "Step", "Kind", "Breaks")
KINDS = ("mistake", "convention")
NEEDED = {
    "Does": "expected a line `Does: You ...` saying what this code does",
    "Should": "expected a line `Should: It should ...` saying what is right",
    "Breaks": "expected a line `Breaks: ...` naming the broken requirement",
}
_DOCSTRING = re.compile(r'\A\s*"""(?P<text>.*?)"""', re.DOTALL)
_LINE = re.compile(rf"\A(?P<key>{'|'.join(KEYS)}):\s*(?P<value>\S.*)\Z")
_YOU = re.compile(r"\b(you|your|yours|yourself)\b", re.IGNORECASE)
_SHOULD = re.compile(r"\bshould\b", re.IGNORECASE)
_OF_CODE = re.compile(r"\bnp\.|\barguments?\b|\bexercises?\b", re.IGNORECASE)


class HeaderProblem(NamedTuple):
    """What is wrong with a header, in which line of the file, and the key that it is about."""

    line: int
    message: str
    key: str = ""


class VariantHeader(NamedTuple):
    """The values by key, "" for a key that is not there, and the lines where they stand.

    `sentence` is what a learner reads whose code makes this mistake. `number`: what the number is
    that this mistake gives, for a learner who answers a question and has written no code.
    """

    sentence: str
    does: str
    should: str
    number: str
    step: str
    kind: str
    breaks: str
    lines: dict[str, int]

    @property
    def is_old(self) -> bool:
        """Say whether the sentence stands on the first line, as in the older form."""
        return bool(self.sentence) and not self.does and not self.should

    @property
    def reason(self) -> str:
        """Return what a question says of this mistake's number, "" where it shall not offer it."""
        return self.number or (self.sentence if self.is_old else "")


def read_variant_header(source: str) -> tuple[VariantHeader, list[HeaderProblem]]:
    """Return the header of a variant as well as it can be read, and what is wrong with its form."""
    problems: list[HeaderProblem] = []
    found = _DOCSTRING.match(source)
    if found is None:
        problems.append(HeaderProblem(1, 'expected to start with a """docstring"""'))
        return _header({}, {}, ""), problems
    first = source.count("\n", 0, found.start("text")) + 1
    numbered = [
        (number, line.strip())
        for number, line in enumerate(found["text"].splitlines(), start=first)
        if line.strip()
    ]
    old_sentence = ""
    if numbered and _LINE.match(numbered[0][1]) is None:
        old_sentence = numbered.pop(0)[1]
    values: dict[str, str] = {}
    lines: dict[str, int] = {}
    for number, line in numbered:
        said = _take(line, values, is_old=bool(old_sentence))
        if said:
            problems.append(HeaderProblem(number, said, line.partition(":")[0]))
        else:
            lines[line.partition(":")[0]] = number
    needed = ["Breaks"] if old_sentence else list(NEEDED)
    problems += [HeaderProblem(1, NEEDED[key], key) for key in needed if key not in values]
    return _header(values, lines, old_sentence), problems


def wording_problems(header: VariantHeader) -> list[HeaderProblem]:
    """Return where a header says what no learner should read.

    A sentence with a subject and a "should" cannot be taken for praise of what it corrects. A
    number is offered to learners who wrote no code, so that words of code accuse them of nothing
    they did.
    """
    found = []
    if header.does and not _YOU.search(header.does):
        found.append(("Does", f"{header.does!r}: expected what the learner does, with you or your"))
    if header.should and not _SHOULD.search(header.should):
        found.append(("Should", f"{header.should!r}: expected what is right, with the word should"))
    word = _OF_CODE.search(header.number)
    if word:
        words = f"{header.number!r}: says {word[0]!r}, expected what the number is, not the code"
        found.append(("Number", words))
    return [HeaderProblem(header.lines[key], f"{key}: {words}", key) for key, words in found]


def _take(line: str, values: dict[str, str], *, is_old: bool) -> str:
    """Put one line among the values; return what is wrong with it, "" when nothing is."""
    match = _LINE.match(line)
    if match is None:
        return f"{line!r}: expected one of {', '.join(f'{key}:' for key in KEYS)}"
    key, value = match["key"], match["value"]
    if is_old and key in ("Does", "Should"):
        return f"{key}: comes after a sentence, expected nothing above it"
    if key in values:
        return f"{key}: appears twice"
    values[key] = value
    if key == "Kind" and value not in KINDS:
        return f"Kind: {value!r}: expected {' or '.join(KINDS)}"
    return ""


def _header(values: dict[str, str], lines: dict[str, int], old_sentence: str) -> VariantHeader:
    said = [values[key] for key in ("Does", "Should") if key in values]
    return VariantHeader(
        sentence=old_sentence or " ".join(said),
        does=values.get("Does", ""),
        should=values.get("Should", ""),
        number=values.get("Number", ""),
        step=values.get("Step", ""),
        kind=values.get("Kind", KINDS[0]),
        breaks=values.get("Breaks", ""),
        lines=lines,
    )
