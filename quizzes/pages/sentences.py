"""The beginning of a text, for lists that have a line or two for each thing."""

import re

SENTENCE_END = re.compile(r"(?<=[.:]) (?=[A-Z])")


def beginning_of(text: str, longest: int = 0) -> str:
    """Return the first sentence, and more of them while all have less than `longest` characters."""
    first, *rest = SENTENCE_END.split(text)
    for sentence in rest:
        if len(first) + len(sentence) >= longest:
            break
        first = f"{first} {sentence}"
    return first
