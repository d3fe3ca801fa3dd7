"""Questions whose answer is a text: which texts are right, and what is said to them.

Stored as JSON with the fields of `answer:` in question.yaml: accepts, reason. Capitals, spaces, the
form of dashes and quotes, what cannot be seen, and a full stop at the end do not matter. A `*` at
an end of an accepted text stands for anything.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from quizzes.content_files.typed_text import fold_for_comparison

MAX_ACCEPTED = 20
MAX_ACCEPTED_LENGTH = 100
ANYTHING = "*"
# The end of a sentence: of “RoPE.” and “f(x).”, not of “...”.
_FULL_STOP = re.compile(r"(?<=[\w)\]}'\"])[.。]$")


@dataclass(frozen=True)
class TextAnswer:
    """The texts that are right, as their author wrote them, the first as the one to show."""

    accepted: tuple[str, ...]
    reason: str

    def accepts(self, text: str) -> bool:
        """Say whether a typed text counts as right."""
        typed = fold(text)
        ways = {typed, _FULL_STOP.sub("", typed)}
        return any(_matches(way, pattern) for way in ways for pattern in self.accepted)

    @property
    def key(self) -> str:
        """Return the right answer as a page shows it."""
        return self.shown[0]

    @property
    def shown(self) -> tuple[str, ...]:
        """Return the accepted texts as a page shows them: "…" where anything may stand."""
        return tuple(_in_words(pattern) for pattern in self.accepted)


def text_answer_from_json(stored: Mapping[str, Any]) -> TextAnswer:
    """Return a stored answer."""
    return TextAnswer(tuple(map(str, stored["accepts"])), str(stored.get("reason", "")))


def fold(text: str) -> str:
    """Return a text for a comparison with an accepted one: capitals do not count."""
    return fold_for_comparison(text).casefold()


def pattern_problem(pattern: str) -> str:
    """Return why an accepted text cannot be one, "" when it can."""
    inner = _inner(pattern)
    if not fold(inner):
        return "would accept every text" if ANYTHING in pattern else "must not be empty"
    if ANYTHING in inner:
        return f"{ANYTHING} is allowed only at the start or end"
    return ""


def _inner(pattern: str) -> str:
    return pattern.strip().removeprefix(ANYTHING).removesuffix(ANYTHING)


def _matches(typed: str, pattern: str) -> bool:
    bare = pattern.strip()
    begins, ends = not bare.startswith(ANYTHING), not bare.endswith(ANYTHING)
    wanted = fold(_inner(bare)).replace('"', "''")  # x″ is typed as x'' and as x"
    typed = typed.replace('"', "''")
    if begins and ends:
        return typed == wanted
    if begins:
        return typed.startswith(wanted)
    return typed.endswith(wanted) if ends else wanted in typed


def _in_words(pattern: str) -> str:
    bare = pattern.strip()
    before = "…" if bare.startswith(ANYTHING) else ""
    after = "…" if bare.endswith(ANYTHING) and len(bare) > 1 else ""
    return f"{before}{' '.join(_inner(bare).split())}{after}"
