"""Content names pictures of the catalogue alone: nobody's numbers are drawn in a lesson."""

import pytest
from django.http import Http404
from django.test import Client

from quizzes.lessons.figures.figure_params import initial_of
from quizzes.pages.blocks import page_problems, parse_page
from quizzes.study.lab.numbers import run_slug, shared_slug
from tests import factories
from tests.study.lab.lab_runs import a_table, page_of, run, share

pytestmark = [pytest.mark.django_db(transaction=True)]
FIGURE = "```figure\nid: a\nencoding: {slug}\nview: heatmap\n```\n"
PREDICT = """```predict
id: a
encoding: {slug}
view: heatmap
question: What changes?
options:
  - {{text: More, right: true, reason: It has more rows.}}
  - {{text: Less, reason: It has more rows.}}
change: {{positions: 4}}
```
"""


@pytest.mark.parametrize("block", [FIGURE, PREDICT])
@pytest.mark.parametrize("kind", ["run", "shared"])
def test_content_names_no_own_numbers(kind: str, block: str) -> None:
    browser = factories.create_browser("ada")
    row = run(browser, a_table())
    slug = run_slug(row) if kind == "run" else shared_slug(share(browser, row))
    assert browser.get(page_of(row)).status_code == 200
    problems = [
        str(problem) for problem in page_problems(parse_page(block.format(slug=slug), path="a.md"))
    ]
    assert any(f"no encoding {slug!r}" in problem for problem in problems), problems
    with pytest.raises(Http404):
        initial_of({"encoding": slug, "view": "heatmap"})
    assert Client().get(f"/figures/{slug}/heatmap.svg").status_code == 404
