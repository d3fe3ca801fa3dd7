"""The numbers of docs/verdicts.md about relations, and that no right program has one."""

import pytest

from tests.grader.conftest import ROOT
from tests.shipped_exercises.folders import SLUGS
from tests.shipped_exercises.programs import right_codes
from tools.relation_table import KINDS, relation_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
PAGE = ROOT / "docs/verdicts.md"


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("slug", SLUGS)
def test_right_programs_have_no_relation(slug: str) -> None:
    said = {name: relation_of(slug, code) for name, code in right_codes(slug)}
    assert len(said) >= 2
    assert set(said.values()) == {""}


@pytest.mark.soak  # every known mistake is run
def test_the_page_counts_relations() -> None:
    text = PAGE.read_text(encoding="utf-8")
    for title, codes in KINDS:
        every = [(slug, code) for slug in SLUGS for _, code in codes(slug)]
        count = sum(bool(relation_of(slug, code)) for slug, code in every)
        assert f"| {title} | {count} of {len(every)} |" in text
