"""Text no wider than the terminal it is read in."""

import shutil
import textwrap

NARROWEST, WIDEST = 40, 100
ROOM_FOR_WORDS = 24  # beside a name; with less they begin below it


def terminal_width() -> int:
    """Return the width of lines: that of the terminal or of COLUMNS, within reason."""
    return min(max(shutil.get_terminal_size((WIDEST, 24)).columns, NARROWEST), WIDEST)


def wrapped(text: str, width: int) -> str:
    """Return the paragraphs of a text filled to `width`; indented lines stay as they are."""
    paragraphs = text.strip().split("\n\n")
    return "\n\n".join(
        one if "\n  " in one else _filled(" ".join(one.split()), width, "", "")
        for one in paragraphs
    )


def hanging(name: str, words: str, *, indent: int, width: int) -> str:
    """Return a name and, from column `indent` on, words about it, on as many lines as they need."""
    if width - indent >= ROOM_FOR_WORDS:
        return _filled(words, width, f"{name:{indent}}", " " * indent)
    below = " " * (len(name) - len(name.lstrip()) + 4)
    return f"{name.rstrip()}\n{_filled(words, width, below, below)}"


def _filled(text: str, width: int, first: str, others: str) -> str:
    return textwrap.fill(
        text,
        width,
        initial_indent=first,
        subsequent_indent=others,
        break_long_words=False,
        break_on_hyphens=False,
    )
