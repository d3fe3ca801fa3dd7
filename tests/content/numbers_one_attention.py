"""The numbers of the lesson "One attention, six encodings"."""

from quizzes.pages.values import evaluate

LESSON = "one-attention"
CITED: set[str] = set()


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    count = evaluate('fact(encoding="nope", view="compare", name="encodings")')
    assert count == 14
    return {"four-hooks": ["fourteen entries"]}


SAID = said()
