"""The page computes what Python computes: the same ticks and names, numbers to the rounding."""

import subprocess
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Page

from tests.browser import find_firefox
from tests.posenc.in_page.comparison import (
    bound_of,
    differences,
    expected_of,
    is_on_a_tie,
)
from tests.posenc.in_page.draws import GOLDEN, IN_PAGE, Draw, golden_draws, random_draws
from tests.posenc.in_page.page_server import STATIC, PageServer, serving

FEW, MANY = 3, 200  # drawn parameters of a view
MOST_ON_A_TIE = 0.02  # of the draws of a view
FIREFOX_SECONDS = 900


def test_every_view_of_the_page_has_a_module_and_golden_parameters():
    names = {f"{entry.slug}/{view.slug}" for entry, view in IN_PAGE}
    assert names == GOLDEN.keys()
    modules = {
        str(one.relative_to(STATIC / "figures/views")) for one in STATIC.rglob("views/*/*.js")
    }
    assert modules == {view.in_page for _, view in IN_PAGE}


@pytest.mark.slow
def test_chromium_computes_what_python_computes(page: Page):
    draws = [draw for both in IN_PAGE for draw in golden_draws(*both)]
    draws += [draw for both in IN_PAGE for draw in random_draws(*both, FEW)]
    with serving([draw.for_page() for draw in draws]) as server:
        page.goto(server.address)
        page.wait_for_function("() => document.title === 'Done'", timeout=120_000)
    require_parity(draws, server, least=3)


@pytest.mark.soak
@pytest.mark.parametrize("one", IN_PAGE, ids=[view.in_page for _, view in IN_PAGE])
def test_chromium_computes_what_python_computes_within_the_sliders(page: Page, one):
    draws = list(random_draws(*one, 2 * MANY))
    with serving([draw.for_page() for draw in draws]) as server:
        page.goto(server.address)
        page.wait_for_function("() => document.title === 'Done'", timeout=600_000)
    require_parity(draws, server, least=MANY)


@pytest.mark.soak
@pytest.mark.firefox
@pytest.mark.parametrize("one", IN_PAGE, ids=[view.in_page for _, view in IN_PAGE])
def test_firefox_computes_what_python_computes_within_the_sliders(tmp_path: Path, one):
    draws = [*golden_draws(*one), *random_draws(*one, 2 * MANY)]
    with serving([draw.for_page() for draw in draws]) as server:
        asked = [
            find_firefox(),
            "--headless",
            "--no-remote",
            "--profile",
            str(tmp_path),
            server.address,
        ]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
        with subprocess.Popen(asked, **quiet) as firefox:
            done = server.done.wait(FIREFOX_SECONDS)
            firefox.terminate()
    assert done, f"Firefox sent {len(server.results)} of {len(draws)} results"
    require_parity(draws, server, least=MANY)


def require_parity(draws: list[Draw], server: PageServer, *, least: int) -> None:
    """Hold each result of the page to Python's. Of each view `least` are compared or more."""
    assert len(server.results) == len(draws)
    compared, ties, wrong = Counter[str](), Counter[str](), []
    for number, draw in enumerate(draws):
        found = server.results[number]
        assert "error" not in found, f"{draw}: {found['error']}"
        if "data" not in found:
            continue  # too large for the page, which the server draws
        expected = expected_of(draw)
        apart = differences(found["data"], expected, bound_of(draw.selection, expected))
        compared[draw.name] += 1
        if apart and is_on_a_tie(draw.selection):
            ties[draw.name] += 1
        elif apart:
            wrong.append(f"{draw}: {'; '.join(apart)[:600]}")
    assert not wrong, "\n".join(wrong[:20])
    for name in {draw.name for draw in draws}:
        assert compared[name] >= least, name
        assert ties[name] <= MOST_ON_A_TIE * compared[name], name


def test_a_parameter_that_is_no_number_is_refused_by_name(page: Page):
    module = "sinusoidal/heatmap.js"
    draws = [
        {"module": module, "most": 10**6, "parameters": {"d_model": given}}
        for given in ("abc", "", "1e999")
    ]
    with serving(draws) as server:
        page.goto(server.address)
        page.wait_for_function("() => document.title === 'Done'")
    for draw, found in zip(draws, server.results.values(), strict=True):
        given = draw["parameters"]["d_model"]
        assert found["error"].startswith(f"RangeError: d_model={given}: must be a number")
