"""What README and documents tell a newcomer is there."""

import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
DOCUMENTS = [*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md"), ROOT / "encodings" / "README.md"]
LINK = re.compile(r"\]\((?!https?:|#|mailto:)([^)#\s]+)")
FOLDER = re.compile(r"`([a-z]+/(?:[a-z-]+/)*)`")


def test_readme_has_the_two_commands_and_a_picture() -> None:
    text = (ROOT / "README.md").read_text()
    assert "    make run " in text
    assert "    make test " in text
    pictures = re.findall(r"!\[[^\]]{20,}\]\(([^)]+)\)", text)
    assert pictures
    assert all((ROOT / picture).stat().st_size < 200_000 for picture in pictures)


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_somewhere(document: Path) -> None:
    targets = LINK.findall(document.read_text())
    missing = [target for target in targets if not (document.parent / target).exists()]
    assert not missing


def test_the_map_of_readme_names_folders_that_exist() -> None:
    rows = first_column(ROOT / "README.md", "## What is where")
    folders = [name for row in rows for name in FOLDER.findall(row)]
    assert len(folders) > 8
    assert not [name for name in folders if not (ROOT / name).is_dir()]


def first_column(document: Path, heading: str) -> list[str]:
    """Return the first cell of every table row of a section."""
    section = document.read_text().partition(heading)[2].partition("\n## ")[0]
    return [row.split("|")[1] for row in section.splitlines() if row.startswith("|")]


def test_every_setting_of_operations_is_one_and_every_one_is_there() -> None:
    names = " ".join(first_column(ROOT / "docs" / "operations.md", "## Settings"))
    documented = set(re.findall(r"`([A-Z_]{4,})`", names))
    source = "".join(
        (ROOT / "quizzes" / "config" / name).read_text() for name in ("settings.py", "gunicorn.py")
    )
    asked = r"(?:env\.\w+|environ\.get|_required_in_production)\(\"([A-Z_]+)\""
    read = set(re.findall(asked, source))
    assert documented - {"DEBUG"} == read - {"DEBUG"}


def test_where_is_what_answers_its_questions_with_paths_that_exist() -> None:
    rows = re.findall(
        r"^\| (Where [^|]+\?) \| ([^|]+) \|$", (ROOT / "docs/where.md").read_text(), re.M
    )
    assert len(rows) >= 23
    paths = {question: re.findall(r"`([\w./-]+/[\w./-]*)`", answer) for question, answer in rows}
    assert all(paths.values())
    named = [path for found in paths.values() for path in found if path != "wrong/"]
    missing = [path for path in named if not (ROOT / path).exists()]
    assert not missing
    assert all((ROOT / path).is_dir() == path.endswith("/") for path in named)


def test_the_newest_version_of_the_changelog_is_that_of_the_project() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    newest = re.search(
        r"^## ([\d.]+) \(\d{4}-\d\d-\d\d\)$", (ROOT / "CHANGELOG.md").read_text(), re.M
    )
    assert newest
    assert newest[1] == project["version"]
