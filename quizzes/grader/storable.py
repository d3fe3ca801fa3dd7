"""Making plain values fit for storing: any database keeps them, any page and terminal shows them.

A report quotes what a student's code is called, printed and returned. Half of a surrogate pair in
it cannot be encoded, a NUL cannot be kept by PostgreSQL, and one such text made every page that
showed the row fail. So text is cleaned once more at the one place where a report becomes plain
data, whatever was done to it before. Text without any of it stays as it is, byte for byte.
"""

from __future__ import annotations

import math
from typing import Any

from quizzes.content_files.characters import REFUSED
from quizzes.grader.cleaning import clean


def storable(value: Any) -> Any:
    """The same plain value with every text cleaned, names of fields too; JSON has no NaN."""
    if isinstance(value, str):
        return storable_text(value)
    if isinstance(value, dict):
        return {storable_text(str(key)): storable(item) for key, item in value.items()}
    if isinstance(value, (list, tuple)):
        return [storable(item) for item in value]
    if isinstance(value, float) and not math.isfinite(value):
        return None
    return value


def storable_text(text: str) -> str:
    """The same text without what cannot be seen or stored."""
    text = str(text)  # of a subclass, which may say something else each time
    return clean(text, len(text)) if REFUSED.search(text) else text
