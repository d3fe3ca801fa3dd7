"""A known-wrong variant of an exercise: a whole solution that makes exactly one mistake.

The module docstring is its only metadata: the first line is the sentence for the student, then
`Step:`, `Kind:` and `Breaks:` lines. The text is read as text; nothing is parsed as Python here.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath

from quizzes.grader.errors import DefinitionError

KINDS = ("mistake", "convention")
_DOCSTRING = re.compile(r'\A\s*"""(?P<text>.*?)"""', re.DOTALL)
_FIELD = re.compile(r"\A(?P<key>Step|Kind|Breaks):\s*(?P<value>\S.*)\Z")
_SLUG = re.compile(r"\A[a-z0-9][a-z0-9_-]{0,63}\Z")


@dataclass(frozen=True)
class WrongSolution:
    """Source and metadata of one variant.

    `kind` is `mistake` or `convention`; `step` names the lesson step that explains it
    (`lesson/step`); `breaks` is the line of the statement that it breaks.
    """

    slug: str
    source: str
    sentence: str
    step: str | None
    kind: str
    breaks: str


def read_wrong(path: str, source: str) -> WrongSolution:
    """The variant in `wrong/<slug>.py`; raises DefinitionError naming the line."""
    slug = PurePosixPath(path).stem
    if not _SLUG.match(slug):
        raise DefinitionError(path, 1, f"{slug!r}: expected a lower-case name such as exp_double")
    found = _DOCSTRING.match(source)
    if found is None:
        raise DefinitionError(path, 1, 'expected to start with a """docstring"""')
    lines = [line.strip() for line in found["text"].strip().splitlines()]
    sentence = lines[0] if lines else ""
    if not sentence or _FIELD.match(sentence):
        raise DefinitionError(path, 1, "expected the sentence for the student in the first line")
    fields = _read_fields(path, lines)
    kind = fields.get("Kind", "mistake")
    if kind not in KINDS:
        line = _line_of(lines, "Kind:")
        raise DefinitionError(path, line, f"Kind: {kind!r}: expected mistake or convention")
    if "Breaks" not in fields:
        raise DefinitionError(
            path, 1, "expected a line `Breaks: ...` naming the broken requirement"
        )
    return WrongSolution(slug, source, sentence, fields.get("Step"), kind, fields["Breaks"])


def _read_fields(path: str, lines: list[str]) -> dict[str, str]:
    fields: dict[str, str] = {}
    for number, line in enumerate(lines, start=1):
        if not line or number == 1:
            continue
        found = _FIELD.match(line)
        if found is None:
            raise DefinitionError(path, number, f"{line!r}: expected Step:, Kind: or Breaks:")
        if found["key"] in fields:
            raise DefinitionError(path, number, f"{found['key']}: is there twice")
        fields[found["key"]] = found["value"]
    return fields


def _line_of(lines: list[str], start: str) -> int:
    return next(number for number, line in enumerate(lines, start=1) if line.startswith(start))
