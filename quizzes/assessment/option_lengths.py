"""How often the longest option of a question is its key, and when that gives keys away.

Authors explain a key with more care than a wrong option, so keys grow longer, and a learner who
knows nothing and takes the longest option passes. Chance alone makes the key the longest of four
options in a quarter of the questions, so a single question proves nothing and only shares are
bounded. A tie tells a learner nothing and does not count.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Protocol

from quizzes.assessment.sources import QuestionSource, QuizSource
from quizzes.pages.markdown import render_inline

MAX_COURSE_PERCENT = 35
MAX_QUIZ_PERCENT = 50
ENOUGH = 8  # questions: of fewer, chance alone often goes beyond a bound

_TAG = re.compile(r"<[^>]*>")
_UNSEEN = re.compile("[\u200b-\u200d\u2061-\u2064]")  # of formulas: "apply function" and the like


class TextOption(Protocol):
    """What is read of an option, from a file or a row."""

    @property
    def text(self) -> str: ...
    @property
    def is_key(self) -> bool: ...


@dataclass(frozen=True)
class KeyLengths:
    """Of `questions` with fixed options and one key, `longest` have the key as longest."""

    longest: int
    questions: int

    def exceeds(self, percent: int) -> bool:
        """Say whether the share of longest keys is above a bound."""
        return 100 * self.longest > percent * self.questions

    def __str__(self) -> str:
        return f"{self.longest} of {self.questions}"


def visible_length(text: str) -> int:
    """Count the characters that a learner sees of an option: no markup, values computed."""
    shown = _UNSEEN.sub("", unescape(_TAG.sub("", render_inline(text))))
    return len(" ".join(shown.split()))


def is_key_longest(options: Sequence[TextOption]) -> bool | None:
    """Say whether the key is longer than every other option; None without exactly one key."""
    keys = [visible_length(option.text) for option in options if option.is_key]
    others = [visible_length(option.text) for option in options if not option.is_key]
    return keys[0] > max(others) if len(keys) == 1 and others else None


def count_longest(questions: Iterable[Sequence[TextOption]]) -> KeyLengths:
    """Count over the options of questions; those without fixed options or one key are left out."""
    found = [longest for one in questions if (longest := is_key_longest(one)) is not None]
    return KeyLengths(sum(found), len(found))


def quiz_remark(size: int, counted: KeyLengths) -> str:
    """Return a remark on a quiz of `size` questions, "" if their lengths do not show the keys."""
    if size < ENOUGH or not counted.exceeds(MAX_QUIZ_PERCENT):
        return ""
    return _sentence(counted, MAX_QUIZ_PERCENT)


def course_remarks(
    questions: Sequence[QuestionSource], quizzes: Iterable[QuizSource]
) -> Iterator[str]:
    """Yield a remark for a course and for each quiz in which the longest option gives keys away."""
    options: Mapping[str, Sequence[TextOption]] = {one.slug: one.options for one in questions}
    counted = count_longest(options.values())
    if counted.questions >= ENOUGH and counted.exceeds(MAX_COURSE_PERCENT):
        yield f"questions: {_sentence(counted, MAX_COURSE_PERCENT)}"
    for quiz in quizzes:
        slugs = [slug for slug, _ in quiz.questions]
        words = quiz_remark(len(slugs), count_longest(options.get(slug, ()) for slug in slugs))
        if words:
            yield f"{quiz.path}: {words}"


def _sentence(counted: KeyLengths, percent: int) -> str:
    return (
        f"In {counted} questions with fixed options, the key is the longest option. That is more"
        f" than {percent} %: learners who always pick the longest option are right that often."
        " Shorten the keys, or lengthen the wrong options by saying why they are tempting."
    )
