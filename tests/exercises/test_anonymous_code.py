"""A submission's code as a known mistake keeps it: nobody in it, and the same results."""

import re

import pytest

from quizzes.exercises.naming.anonymous_code import anonymous_code, remains_of
from quizzes.grader.judge.judge import grade_code
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import definition_of, variants

CODE = '''
"""Homework of Grace Hopper."""
__author__ = "grace.hopper@example.org"
import numpy as np  # thanks to Grace
from functools import partial

class HopperTable:
    """By Grace."""
    hopper_count: int = 2
    josé = b"Grace"
    def grace_rows(self, *, grace=0):
        "for grace"
        self.hopper = np.max(grace, axis=None)
        setattr(self, "lovelace", 1)
        return self.hopper * self.lovelace * HopperTable.hopper_count

def table(n, mode="max"):
    # Hopper, 2026
    f"Grace {n}"
    s1234567 = partial(HopperTable().grace_rows, grace=n)
    gracehopper = {"Grace": 1, **dict(ada=2)}
    match gracehopper:
        case {"Grace": li, **wu}:
            x = li + wu["ada"]
    try:
        "by ada"
    finally:
        "by grace"
    1234567
    if mode == "max":
        "left out by hopper"
    return s1234567() * x
'''
PEOPLE = re.compile("grace|hopper|ada|lovelace|jos|1234567|li|wu", re.IGNORECASE)
VOCABULARY = "def table(n, mode): return np.max(n)"


def test_nothing_says_who_wrote_it():
    text = anonymous_code(CODE, VOCABULARY)
    assert PEOPLE.findall(text.replace("finally", "")) == []
    assert "#" not in text


def test_program_gives_the_same():
    results = []
    for text in (CODE, anonymous_code(CODE, VOCABULARY)):
        names = {}
        exec(text, names)
        results.append(names["table"]([1, 5, 3]))
    assert results == [30, 30]


@pytest.mark.parametrize(
    "code",
    [
        "def f(x):\n    grace = 2\n    return x * grace\n",
        "def f(x, grace=2):\n    hopper = grace * x\n    return hopper\n",
        "def f(x):\n    name_1, grace = 2, x\n    return name_1 * grace\n",
        "from math import gcd\ndef f(x):\n    return gcd(x, 3) and 2 * x\n",
        "from math import gcd as grace\ndef f(x):\n    return grace(x, 3) and 2 * x\n",
        "class A:\n    size = 2\n    def shape(self):\n        return self.size\n"
        "def f(x):\n    return A().shape() * x\n",
        "def f(x):\n    grace = 0\n    def by():\n        nonlocal grace\n        grace = 2\n"
        "    by()\n    return x * grace\n",
        "def f(x):\n    return int(f'{x:>4d}') * len('%d %s' % (x, x) and 'by')\n",
    ],
)
def test_no_name_takes_the_place_of_another(code):
    text = anonymous_code(code, "def f(x): pass")
    names = {}
    exec(text, names)
    assert "grace" not in text
    if "len(" not in code:
        assert names["f"](3) == 6


MODULE = "class Base:\n    def __init__(self, length=1):\n        self.length = length\n"


@pytest.mark.parametrize(
    "code",
    [
        MODULE + "class A(Base):\n    def __init__(self, grace):\n"
        "        super().__init__(length=grace)\ndef f(x):\n    return A(grace=x).length\n",
        "class A:\n    def forward(self, x, mask2):\n        return x * mask2\n"
        "    def both(self, x, m):\n        return self.forward(x, mask2=m)\n"
        "def f(x):\n    return A().both(x, 2)\n",
        "def sum(grace, hopper):\n    return grace * hopper\n"
        "def f(x):\n    return sum(grace=x, hopper=2)\n",
        "def f(x):\n    rng, scale = np.random.default_rng(0), 2.0\n"
        "    return rng.normal(scale=scale) * x\n",
        "def f(x):\n    s, axis = np.sum, 0\n    return s(np.ones((x, 2)), axis=axis).tolist()\n",
        "def f(x):\n    axis = 0\n"
        "    return partial(np.sum, axis=axis)(np.ones((x, 2))).tolist()\n",
        "@dataclass\nclass A:\n    grace: int = 1\n"
        "def f(x):\n    return replace(A(grace=1), grace=x).grace\n",
        "def grace(row, hopper):\n    return row.sum() * hopper\n"
        "def f(x):\n    return np.apply_along_axis(grace, 0, np.ones(x), hopper=2).tolist()\n",
        "def grace(**kw):\n    return kw['hopper']\ndef f(x):\n    return grace(hopper=x)\n",
        "def grace(x, **kw):\n    return np.sum(x, **kw).tolist()\n"
        "def f(x):\n    axis = 0\n    return grace(np.ones((x, 2)), axis=axis)\n",
        "def f(x):\n    return np.linalg.norm(np.ones((x, x)), ord='fro').tolist()\n",
        "def f(x):\n    e = 'ij,jk->ik'\n"
        "    return np.einsum(e, np.eye(x), np.ones((x, x))).tolist()\n",
        "def f(x):\n    return float('1e9') + int('101', 2) + ord('a')\n",
        "def f(x):\n    return format(x, '08b') + '%.1f' % x + '{:.2f}'.format(x)\n",
        "def f(x):\n    sin = getattr(np, 'sin')\n    return sin(x).tolist()\n",
        "def f(x):\n    width = 7\n    return f'{x:{width}.2f}'\n",
    ],
)
def test_keywords_and_formats_give_the_same(code):
    begin = (
        "import numpy as np\nfrom functools import partial\n"
        "from dataclasses import dataclass, replace\n"
    )
    results = []
    for text in (begin + code, anonymous_code(begin + code, "def f(x): pass")):
        names = {"__name__": __name__}
        exec(text, names)
        results.append(names["f"](3))
    assert results[0] == results[1]


