"""The value functions: their table in the handbook, bounds, and a few against other ways."""

import inspect
import re
import time
from pathlib import Path

import numpy as np
import pytest

from quizzes.lessons.value_functions import MODULES
from quizzes.pages.values import ValueTextError, evaluate, value_functions, value_text
from tools.value_table import rows

HANDBOOK = Path(__file__).resolve().parents[2] / "docs" / "authoring.md"
ARITHMETIC = re.compile(r"^\| `\{\{ value (.*) \}\}` \| (.*) \|$", re.MULTILINE)
FUNCTIONS = [getattr(module, name) for module in MODULES for name in module.__all__]


def test_the_handbook_names_every_function() -> None:
    lines = HANDBOOK.read_text().splitlines()
    assert [line for line in lines if re.match(r"\| `\w", line)] == rows()


def test_the_arithmetic_of_the_handbook_gives_what_it_says() -> None:
    examples = ARITHMETIC.findall(HANDBOOK.read_text())
    assert len(examples) >= 5
    for expression, said in examples:
        assert value_text(expression).replace("\u202f", " ") == said


@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda function: function.__name__)
def test_every_function_is_known_takes_names_only_and_says_what_it_returns(function) -> None:
    assert value_functions()[function.__name__] is function
    assert function.__doc__.startswith("Return ")
    kinds = {one.kind for one in inspect.signature(function).parameters.values()}
    assert kinds <= {inspect.Parameter.KEYWORD_ONLY, inspect.Parameter.VAR_KEYWORD}


@pytest.mark.parametrize(
    ("call", "other_way"),
    [
        ("code(position=3, dimension=1, d_model=4)", np.cos(3)),
        ("wavelength(d_model=50, pair=3)", 2 * np.pi * 10000 ** (6 / 50)),
        ("wavelength(d_model=512, pair=-1, grid='tensor2tensor')", 2 * np.pi * 10000),
        ("dot_product(d_model=4, offset=5)", np.cos(5) + np.cos(0.05)),
        ("alibi_slope(n_heads=12, head=1)", 0.5),
        ("alibi_slope(n_heads=12, head=1, rule='geometric')", 2 ** (-8 / 12)),
        ("alibi_reach(n_heads=8, head=8)", 2560),
        ("t5_bucket(relative=-7)", 7),
        ("t5_bucket(relative=7)", 23),
        ("rope_turns(head_dim=128, positions=2048)", 41),
        ("rope_score(head_dim=4, distance=2)", (np.cos(2) + np.cos(0.02)) / 2),
        ("rope_temperature(factor=4)", 0.1 * np.log(4) + 1),
        ("rope_wavelength(head_dim=64, pair=0, scaling='linear', factor=4)", 8 * np.pi),
        ("distinct_positions(length=300, dtype='bfloat16')", 257 + 22),
        ("gap_at(number=5000, dtype='float16')", 4),
        ("held_as(number=65520, dtype='float32')", 65520),
        ("learned_numbers(encoding='learned', max_len=512, d_model=768)", 512 * 768),
        ("fact(encoding='alibi', view='penalties', name='reach')", 20),
        ("crossings(d_model=512, dimension=510, positions=1000)", 0),
    ],
)
def test_a_number_agrees_with_another_way(call, other_way) -> None:
    assert evaluate(call) == pytest.approx(other_way, rel=1e-9)


@pytest.mark.parametrize(
    ("call", "complaint"),
    [
        ("wavelength(d_model=50, pair=25)", "pair=25: must be between -1 and 24"),
        ("wavelength(d_model=1000000000, pair=0)", "d_model=1000000000: must be between 2 and"),
        ("closest_codes(d_model=64, positions=1000000000)", "positions=1000000000: must be"),
        ("shift_error(d_model=256, offset=1, positions=100000)", "positions=100000: must be"),
        ("distinct_positions(length=1000000000, dtype='float16')", "length=1000000000: must be"),
        ("fact(encoding='none', view='x', name='y')", "encoding=none: must be one of alibi"),
        ("fact(encoding='alibi', view='x', name='y')", "view=x: must be one of penalties"),
        ("fact(encoding='alibi', view='penalties', name='y')", "name=y: must be one of slope"),
        ("fact(encoding='alibi', view='slopes', name='y')", "name=y: must be one of (none here)"),
        ("fact(encoding='alibi', view='penalties', name='reach', d=1)", "d=1: is not a parameter"),
        ("learned_numbers(encoding='learned', max_len=1000000000)", "max_len=1000000000: must"),
        ("next_number(number=0, dtype='float16')", "number=0: must be above 0"),
    ],
)
def test_what_cannot_be_had_is_refused_at_once(call, complaint) -> None:
    started = time.monotonic()
    with pytest.raises(ValueTextError) as raised:
        evaluate(call)
    assert complaint in str(raised.value)
    assert time.monotonic() - started < 20, "it was tried"
