"""A submission's code as a known mistake keeps it: nobody in it, and the same results."""

from quizzes.exercises.naming.anonymous_code import anonymous_code

CODE = '''
"""Homework of Grace Hopper."""
__author__ = "grace.hopper@example.org"
import numpy as np  # thanks to Grace

class HopperTable:
    """By Grace."""
    def grace_rows(self, n):
        "for grace"
        self.hopper = np.max(n)
        return self.hopper

def table(n, mode="max"):
    # Hopper, 2026
    graceAngles = HopperTable().grace_rows(n)
    if mode == "max":
        "left out by hopper"
    return graceAngles
'''


def test_nothing_says_who_wrote_it():
    text = anonymous_code(CODE, ["Grace Hopper", "ghopper"], "def table(n, mode): return np.max(n)")
    assert "grace" not in text.lower()
    assert "hopper" not in text.lower()
    assert "#" not in text


def test_program_gives_the_same():
    said = {}
    for text in (CODE, anonymous_code(CODE, ["Grace Hopper"], "")):
        names = {}
        exec(text, names)
        said[text] = names["table"]([1, 5, 3])
    assert set(said.values()) == {5}


def test_words_of_the_exercise_stay():
    code = "def table(mode):\n    return mode == 'max' or max(mode)\n"
    assert anonymous_code(code, ["Max Table", "Mode"], "mode: 'max' or 'table'") == code


def test_no_program_gives_no_code():
    assert anonymous_code("def f(:", [], "") == ""
