"""The shipped courses: every folder of quizzes/content that holds a course.yaml."""

from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
COURSES = tuple(sorted(path.parent for path in (ROOT / "quizzes/content").glob("*/course.yaml")))
POSITIONAL = ROOT / "quizzes/content/positional-encodings"


def name_of(course: Path) -> str:
    """Return a course's slug: the name of its test."""
    return course.name


def environment_with_home(course: Path) -> dict[str, str]:
    """Return what a process is given whose courses are this one and those beside it."""
    settings = "tests.settings_of_new_courses"
    return {"DJANGO_SETTINGS_MODULE": settings, "HOME_COURSE": str(course)}
