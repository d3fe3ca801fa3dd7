"""An exercise whose probes compare no numbers is not published."""

from dataclasses import replace

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.compared_looks import look_problems, untimed_warnings
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.job import Sandbox
from tests.grader.shipped import definition
from tests.shared_sandboxes import shared_pack

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

SLUG = "sinusoidal-module"


def packs(keep: str = "") -> list[CasePack]:
    """Two drawings, without the drawn dropout where another label is to be kept."""
    both = [shared_pack(SLUG, seed) for seed in (3, 4)]
    drawn = "drawn: dropout, in training"
    return [pack.keep([case.label != drawn or not keep for case in pack.cases]) for pack in both]


def test_a_shipped_module_has_no_problem() -> None:
    assert list(look_problems(packs())) == []
    assert list(untimed_warnings(packs()[0])) == []


def test_dropout_at_known_rates_alone_is_refused() -> None:
    (problem,) = look_problems(packs("known rates"))
    assert problem.startswith("cases.py: 'dropout, in training': dropout is checked only at known")


def test_a_rate_that_is_drawn_and_shown_is_known() -> None:
    shown = [
        replace(pack, cases=tuple(replace(case, shown=True) for case in pack.cases))
        for pack in packs()
    ]
    (problem,) = look_problems(shown)
    assert "known rates" in problem


CASES = """
import numpy as np
from ordinal_exercise import Case
def cases(rng):
    made = {"init": {"max_len": 4, "d_model": 3}, "fill": FILL}
    x = {"x": np.ones((1, 4, 3), "f4")}
    yield Case("a", x, shown=True, identify=True, probe="call_eval", **{**made, "fill": True})
    y = {"x": 2 * x["x"]}
    yield Case("b", y, identify=True, probe="call_eval", **{**made, "fill": True})
    for probe in ("call_half", "rows_unique", "time"):
        yield Case(probe, x, probe=probe, **made)
"""


@pytest.mark.parametrize("fill", [True, False])
def test_a_module_that_learns_is_filled_or_refused(fill: bool, author: Sandbox) -> None:
    """A published one goes on: what two right modules differ in is not compared."""
    cases = CASES.replace("FILL", str(fill))
    changed = replace(definition("learned-positions"), cases=cases, wrong={})
    pack = build_case_pack(changed, author, seed=1)
    problems, warned = list(look_problems([pack])), list(untimed_warnings(pack))
    assert [problem.split(": ")[1] for problem in problems] == (
        [] if fill else ["'call_half'", "'rows_unique'"]
    )
    assert len(warned) == (0 if fill else 1)
    probes = {case.probe: place for place, case in enumerate(pack.cases)}
    keys = pack.expected[probes["rows_unique"]].leaves.keys()
    assert ("look.0" in keys) is fill


FEW = """
import numpy as np
from ordinal_exercise import Case
def cases(rng):
    def case(label, length, probe, **more):
        init = {"d_model": 4, "max_len": 64, "dropout": 0.1}
        return Case(label, {"x": np.ones((1, length, 4), "f4")}, init=init, probe=probe, **more)
    yield case("a", 3, "call_eval", shown=True, identify=True)
    yield case("b", 5, "call_eval", identify=True)
    yield case("few", 35, "call_twice_train")
    yield case("enough", 36, "call_twice_train")
"""


def test_dropout_of_few_numbers_is_refused(author: Sandbox) -> None:
    """At the rate 0.1 chance may always explain what happens to 142 numbers, and not to 143."""
    changed = replace(definition("sinusoidal-module"), cases=FEW, wrong={})
    pack = build_case_pack(changed, author, seed=1)
    (few, known) = look_problems([pack, pack])
    assert few.endswith("is checked on 140 numbers that are not 0, expected at least 143")
    assert "known rates" in known


LARGE = """
import numpy as np
from ordinal_exercise import Case
def cases(rng):
    yield Case("a", {"n": 3, "d": 4}, shown=True, identify=True)
    yield Case("b", {"n": 5, "d": 4}, identify=True)
    yield Case("large", {"n": NUMBERS, "d": 1}, probe="time")
"""
HALVES = """
import numpy as np
def sinusoidal_table(n, d, base=10000.0):
    return np.zeros((n, d), "f4")
"""


@pytest.mark.parametrize(("numbers", "problems"), [(1 << 20, 0), ((1 << 20) + 1, 1)])
def test_time_counts_for_results_that_travel(numbers: int, problems: int, author: Sandbox) -> None:
    """Right code may return float64, which takes twice the bytes of the reference's float32."""
    cases = LARGE.replace("NUMBERS", str(numbers))
    changed = replace(definition("sinusoidal-table"), cases=cases, reference=HALVES, wrong={})
    for at_most in (None, 20.0):
        pack = build_case_pack(replace(changed, speed_at_most=at_most), author, seed=1)
        said, warned = list(look_problems([pack])), list(untimed_warnings(pack))
        assert len(warned) == problems
        assert all("time a smaller input" in str(words) for words in warned)
        assert len(said) == (problems if at_most else 0)
        assert all("the result is not compared" in words for words in said)
