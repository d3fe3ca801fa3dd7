"""The shipped courses: every folder of quizzes/content that holds a course.yaml."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COURSES = tuple(sorted(path.parent for path in (ROOT / "quizzes/content").glob("*/course.yaml")))
POSITIONAL = ROOT / "quizzes/content/positional-encodings"


def name_of(course: Path) -> str:
    """Return a course's slug: the name of its test."""
    return course.name
