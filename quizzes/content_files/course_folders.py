"""The folders of the courses that a site brings along."""

from pathlib import Path

COURSE_FILE = "course.yaml"


def course_folders(home: Path) -> list[Path]:
    """Return every course in the folder around the home course, that one first, then by name."""
    found = {path.parent for path in home.parent.glob(f"*/{COURSE_FILE}")}
    return [home, *sorted(found - {home})]
