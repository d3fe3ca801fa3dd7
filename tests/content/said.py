"""How a lesson's numbers are held: the words they stand in, made from the engine.

`numbers_<lesson>.py` has SAID, the words of each step, and CITED, numbers that are not computed
but counted or cited. COURSE names the course where it is not the positional encodings.
"""

import re

import numpy as np

from quizzes.pages.values import VALUE

NUMBER = re.compile("\\d[\\d\u202f,]*(?:\\.\\d+)?")


def signed(value: float, digits: int) -> str:
    """Return a number with a true minus sign."""
    return f"{value:.{digits}f}".replace("-", "−")


def first_rise(values: np.ndarray) -> int:
    """Return the first place whose value is larger than the one before."""
    return int(np.argmax(np.diff(values) > 0)) + 1


def flat(text: str) -> str:
    """Return a text in which line ends and kinds of space do not matter."""
    return " ".join(text.replace("\u202f", "~").split())


def prose(text: str) -> str:
    """Return a step without its fences, targets of links and chips, code and computed values."""
    text = re.sub(r"^```.*?^```", "", text, flags=re.S | re.M)
    text = VALUE.sub("", text)
    return re.sub(r"\]\([^)]*\)|\]\{[^}]*\}|`[^`]*`", "", text)
