"""The table in docs/security.md is the one that the attacks make."""

from tests.hostile.table import PAGE, with_table
from tests.hostile.test_attacks import ATTACKS, tags


def test_the_page_has_a_row_for_every_attack() -> None:
    text = PAGE.read_text(encoding="utf-8")
    assert with_table(text) == text, "run `python -m tests.hostile.table`"
    for path in ATTACKS:
        assert f"| {path.stem}" in text
        assert tags(path)["STOPPED"]
