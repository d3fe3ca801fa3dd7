"""The tables in docs/security.md name attacks, layers and tests that are there."""

import re

from tests.hostile.table import PAGE, names_in, other_attacks, runs_of, with_table
from tests.hostile.test_attacks import ATTACKS, tags

TEXT = PAGE.read_text(encoding="utf-8")
AROUND = {
    *("parser of the frame", "result forging", "the author sandbox", "the terminal"),
    *("HTML of the report", "the worker's queue", "an account", "other people's work"),
    *("the machine", "slow clients", "requests that are too large", "hosts", "the log"),
    *("request smuggling", "a class", "mail"),
}


def test_the_page_has_a_row_for_every_attack() -> None:
    assert with_table(TEXT) == TEXT, "run `python -m tests.hostile.table`"
    for path in ATTACKS:
        assert f"| {path.stem}" in TEXT
        assert tags(path)["STOPPED"]
        assert runs_of(path), path.stem


def test_the_tests_against_attacks_around_the_sandbox_exist() -> None:
    rows = list(other_attacks(TEXT))
    assert len(rows) > 30
    assert {family for _, family, _, _ in rows} == AROUND
    assert len({attack for attack, _, _, _ in rows}) == len(rows)
    for attack, _, layer, tests in rows:
        for file in re.findall(r"`([\w/]+\.py)`", layer):
            assert list(PAGE.parents[1].glob(f"quizzes/**/{file}")), f"{attack}: there is no {file}"
        assert tests, attack
        for test in tests:
            file, _, name = test.partition("::")
            assert name in names_in(file), f"{attack}: there is no {test}"
