"""The numbers of the lesson "Learned encodings"."""

LESSON = "learned"
# Sizes of models and examples, results of the paper.
CITED = {"512", "511", "100", "768", "1024", "128", "600", "120", "110", "4.92", "25.7", "25.8"}
CITED |= {"3.5", "500"}


def said() -> dict[str, list[str]]:
    """Return the words of each step that carry numbers."""
    assert 0.003 < 512 * 768 / 110e6 < 0.004
    return {"counting-parameters": ["that is a third of a per cent"]}


SAID = said()
