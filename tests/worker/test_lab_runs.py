"""Programs of the lab in the real sandbox: arrays as they are, errors as sentences."""

import math
from typing import Any

import numpy as np
import pytest
from django.utils import timezone

from quizzes.exercises.models import Submission
from quizzes.exercises.runs.samples import sample_of, submit_sample
from quizzes.grader.programs import Sample
from quizzes.grader.protocol.job import Sandbox
from quizzes.study.lab.starts import STARTS
from quizzes.worker.worker import Worker
from tests.exercises import making

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.sandbox, pytest.mark.slow]
NUMPY = "import numpy as np\n"


def outcome(code: str, sandbox: Sandbox, n: int = 16, d: int = 8) -> Sample:
    submit_sample(
        learner=making.new_learner(),
        code=code,
        call="f(n, d)",
        slider="n",
        places=[{"n": n, "d": d}],
        shapes=[(n, d)],
        version=None,
    )
    Submission.objects.update(scheduled_for=timezone.now())
    Worker().grade(making.lease(), sandbox)
    sample = sample_of(Submission.objects.select_related("run").latest("pk"))
    assert sample is not None
    return sample


@pytest.mark.parametrize("code", [start.code for start in STARTS])
def test_array_equals_a_direct_call(code: str, sandbox: Sandbox) -> None:
    names: dict[str, Any] = {}
    exec(code, names)
    (array,) = outcome(code, sandbox, n=64, d=32).arrays
    assert array is not None
    assert np.abs(array - names["f"](64, 32)).max() <= 1e-12


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("def f(n, d): return np.zeros((d, n))", "(8, 16); the figure draws (16, 8)"),
        ("def f(n, d): return np.zeros((n, d), complex)", "complex128"),
        ("def f(n, d): return np.full((n, d), None)", "object"),
        ("def f(n, d): return np.zeros((10**5, 10**4))", "more memory"),
        ("def f(n, d):\n while True: pass", "the limit is"),
        ("def f(n, d):\n while True: print('x' * 1000)", "printed more than"),
        ("def g(n, d): return np.zeros((n, d))", "name 'f' is not defined"),
        ("def f(n, d):\n import os\n os.write(3, b'x' * 99)\n return np.eye(n, d)", "descriptor 3"),
    ],
)
def test_error_is_a_sentence(code: str, said: str, sandbox: Sandbox) -> None:
    refused = outcome(NUMPY + code, sandbox)
    assert said in (refused.problem or refused.problems[0])
    assert refused.arrays == (None,)
    (array,) = outcome(STARTS[0].code, sandbox).arrays
    assert array is not None
    assert math.prod(array.shape) == 16 * 8


def test_prints_of_the_hand_come_back(sandbox: Sandbox) -> None:
    code = NUMPY + "def f(n, d):\n    print('called with', n)\n    return np.zeros((n, d))\n"
    assert outcome(code, sandbox, n=9).output == "called with 9\n"
    assert not outcome(code, sandbox).is_cut
    loud = outcome(code.replace("'called with', n", "('x' * 80 + '\\n') * 999"), sandbox)
    assert (len(loud.output), loud.is_cut) == (16_000, True)
