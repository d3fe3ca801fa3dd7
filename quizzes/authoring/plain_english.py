"""Phrases of a course that no native writer uses so, or that age, each with a better one.

The shipped courses keep them out. Other authors ask for them with `check_content --plain-english`:
their courses may be in another language, and some phrases are right elsewhere.
"""

import re
from collections.abc import Iterator
from pathlib import Path

INSTEAD = {  # a phrase, and what to write instead
    r"in the place of": "instead of",
    r"so many": "that many, or the number itself",
    r"the contrary": "the opposite",
    r"(?:is|are) told": "is given, says, states, or is reported",
    r"looked at whether": "the grader also checks whether",
    r"also looked at": "the grader also checks",
    r"somebody": "someone, or a learner who",
    r"whoever": "a learner who, or you",
    r"stands? (?:at|in)": "is at, is in",
    r"makes dear": "penalises heavily",
    r"(?:is|are) dear": "costs much",
    r"is round after": "completes a turn after",
    r"takes turns": "alternates",
    r"(?:by|for) nothing": "not at all, or at no cost",
    # Shades that a figure has in the light alone, or in the dark alone.
    r"(?-i:pale|paler|darker|brighter|lighter|whitish|blackish)": "the value: 0, small, large",
    r"(?:white|black|dark|bright|grey|gray) (?:cells?|columns?|rows?|stripes?|colours?|regions?)": (
        "the value, or its place"
    ),
}
# What is true on the day it is written: a reader of later years cannot tell whether it still is.
_AGEING = {
    r"as of (?:(?:early|late|mid) )?(?:19|20)\d\d": "the models by name, or the year of the fact",
    r"(?:up to|until|by the end of) 20[1-3]\d(?! (?:tokens?|positions?|rows?))": (
        "the models by name, or the year of the fact"
    ),
    r"in today's words|nowadays|these days|to this day|at the moment of writing": "what is meant",
    r"(?:today's|recent|newer|newest|latest|modern|state-of-the-art)"
    r" (?:(?:large|open|language) )*(?:models?|encoders?|libraries|architectures?)": (
        "the models by name, or the year of the fact"
    ),
    r"state of the art|SOTA": "which models, or which measurement",
}
# The files of a course with sentences for learners.
TEXTS = (
    "course.yaml",
    "map.yaml",
    "lessons/**/*.md",
    "lessons/**/*.yaml",
    "questions/*/*.yaml",
    "questions/*/*.py",
    "quizzes/*.yaml",
    "exercises/*/statement.md",
    "exercises/*/exercise.yaml",
    "exercises/*/wrong/*.py",
)
_PHRASES = [
    (re.compile(r"\b(?:" + phrase.replace(" ", r"\s+") + r")\b", re.IGNORECASE), better)
    for phrase, better in (INSTEAD | _AGEING).items()
]


def strange_phrases(text: str) -> Iterator[tuple[int, str]]:
    """Yield the line of each such phrase, whatever its line ends and capitals, and the advice."""
    for phrase, better in _PHRASES:
        for found in phrase.finditer(text):
            line = text.count("\n", 0, found.start()) + 1
            yield line, f"{' '.join(found[0].split())!r}: write {better}"


def english_remarks(course: Path) -> Iterator[str]:
    """Yield a remark with file and line for each such phrase of a course folder.

    A file that is no text is left out: reading the course tells its fault.
    """
    for pattern in TEXTS:
        for path in sorted(course.glob(pattern)):
            try:
                text = path.read_text(encoding="utf-8")
            except (OSError, UnicodeError):
                continue
            for line, advice in strange_phrases(text):
                yield f"{path.relative_to(course)}:{line}: {advice}"
