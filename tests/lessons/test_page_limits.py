"""The page draws no picture that the server refuses, and refuses none that the server draws."""

import random
from typing import Any

import pytest
from playwright.sync_api import Page
from posenc.errors import QueryError
from posenc.parameters import Parameter
from posenc.query import all_parameters, read_query

from quizzes.lessons.figures.controls import limits_of
from tests.posenc.in_page.draws import IN_PAGE
from tests.posenc.in_page.page_server import serving

DRAWS = 60  # of a view
IN_THE_PAGE = """
async ({ module, limits, most, draws }) => {
  const { areTaken } = await import("/figures/numbers/parameters.js");
  const view = await import(`/figures/views/${module}`);
  const isDrawn = (one) => areTaken(one, limits) && !view.refuses?.(one) && view.cells(one) <= most;
  return draws.map((one) => (areTaken(one, limits) && !view.refuses?.(one) ? isDrawn(one) : null));
}
"""


def drawn(parameter: Parameter, rng: random.Random) -> str:
    """Return a text around the limits of a parameter: mostly within, at the ends, just beyond."""
    if parameter.kind is bool:
        return rng.choice(("true", "false", "true", "maybe"))
    if parameter.choices:
        return rng.choice((*parameter.choices, *parameter.choices, "other"))
    low, high = parameter.web_limits
    low, high = low or 0, 10**6 if high is None else high
    inside = parameter.slider[:2] if parameter.slider else (low, high)
    value = rng.choice(
        (low, high, *inside, low - 1, high + 1, *(rng.uniform(*inside) for _ in range(8)))
    )
    return str(int(value)) if parameter.kind is int or rng.random() < 0.2 else repr(float(value))


@pytest.mark.slow
@pytest.mark.covering(most=3)
@pytest.mark.parametrize("one", IN_PAGE, ids=[view.in_page for _, view in IN_PAGE])
def test_the_page_and_the_server_refuse_the_same(page: Page, one: Any) -> None:
    entry, view = one
    usual = read_query(entry, view, {})
    known = all_parameters(usual)
    rng = random.Random(view.in_page)
    draws = []
    for _ in range(DRAWS):
        texts = {each.name: each.format(usual.values()[each.name]) for each in known}
        for each in rng.sample(known, min(2, len(known))):
            texts[each.name] = drawn(each, rng)
        draws.append(texts)
    with serving([]) as server:
        page.goto(server.address)
        given = {"module": view.in_page, "limits": limits_of(usual), "most": view.in_page_cells}
        found = page.evaluate(IN_THE_PAGE, {**given, "draws": draws})
    refused = 0
    for texts, is_drawn in zip(draws, found, strict=True):
        try:
            selection = read_query(entry, view, texts)
        except QueryError:
            refused += 1
            assert is_drawn is None, f"the page takes what the server refuses: {texts}"
            continue
        assert is_drawn is not None, f"the page refuses what the server takes: {texts}"
        if is_drawn:
            selection.compute()  # nor is it too large for the server
    assert 3 <= refused < DRAWS


@pytest.mark.slow
@pytest.mark.parametrize(
    ("module", "texts"),
    [
        ("t5_bias/staircase.js", {"num_buckets": "64", "max_distance": "32"}),
        ("rope/turns.js", {"scaling": "yarn", "base": "1"}),
        ("rope/scores.js", {"scaling": "yarn", "base": "1"}),
    ],
)
def test_parameters_that_exclude_each_other_are_refused_in_the_page(
    page: Page, module: str, texts: dict[str, str]
) -> None:
    entry, view = next(each for each in IN_PAGE if each[1].in_page == module)
    usual = read_query(entry, view, {})
    known = {one.name: one.format(usual.values()[one.name]) for one in all_parameters(usual)}
    if "num_buckets" in texts:
        texts = {**texts, "bidirectional": "false"}
    with serving([]) as server:
        page.goto(server.address)
        ask = "async ([module, one]) => (await import(`/figures/views/${module}`)).refuses(one)"
        assert page.evaluate(ask, [module, {**known, **texts}]) is True
        assert page.evaluate(ask, [module, known]) is False
    values = {one.name: one.kind(texts[one.name]) for one in entry.parameters if one.name in texts}
    values |= {"bidirectional": False} if "bidirectional" in texts else {}
    with pytest.raises(Exception, match="must be"):
        entry.encoding(**values)
