"""Each slip of one exercise is looked for in its neighbours: tools/slips.yaml is whole."""

from collections.abc import Mapping

import pytest

from tests.grader.conftest import ROOT
from tests.shipped_exercises.folders import SLUGS, definition_of
from tools.slip_table import (
    TABLE,
    SlipTable,
    known_mistakes,
    main,
    problems,
    read_slips,
    rows,
    summary,
)

SMALL = """
has:
  table: [exponent]
  mask: [queries]
slips:
  - slip: The exponent is divided with //.
    needs: [exponent]
    in: {table: int_exponent}
  - slip: Queries are counted from 1.
    needs: [queries, exponent]
    in: {mask: [from_one, both_from_one]}
    not: {table: positions are counted elsewhere}
"""
KNOWN = {
    "table": frozenset({"int_exponent", "alone"}),
    "mask": frozenset({"from_one", "both_from_one"}),
}


def shipped() -> SlipTable:
    return read_slips(TABLE.read_text(encoding="utf-8"))


def test_every_place_of_the_table_is_filled() -> None:
    assert list(problems(shipped(), known_mistakes())) == []


def test_known_mistakes_are_those_that_verification_reads() -> None:
    read = {slug: frozenset(definition_of(slug).wrong) for slug in SLUGS}
    assert known_mistakes() == read


def test_a_slip_stands_in_one_row_alone() -> None:
    table = shipped()
    words = [slip.words for slip in table.slips]
    assert len(set(words)) == len(words)


def test_the_page_says_how_full_the_table_is() -> None:
    page = (ROOT / "docs/verdicts.md").read_text(encoding="utf-8")
    assert summary(shipped(), known_mistakes()) in " ".join(page.split())


@pytest.mark.parametrize(
    ("change", "problem"),
    [
        (("{table: int_exponent}", "{table: gone}"), "table: there is no wrong/gone.py"),
        (("    not: {table: positions are counted elsewhere}\n", ""), "expected files of wrong/"),
        (("  mask: [queries]\n", ""), "`has` has no line for it"),
        (("  mask: [queries]\n", "  mask: [queries]\n  new: [queries]\n"), "no such exercise"),
        (("{table: int_exponent}", "{table: int_exponent, mask: from_one}"), "has none of"),
        (("[queries]\n", "[queries, dtype]\n"), "it has dtype, which no slip needs"),
        (("not: {table:", "not: {mask: no, table:"), "files and a reason why there is none"),
    ],
)
def test_each_gap_is_told(change: tuple[str, str], problem: str) -> None:
    assert list(problems(read_slips(SMALL), KNOWN)) == []
    assert change[0] in SMALL
    told = list(problems(read_slips(SMALL.replace(*change)), KNOWN))
    assert any(problem in line for line in told), told


def test_an_exercise_that_is_new_must_be_filled() -> None:
    grown: Mapping[str, frozenset[str]] = {**KNOWN, "new": frozenset()}
    table = read_slips(SMALL.replace("  mask:", "  new: [exponent]\n  mask:"))
    assert len(list(problems(table, grown))) == 2


def test_rows_say_files_and_reasons() -> None:
    table = read_slips(SMALL)
    printed = [line.split(maxsplit=1) for line in rows(table, ["mask", "table"])]
    assert printed[1] == ["mask", "(no exponent)"]
    assert printed[2] == ["table", "int_exponent"]
    assert printed[4] == ["mask", "from_one, both_from_one"]
    assert printed[5] == ["table", "(positions are counted elsewhere)"]
    assert summary(table, KNOWN) == (
        "2 slips, looked for in 3 of 4 places: 2 have a known mistake and 1 a reason. "
        "3 of 4 known mistakes are in a row."
    )


def test_the_command_prints_one_exercise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["slip_table.py", "inv-freq"])
    assert main() == 0
    printed = capsys.readouterr().out
    assert "inv-freq                freq_half" in printed
    assert "rope-angles" not in printed
    assert summary(shipped(), known_mistakes()) in printed


def test_the_command_refuses_what_is_no_exercise(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("sys.argv", ["slip_table.py", "nowhere"])
    with pytest.raises(SystemExit):
        main()
    assert "nowhere: `has` of slips.yaml has no line for it" in capsys.readouterr().err