def test_keyword_of_an_unknown_call_is_listed():
    code = "def f(x, grace):\n    return x.anything(grace=grace)\n"
    text = anonymous_code(code, "def f(x): pass")
    assert text == code
    assert "grace" in remains_of(text, "def f(x): pass")


def test_letter_of_another_script_is_replaced():
    code = "def f(x):\n    李 = '王'\n    return 李\n"
    assert re.findall("[李王]", anonymous_code(code, "def f(x)")) == []
    assert remains_of(code, "def f(x)") == ["李", "'王'"]


def test_long_numbers_in_texts_are_replaced():
    for text in ("1234567", "123456", "%d 12345", "grace,ada->hopper"):
        assert text not in anonymous_code(f"def f(x):\n    return g({text!r})\n", "def f(x)")


def test_no_expression_is_compiled_per_text(monkeypatch):
    search, patterns = re.search, set()
    monkeypatch.setattr(re, "search", lambda p, t: patterns.add(p) or search(p, t))
    code = f"x = {[f'ab{number}' for number in range(50)]}"
    remains_of(anonymous_code(code, "def f(x)"), "def f(x)")
    remains_of(code, "def f(x)")
    assert len(patterns) <= 1


def test_names_and_texts_of_the_exercise_stay():
    code = "def table(mode):\n    return mode == 'max' or mode == 'float32' or max(mode)\n"
    assert anonymous_code(code, "def table(mode): 'max'") == code
    spec = "import numpy as np\n\ndef table(n):\n    return np.einsum('ab,bc->ac', n, n)\n"
    assert anonymous_code(spec, "def table(n)") == spec


@pytest.mark.parametrize(
    "code", ["def f(:", "A = 0x" + "f" * 5000, "A = " + "-" * 5000 + "1", "A = '\0'"]
)
def test_what_is_no_program_gives_no_code(code):
    assert anonymous_code(code, "") == ""
    assert remains_of(code, "") == []


def test_what_remains_is_listed():
    code = (
        "import grace_lib\nimport numpy as np\n"
        "def f(x, hopper=1):  # by ada\n    return np.sum(x) + x.wu + 1234567 + len('max')\n"
    )
    text = anonymous_code(code, "def f(x): 'max'").replace("max", "by")
    assert remains_of(text, "def f(x): 'max'") == ["grace_lib", "1234567", "'by'", "wu"]
    assert "# by ada" in remains_of(code, "")
    assert remains_of("x = 10000.0\n", "base=10000.0") == []


SEVERAL = [*(pair for pair in variants() if pair[0] in ("sinusoidal-table", "learned-positions"))]


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("slug", "mistake"),
    [
        pytest.param(*pair, marks=[pytest.mark.soak] * (pair not in SEVERAL[::6]))
        for pair in variants()
    ],
)
def test_anonymous_mistake_has_the_same_name(slug, mistake):
    """By the statement and the starter alone: the author's names and texts are a stranger's."""
    definition = definition_of(slug)
    files = (definition.statement, definition.starter, definition.below, definition.signature)
    code = anonymous_code(definition.wrong[mistake].source, "\n".join(files))
    report = grade_code(shared_pack(slug), code, shared_sandbox("student"))
    assert report.known_mistake
    assert report.known_mistake.slug == mistake
