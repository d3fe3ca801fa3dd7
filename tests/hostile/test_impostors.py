"""No impostor solves an exercise: what numbers can show is compared as numbers.

Half precision full of NaN, dropout of one half whatever its rate, modules that learn nothing and
biases with noise beside one huge constant were all correct once, and modules that are wrong in
training mode or give gradients to other numbers; calls that returned nothing while
they were timed were praised for their speed, and a table of old answers was as good as a rule.
"""

from dataclasses import replace

import pytest

from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from tests.hostile.impostors import IMPOSTORS, RIGHT
from tests.hostile.module_impostors import FAMILIES
from tests.hostile.module_impostors import RIGHT as RIGHT_MODULES
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import definition_of

WRONG_UNTIMED = {"dropout", "half precision", *FAMILIES}  # right where they are timed
pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


@pytest.mark.covering(most=8)
@pytest.mark.parametrize("name", IMPOSTORS)
@pytest.mark.parametrize("seed", [3, 4])
def test_no_impostor_solves_its_exercise(name: str, seed: int) -> None:
    impostor = IMPOSTORS[name]
    pack = shared_pack(impostor.exercise, seed)
    report = grade_code(pack, impostor.source, shared_sandbox("student"))
    assert report.verdict in (Verdict.WRONG, Verdict.KNOWN_MISTAKE), report.first_fault
    assert report.speed is None or impostor.family in WRONG_UNTIMED


@pytest.mark.parametrize(("slug", "source"), [*RIGHT.items(), *RIGHT_MODULES.items()])
def test_what_impostors_are_made_of_is_right(slug: str, source: str) -> None:
    report = grade_code(shared_pack(slug), source, shared_sandbox("student"))
    assert report.verdict is Verdict.CORRECT, report.first_fault


@pytest.mark.soak  # as much as chance may do in the gate: test_drop_count computes the rest
def test_right_dropout_is_right_in_every_run() -> None:
    pack, reference = shared_pack("sinusoidal-module"), definition_of("sinusoidal-module").reference
    for seed in range(300):
        for code in (reference, RIGHT["sinusoidal-module"]):
            report = grade_code(replace(pack, seed=seed), code, shared_sandbox("student"))
            assert report.verdict is Verdict.CORRECT, (seed, report.first_fault)
