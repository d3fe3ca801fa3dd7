"""What README and documents tell a newcomer is there."""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from PIL import Image

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").glob("*.md"))
DOCUMENTS = [
    *(*ROOT.glob("*.md"), *(ROOT / "docs").rglob("*.md")),
    *(ROOT / folder / "README.md" for folder in ("deploy", "encodings")),
]
LINK = re.compile(r"\]\((?!https?:|mailto:)([^)#\s]*)(?:#([^)\s]+))?\)")
MOST_WORDS = 80  # of a paragraph
FOLDER = re.compile(r"`([a-z]+/(?:[a-z-]+/)*)`")


def test_readme_has_the_two_commands_and_the_container() -> None:
    text = (ROOT / "README.md").read_text()
    assert "    make run " in text
    assert "    make test " in text
    (file,) = re.findall(r"^    docker compose -f (\S+) up --build$", text, re.M)
    assert (ROOT / file).is_file()


def test_readme_shows_every_picture_that_its_tool_takes() -> None:
    text = (ROOT / "README.md").read_text()
    pictures = re.findall(r"!\[[^\]]{20,}\]\((docs/screens/[^)]+)\)", text)
    assert Path(pictures[0]).name == "verdict.webp", "what no other product has comes first"
    names = sorted(Path(picture).name for picture in pictures)
    assert names == sorted(path.name for path in (ROOT / "docs" / "screens").iterdir())
    tool = (ROOT / "tools" / "take_screens.py").read_text()
    assert names == sorted(re.findall(r'^    "(\w+\.webp)": \(', tool, re.M))
    for picture in pictures:
        assert (ROOT / picture).stat().st_size < 200_000
        assert Image.open(ROOT / picture).width >= 1400, "letters stay sharp"


@cache
def anchors(document: Path) -> set[str]:
    """Return the fragments of a document's headings, as GitHub makes them."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.S | re.M)
    headings = re.findall(r"^#+ (.+)$", text, re.M)
    return {re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-") for heading in headings}


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: str(path.relative_to(ROOT)))
def test_links_between_documents_lead_to_files_and_headings(document: Path) -> None:
    missing = []
    for path, anchor in LINK.findall(document.read_text()):
        target = document.parent / path if path else document
        if not target.exists() or (anchor and anchor not in anchors(target)):
            missing.append(f"{path}#{anchor}")
    assert not missing


def test_first_page_of_docs_lists_all_others() -> None:
    links = {path for path, _ in LINK.findall((ROOT / "docs/README.md").read_text())}
    assert {page.name for page in PAGES} - links == {"README.md"}


def paragraphs(document: Path) -> Iterator[str]:
    """Yield each paragraph and list item, without addresses of links."""
    text = re.sub(r"^```.*?^```", "", document.read_text(), flags=re.S | re.M)
    text = re.sub(r"\]\([^)\s]*\)", "]", text)
    for block in re.split(r"\n\s*?\n|\n(?= *(?:-|\d+\.) )", text):
        if not block.lstrip("\n").startswith(("|", "#", "    ")):
            yield block


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_paragraphs_of_a_page_are_short(page: Path) -> None:
    words = {block: len(re.findall(r"\S*\w\S*", block)) for block in paragraphs(page)}
    assert words
    assert not [block for block, count in words.items() if count > MOST_WORDS]


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
