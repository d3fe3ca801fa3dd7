"""Honest results of any kind are judged as results: never is their author told of descriptor 3.

The reader refuses every frame that the harness does not send. So the harness must be able to send
whatever code returns, raises or defines.
"""

import pytest

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Ending, Job
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox.supervisor import Supervisor

pytestmark = pytest.mark.sandbox

HEAD = """
import numpy as np
class Meta(type):
    @property
    def __name__(cls):
        return 5
class Odd(metaclass=Meta):
    pass
class Cut(str):
    def __getitem__(self, place):
        return 7
    def __str__(self):
        return self
class Long(list):
    def __len__(self):
        return 1 << 60
class Own(np.ndarray):
    @property
    def dtype(self):
        return "\\ud800"
    @property
    def shape(self):
        return "none"
class Array(float):
    def __array__(self, dtype=None, copy=None):
        return np.ones(3)
Named = type("\\U0001f600" * 99, (), {})
SMILE = "\\U0001f600"
FILE = "submission.py"
"""
RETURNED = {
    "a number and its text as keys": "{1: np.ones(2), '1': np.ones(3)}",
    "three keys of one text": "{1: np.ones(2), '1': np.ones(3), '1 (2)': np.ones(4)}",
    "keys that begin alike": "{'a' * 60: np.ones(2), 'a' * 61: np.ones(3), 'a' * 62: 1.0}",
    "keys that cannot be printed": "{'\\0': 1.0, '\\x1b': 2.0, '\\ud800': 3.0, '': 4.0}",
    "keys with dots": "{'a.b': 1.0, 'a': {'b': 2.0}}",
    "a metaclass with its own name": "Odd()",
    "a class with a long name": "Named()",
    "many classes with long names": "{SMILE * 50 + str(i): Named() for i in range(64)}",
    "deep keys": "{SMILE * 60: {SMILE * 60: {SMILE * 60: {SMILE * 60: 1.0}}}}",
    "a huge whole number": "2 ** 70",
    "one beyond int64": "2 ** 63",
    "no number": "float('nan')",
    "a truth": "True",
    "a complex number": "1 + 2j",
    "long doubles": "np.ones(3, np.longdouble)",
    "a long double": "np.longdouble(1)",
    "big-endian numbers": "np.ones(3, '>f8')",
    "half precision": "np.ones(3, 'f2')",
    "objects": "np.array([1, None, 'a'])",
    "text": "np.array(['a', 'b'])",
    "dates": "np.array(['2020-01-01'], 'M8[D]')",
    "records": "np.zeros(2, [('a', 'f4')])",
    "a record": "np.zeros(2, [('a', 'f4')])[0]",
    "a masked array": "np.ma.masked_array([1.0, 2.0], [True, False])",
    "a matrix": "np.matrix([[1.0]])",
    "an array with a dtype of its own": "np.ones(3).view(Own)",
    "a number that is an array": "Array(1.0)",
    "a text of a class of its own": "Cut('a')",
    "a list that lies about its length": "Long([1, 2])",
    "a range": "range(2 ** 60)",
    "a generator": "(i for i in range(3))",
    "a function": "len",
    "nothing": "None",
    "an empty list": "[]",
    "an empty dict": "{}",
    "no dimension": "np.array(1.0)",
    "no numbers": "np.ones((0, 3))",
    "32 dimensions": "np.ones((1,) * 32)",
    "many arrays of 32 dimensions": "[np.ones((1,) * 32) for _ in range(64)]",
    "an array that is too large": "np.ones(3 << 20)",
    "arrays too large together": "[np.ones(1 << 20) for _ in range(4)]",
    "a list in itself": "(lambda x: x.append(x) or x)([np.ones(1)])",
}
RAISED = {
    "a long message of emoji": "raise ValueError(SMILE * 100000)",
    "a message of NUL": "raise ValueError('\\0' * 100000)",
    "a message of quotes": "raise ValueError('\"' * 100000)",
    "a message of a class of its own": "raise ValueError(Cut('a'))",
    "an error with a long name": "raise type(SMILE * 99, (Exception,), {})('a')",
    "an error without a name": "raise Meta('E', (Exception,), {})('a')",
    "a line that is none": "e = SyntaxError('a'); e.filename, e.lineno = FILE, 'x'; raise e",
    "a line far away": "e = SyntaxError('a'); e.filename, e.lineno = FILE, 9**99; raise e",
    "a message that is none": "e = SyntaxError('a'); e.msg = 5; raise e",
    "a group": "raise ExceptionGroup('a', [ValueError('b')])",
}
LOADED = {
    "a name that is no text": "globals()[5] = HEAD = len",
    "names that cannot be printed": "globals()['\\ud800'] = type('a', (), {})",
    "something else": "f = Odd()",
}


def ending(student: Supervisor, source: str) -> tuple[Ending, str]:
    cases = (Case("shown", {"x": 1}, shown=True), Case("hidden", {"x": 2}))
    observed = read_run(student.run(Job(HEAD + source, "f", cases)), cases)
    return observed.ending, observed.detail


@pytest.mark.parametrize("result", RETURNED.values(), ids=RETURNED.keys())
def test_whatever_is_returned_is_a_result(student: Supervisor, result: str) -> None:
    assert ending(student, f"def f(x): return {result}") == (Ending.FINISHED, "")


@pytest.mark.parametrize("error", RAISED.values(), ids=RAISED.keys())
def test_whatever_is_raised_is_a_failure(student: Supervisor, error: str) -> None:
    for source in (f"def f(x):\n    {error}", error):
        assert ending(student, source) == (Ending.FINISHED, "")


@pytest.mark.parametrize("definition", LOADED.values(), ids=LOADED.keys())
def test_whatever_is_defined_is_told(student: Supervisor, definition: str) -> None:
    assert ending(student, definition) == (Ending.FINISHED, "")
