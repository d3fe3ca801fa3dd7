"""Pages name all modules that they are going to import, and no others."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from django.conf import settings
from django.contrib.staticfiles import finders
from playwright.sync_api import Page, Route
from posenc.registry import View
from pytest_django.live_server_helper import LiveServer

from quizzes.pages.module_preloads import modules_ahead
from tests.posenc.in_page.draws import IN_PAGE
from tests.site.ahead import missing_ahead

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = sorted((ROOT / "templates").rglob("*.html"))
TAG = re.compile(r"<script type=\"module\"[^>]*?{% static '([^']+)' %}")
SCRIPTS = sorted({name for path in TEMPLATES for name in TAG.findall(path.read_text())})
WHOLE = re.compile(r'{% extends "|<html')
LINK = re.compile(r'\n  <link rel="modulepreload" [^>]*>')
SCRIPT_TAG = '<script type="module"\n   id="a" src="{}"></script>'


@pytest.mark.parametrize("script", SCRIPTS)
def test_page_names_every_import_of_a_script(script: str) -> None:
    page = SCRIPT_TAG.format(settings.STATIC_URL + script)
    named = modules_ahead(page)
    page += "".join(f'<link rel="modulepreload" href="{module}">' for module in named)
    assert missing_ahead(page) == []
    assert len(set(named)) == len(named)
    assert all(finders.find(module.removeprefix(settings.STATIC_URL)) for module in named)


def test_every_page_with_a_script_is_built_on_base() -> None:
    """So that its modules are named; a part of a page is included by one."""
    with_scripts = [path for path in TEMPLATES if "<script" in path.read_text()]
    whole = [path for path in with_scripts if "<html" in path.read_text()]
    assert [path.name for path in whole] == ["base.html"]
    others = [path for path in with_scripts if not WHOLE.search(path.read_text())]
    assert [path.name for path in others if not path.name.startswith("_")] == []


def test_missing_script_has_no_imports() -> None:
    assert modules_ahead(SCRIPT_TAG.format("/static/lessons/nowhere.js")) == []


def views_by_picture() -> list[tuple[str, View]]:
    """Return a view for each kind of picture and scale of colours that pages draw."""
    return list({(view.kind, view.scale): (entry.slug, view) for entry, view in IN_PAGE}.values())


@pytest.mark.browser
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize(
    ("encoding", "view"), views_by_picture(), ids=[view.kind for _, view in views_by_picture()]
)
def test_figure_loads_exactly_what_was_named(
    new_page: Callable[..., Page], live_server: LiveServer, encoding: str, view: View
) -> None:
    """Without the links, a browser that draws the picture loads the same modules by itself."""
    page = new_page(cold=True)
    named: set[str] = set()
    loaded: set[str] = set()

    def without_links(route: Route) -> None:
        answer = route.fetch()
        named.update(re.findall(r'rel="modulepreload" href="([^"]+)"', answer.text()))
        route.fulfill(response=answer, body=LINK.sub("", answer.text()))

    page.route(re.compile(r"/explore/"), without_links)
    page.on("request", lambda request: loaded.add(request.url.removeprefix(live_server.url)))
    page.goto(f"{live_server.url}/explore/?enc={encoding}/{view.slug}")
    page.wait_for_selector(".live--here")
    assert named
    assert sorted(named - loaded) == []
    drawing = {path for path in loaded if path.startswith("/static/figures/") and ".js" in path}
    assert sorted(drawing - named) == []
