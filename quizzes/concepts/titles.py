"""Titles broken into the lines of a node."""

LINES, LINE_LENGTH = 2, 18  # what fits a node, see layout.py


def title_lines(title: str) -> list[str] | None:
    """Return a title in one line or two of similar length; None when it does not fit."""
    if len(title) <= LINE_LENGTH:
        return [title]
    words = title.split(" ")
    breaks = [(" ".join(words[:n]), " ".join(words[n:])) for n in range(1, len(words))]
    fitting = [pair for pair in breaks if max(map(len, pair)) <= LINE_LENGTH]
    return list(min(fitting, key=lambda pair: max(map(len, pair)))) if fitting else None
