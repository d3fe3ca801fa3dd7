"""How many modules a package may have, and that each room of the site has a folder of tests."""

from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
MOST = 25
WITHOUT_BOUND = {"migrations", "catalog"}  # one file each, all of a kind


def packages() -> list[Path]:
    found = [
        path.parent
        for room in ("quizzes", "ordinal_exercise", "encodings/src")
        for path in (ROOT / room).rglob("__init__.py")
    ]
    return sorted(folder for folder in found if folder.name not in WITHOUT_BOUND)


def test_there_are_packages() -> None:
    assert {"grader", "posenc", "judge"} <= {folder.name for folder in packages()}


@pytest.mark.parametrize("folder", packages(), ids=lambda folder: str(folder.relative_to(ROOT)))
def test_a_package_has_25_modules_at_most(folder: Path) -> None:
    own = [path.name for path in folder.glob("*.py") if path.name != "__init__.py"]
    assert len(own) <= MOST, f"{folder.relative_to(ROOT)} has {len(own)}: {', '.join(sorted(own))}"


def rooms() -> list[str]:
    """Return the packages of quizzes; the courses in quizzes/content are no package."""
    return sorted(path.parent.name for path in (ROOT / "quizzes").glob("*/__init__.py"))


def test_there_are_rooms() -> None:
    assert {"courses", "operations", "terminal"} <= set(rooms())


@pytest.mark.parametrize("room", rooms())
def test_a_room_has_a_folder_of_tests(room: str) -> None:
    assert any((ROOT / "tests" / room).rglob("test_*.py")), f"tests/{room}/ has no tests"
