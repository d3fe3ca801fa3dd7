"""The folders of the courses that come with a site."""

from pathlib import Path


def course_folders(home: Path) -> list[Path]:
    """Return the folder of the home course and those beside it that hold a course, by name."""
    beside = sorted(path.parent for path in home.parent.glob("*/course.yaml"))
    return [home, *(folder for folder in beside if folder != home)]
