"""One module names the learners' pages of a course; all others ask a thing for its address.

A page that is named by itself would need the course as well, and one that forgot it would lead
every reader into the home course.
"""

import ast
import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from django.conf import settings
from django.urls import get_resolver

ROOT = Path(settings.ROOT)
ONLY = ROOT / "quizzes/courses/addresses.py"
MODULES = [
    path
    for path in sorted((ROOT / "quizzes").rglob("*.py"))
    if "content" not in path.relative_to(ROOT).parts and path != ONLY
]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
SCRIPTS = [path for path in sorted((ROOT / "static").rglob("*.js")) if "vendor" not in path.parts]
URL_TAG = re.compile(r"{%\s*url\s+['\"]([^'\"]+)['\"]")
ADDRESS = r"/(?:learn|quiz|questions|exercises|map|practice|deep-dive|me/progress|c)/"
WRITTEN_OUT = re.compile(rf"""["'`=]({ADDRESS})""")
# It gives a page without a course the short addresses, so that its frame needs no database.
SHORT = ROOT / "quizzes/courses/templatetags/course_tags.py"


@cache
def names_within_a_course() -> set[str]:
    """Return the names of all pages below /c/<course>/ that learners have."""
    return {
        f"{space}:{name}"
        for space, (_, resolver) in get_resolver().namespace_dict.items()
        for name, found in resolver.reverse_dict.lists()
        if isinstance(name, str)
        for possibilities, *_ in found
        if any(path.startswith("c/%(course)s/") for path, _ in possibilities)
    }


def test_the_pages_of_a_course_are_found():
    named = names_within_a_course()
    assert {"lessons:step", "assessment:answer", "exercises:draft", "study:map"} <= named
    assert {"lessons:explore", "lessons:figure", "study:review", "courses:index"}.isdisjoint(named)
    assert len(named) >= 20


@cache
def texts(path: Path) -> list[str]:
    """Return every text of a module; of one with {} in it, the beginning."""
    nodes = list(ast.walk(ast.parse(path.read_text())))
    joined = [node.values for node in nodes if isinstance(node, ast.JoinedStr)]
    inner = {id(part) for parts in joined for part in parts[1:]}
    constants = [node for node in nodes if isinstance(node, ast.Constant) and id(node) not in inner]
    return [node.value for node in constants if isinstance(node.value, str)]


def named_pages(path: Path) -> Iterator[str]:
    """Yield every text of a module that may name a page."""
    for text in texts(path):
        yield text
        yield from _spaces(text)


def _spaces(begin: str) -> Iterator[str]:
    """Yield what f"exercises:{part}" may name: all pages of the room."""
    if re.fullmatch(r"[a-z]+:", begin):
        yield from (name for name in names_within_a_course() if name.startswith(begin))


# It checks where authors' links lead, by names read back from `resolve`.
READ_BACK = {ROOT / "quizzes/courses/text_links.py"}


def test_no_module_names_a_page_of_a_course():
    inside = names_within_a_course()
    found = {
        str(path.relative_to(ROOT)): sorted(inside & set(named_pages(path)))
        for path in MODULES
        if path not in READ_BACK
    }
    assert {path: names for path, names in found.items() if names} == {}
    assert inside & set(named_pages(ONLY))


def test_no_template_names_a_page_of_a_course():
    inside = names_within_a_course()
    found = {
        str(path.relative_to(ROOT)): sorted(inside & set(URL_TAG.findall(path.read_text())))
        for path in TEMPLATES
    }
    assert {path: names for path, names in found.items() if names} == {}
    assert any(URL_TAG.search(path.read_text()) for path in TEMPLATES)


@pytest.mark.parametrize("kind", ["templates", "scripts"])
def test_no_template_or_script_writes_an_address_out(kind):
    paths = {"templates": TEMPLATES, "scripts": SCRIPTS}[kind]
    found = {str(path.relative_to(ROOT)): WRITTEN_OUT.findall(path.read_text()) for path in paths}
    assert len(found) > 20
    assert {path: addresses for path, addresses in found.items() if addresses} == {}


def test_no_module_writes_an_address_out():
    found = {
        str(path.relative_to(ROOT)): [one for one in texts(path) if re.match(ADDRESS, one)]
        for path in MODULES
        if path not in {SHORT, *READ_BACK}
    }
    assert {path: addresses for path, addresses in found.items() if addresses} == {}
    assert any(re.match(ADDRESS, one) for one in texts(SHORT))
