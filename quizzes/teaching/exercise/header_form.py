"""The file of a known mistake as the fields of a form, and back, byte for byte.

A file that was laid out in another way than this module writes it has no fields: it is edited as
text. So saving an exercise unchanged changes none of its files.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass

from quizzes.grader.definitions import HEADER_KEYS, HEADER_NEEDED

_HEADER = re.compile(r'\A"""(?P<lines>.*?)\n?"""\n\n', re.DOTALL)


@dataclass(frozen=True)
class VariantForm:
    """What the header of a variant says by its key, "" for nothing, and the program below it."""

    header: Mapping[str, str]
    code: str

    @property
    def text(self) -> str:
        """Return the file; a key without a value has no line."""
        lines = [f"{key}: {self.header[key]}" for key in HEADER_KEYS if self.header.get(key)]
        joined = "\n".join(lines)
        return f'"""{joined}\n"""\n\n{self.code}'

    @property
    def lines_above(self) -> int:
        """Return how many lines of the file stand above the program."""
        return self.text.count("\n") - self.code.count("\n")

    def key_of(self, line: int, message: str) -> str:
        """Return the key of the header that a fault is about, "" for the program."""
        for key, words in HEADER_NEEDED.items():
            if words == message:
                return key
        if message.partition(":")[0] in HEADER_KEYS:
            return message.partition(":")[0]
        written = [key for key in HEADER_KEYS if self.header.get(key)]
        return written[line - 1] if 1 < line <= len(written) else ""


def variant_form(text: str) -> VariantForm | None:
    """Return the fields of a variant's file, None for one that is to be edited as text."""
    match = _HEADER.match(text)
    if match is None:
        return None
    header: dict[str, str] = {}
    for line in filter(None, match["lines"].split("\n")):
        key, _, value = line.partition(": ")
        if key not in HEADER_KEYS or key in header:
            return None
        header[key] = value
    form = VariantForm(header, text[match.end() :])
    return form if form.text == text else None
