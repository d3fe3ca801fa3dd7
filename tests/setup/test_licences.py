"""Every file of other people has its licence beside it and a row in docs/licences.md."""

import json
import re
import tomllib
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
VENDOR = ROOT / "static" / "vendor"
ROW = re.compile(r"^\| `(?P<file>[^`]+)` \|[^|]+\| (?P<licence>[^|]+) \|$", re.MULTILINE)
NPM_PACKAGE = re.compile(r"(@?[\w./-]+ \d+(?:\.\d+)+)(?:,|$)")


def listed_licences() -> dict[str, str]:
    """Return the licence of each file that docs/licences.md lists."""
    text = (ROOT / "docs" / "licences.md").read_text()
    return {match["file"]: match["licence"] for match in ROW.finditer(text)}


def vendored_licences() -> dict[str, str]:
    """Return the licence of each vendored file, as the manifest of its folder says."""
    licences = {}
    for manifest in VENDOR.glob("*/manifest.json"):
        facts = json.loads(manifest.read_text())
        for name in set(facts["files"]) - {"LICENSE.txt"}:
            licences[str((manifest.parent / name).relative_to(ROOT))] = facts["licence"]
    return licences


def test_the_page_lists_every_vendored_file_with_its_licence() -> None:
    assert vendored_licences()
    assert listed_licences() == vendored_licences()


def test_fonts_and_minified_files_lie_among_the_vendored_ones() -> None:
    folders = (
        "static",
        "templates",
        "quizzes",
        "encodings",
        "tests",
        "docs",
        "tools",
        "benchmarks",
    )
    files = (path for folder in folders for path in (ROOT / folder).rglob("*"))
    foreign = re.compile(r"\.(?:woff2?|ttf|otf|eot)$|\.min\.")
    found = {str(path.relative_to(ROOT)) for path in files if foreign.search(path.name)}
    assert found
    assert found <= set(vendored_licences())


@pytest.mark.parametrize("folder", ["codemirror-6.0.2", "d3-zoom-3.0.0"])
def test_a_bundle_brings_the_licence_of_every_package_in_it(folder: str) -> None:
    source = json.loads((VENDOR / folder / "manifest.json").read_text())["source"]
    packages = NPM_PACKAGE.findall(source.removeprefix("npm packages "))
    text = (VENDOR / folder / "LICENSE.txt").read_text()
    assert len(packages) > 8
    assert not [package for package in packages if package not in text]


def test_the_packages_name_the_licence_that_lies_beside_them() -> None:
    licence = (ROOT / "LICENSE").read_text()
    assert licence.startswith("MIT License\n\nCopyright (c) 2026 the Ordinal authors\n")
    assert (ROOT / "encodings" / "LICENSE").read_text() == licence
    for folder in (ROOT, ROOT / "encodings"):
        project = tomllib.loads((folder / "pyproject.toml").read_text())["project"]
        assert project["license"] == "MIT"
        assert project["authors"] == [{"name": "the Ordinal authors"}]
        assert all(list(folder.glob(pattern)) for pattern in project["license-files"])
        assert (folder / project["readme"]).is_file()
