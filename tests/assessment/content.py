"""Questions and a quiz as files, for the tests of this folder."""

from pathlib import Path

QUESTION = """
kind: single
prompt: What is $1 + 1$?
step: sums/adding
options:
  - text: two
    key: true
    reason: Count on your fingers.
  - text: three
    reason: One too many.
  - text: none of these
    reason: It is there.
"""


def write_question(root: Path, slug: str, text: str = QUESTION) -> Path:
    """Write questions/<slug>/question.yaml below `root`."""
    path = root / "questions" / slug / "question.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def write_quiz(root: Path, slug: str, *questions: str) -> Path:
    """Write quizzes/<slug>.yaml below `root`."""
    path = root / "quizzes" / f"{slug}.yaml"
    path.parent.mkdir(parents=True, exist_ok=True)
    listed = "".join(f"  - {question}\n" for question in questions)
    path.write_text(f"title: Sums\nsummary: Adding up.\nquestions:\n{listed}")
    return path
