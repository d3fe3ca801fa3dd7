"""The place where a program leaves right ones: what it takes, and what must not bring it about."""

import ast
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cache
from itertools import count
from time import thread_time
from typing import Any

import numpy as np
import pytest

from quizzes.grader.programs.xray.first_difference import (
    FirstDifference,
    find_first_difference,
    may_be_right_at,
)
from quizzes.grader.programs.xray.place_search import MOST_BUSY, PlaceSearch
from quizzes.grader.programs.xray.recorded_tree import RecordedProgram
from quizzes.grader.programs.xray.right_solutions import RightRun, RightSolutions
from quizzes.grader.protocol.case import Argument, Case
from quizzes.grader.protocol.recording import (
    MOST_EXPRESSIONS,
    MOST_VALUES,
    RecordedExpression,
    RecordedValue,
    Recording,
    Span,
)
from quizzes.grader.protocol.wire import Array
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import definition_of

SLUG = "rope-angles"
CASE = Case("a case", {"n": 7, "head_dim": 8, "base": 10000.0}, shown=True)
HEAD = """import numpy as np

def rope_cos_sin(n, head_dim, base=10000.0):
    pairs = np.arange(head_dim // 2)
    exponents = -2 * pairs / head_dim
    turns = np.arange(n)[:, None] * base**exponents
"""
TAIL = "    return np.cos(angles), np.sin(angles)\n"
DEGREES = "    angles = np.deg2rad(turns)\n"
FAR = 1.5  # seconds of the processor: the clock's, with what one comparison takes


@cache
def right_run() -> tuple[RightSolutions, RightRun]:
    pack, author = shared_pack(SLUG), shared_sandbox("author")
    solutions = RightSolutions(definition_of(SLUG).right_sources, pack.entry, author)
    right = solutions.run(CASE)
    assert right is not None
    return solutions, right


def search_of(source: str) -> PlaceSearch:
    return PlaceSearch(source, shared_pack(SLUG).entry, shared_sandbox("student"), right_run()[0])


def place_in(source: str) -> str:
    """Return the text of a program's place, "" without one."""
    difference = search_of(source).find(right_run()[1])
    return text_at(source, difference) if difference else ""


def text_at(source: str, difference: FirstDifference) -> str:
    line, column, end_line, end = difference.place
    assert line == end_line
    return source.splitlines()[line - 1][column:end]


@pytest.mark.sandbox
class TestFlow:
    def test_control_has_a_place(self) -> None:
        assert place_in(HEAD + DEGREES + TAIL) == "np.deg2rad(turns)"

    @pytest.mark.parametrize(
        "lines",
        [
            "    with np.errstate():\n        angles = np.deg2rad(turns)\n",
            "    match np.deg2rad(turns):\n        case angles: pass\n",
            "    try:\n        angles = np.deg2rad(turns)\n    finally:\n        pass\n",
            "    angles = np.array([np.deg2rad(row) for row in turns])\n",
            "    angles = np.array(list(np.deg2rad(row) for row in turns))\n",
            "    angles = (lambda x: np.deg2rad(x))(turns)\n",
            "    def part():\n        yield np.deg2rad(turns)\n    angles = next(part())\n",
            "    class A:\n        x = np.deg2rad(turns)\n    angles = A.x\n",
            "    import functools\n    @functools.cache\n    def part():\n"
            "        return np.deg2rad(turns)\n    angles = part()\n",
            "    def part(*x):\n        return np.deg2rad(x[0])\n    angles = part(turns)\n",
            "    def part(**x):\n        return np.deg2rad(x['x'])\n    angles = part(x=turns)\n",
            "    def part(x):\n        return np.deg2rad(x)\n"
            "    angles = list(map(part, [turns]))[0]\n",
            "    def part(a, x):\n        a[:] = np.deg2rad(x)\n    angles = np.zeros_like(turns)\n"
            "    part(angles, turns)\n",
            "    angles = np.zeros_like(turns)\n    np.copyto(angles, np.deg2rad(turns))\n",
            "    angles = np.zeros_like(turns)\n    np.deg2rad(turns, out=angles)\n",
            "    angles = np.deg2rad(*[turns])\n",
        ],
    )
    def test_flow_that_is_not_followed_has_no_place(self, lines: str) -> None:
        assert place_in(HEAD + lines + TAIL) == ""

    @pytest.mark.parametrize(
        "lines",
        [
            "    angles = np.cbrt(turns**3)\n",
            "    def back(x):\n        return np.cbrt(x)\n    angles = back(turns**3)\n",
            "    cubes = {}\n    cubes['x'] = turns**3\n    angles = np.cbrt(cubes['x'])\n",
            "    whole = np.zeros((n, 4))\n    part = whole[:, :]\n    part[:] = turns**3\n"
            "    angles = np.cbrt(whole)\n",
            "    whole = np.zeros((n, 4))\n    part = whole.T\n    part += (turns**3).T\n"
            "    angles = np.cbrt(whole)\n",
            "    rows = []\n    for row in turns:\n        rows.append(row**3)\n"
            "    angles = np.cbrt(np.array(rows))\n",
            "    whole = np.zeros_like(turns)\n    of = {'a': whole}\n    of['a'][:] = turns**3\n"
            "    angles = np.cbrt(whole)\n",
            "    whole = np.zeros_like(turns)\n    same = None or whole\n    same[:] = turns**3\n"
            "    angles = np.cbrt(whole)\n",
            "    whole = np.zeros_like(turns)\n    two = [whole] + []\n    two[0][:] = turns**3\n"
            "    angles = np.cbrt(whole)\n",
            "    from numpy import swapaxes\n    whole = np.zeros_like(turns)\n"
            "    view = swapaxes(a=whole, axis1=0, axis2=1)\n    view[:] = (turns**3).T\n"
            "    angles = np.cbrt(whole)\n",
            "    cube = turns**3\n    def back(x=cube):\n        return np.cbrt(x)\n"
            "    angles = back()\n",
            "    cube = turns**3\n    angles = np.cbrt(eval('cube'))\n",
            "    cube = turns**3\n    angles = np.cbrt(locals()['cube'])\n",
        ],
    )
    def test_another_way_is_no_place(self, lines: str) -> None:
        """The cube is in no right solution, but leads to what is; then the sines are doubled."""
        tail = "    return np.cos(angles), np.sin(angles) * 2\n"
        assert place_in(HEAD + lines + tail) in ("", "np.sin(angles) * 2")

    def test_right_program_has_no_place(self) -> None:
        assert place_in(HEAD + "    angles = turns\n" + TAIL) == ""


@pytest.mark.sandbox
class TestRightSolutions:
    def test_solution_with_another_result_is_not_used(self) -> None:
        """What is right elsewhere may be wrong on this call."""
        reference, *further = definition_of(SLUG).right_sources
        pack, author = shared_pack(SLUG), shared_sandbox("author")
        wrong = HEAD + DEGREES + TAIL
        right = RightSolutions((reference, wrong, *further), pack.entry, author).run(CASE)
        assert right is not None
        assert [program.source for program in right.programs] == [reference, *further]

    def test_text_of_right_solutions_does_not_count(self) -> None:
        """So nobody learns it by trying: the same values under other names give the same place."""
        wrong = HEAD + DEGREES + TAIL
        _, recording = search_of(wrong).record(CASE)
        right = right_run()[1]
        places = [
            find_first_difference(RecordedProgram(wrong, recording), programs, CASE)
            for programs in (right.programs, [other_names(item) for item in right.programs])
        ]
        assert places[0] is not None
        assert places[1] is not None
        assert places[0].place == places[1].place

    def test_much_time_leaves_no_second_case(self) -> None:
        """And without its word there is no place."""
        search = search_of(HEAD + DEGREES + TAIL)
        assert search.find(right_run()[1], [replace(CASE, label="another")]) is not None
        search.busy = MOST_BUSY
        assert search.find(right_run()[1], [replace(CASE, label="another")]) is None


def other_names(program: RecordedProgram) -> RecordedProgram:
    """Return a program whose names and attributes are others of the same length."""
    numbers = count()
    names: dict[str, str] = {}

    def renamed(name: str) -> str:
        if name not in names:
            names[name] = "q" * max(len(name) - 2, 0) + f"{next(numbers):02}"[-len(name) :]
            if not names[name].isidentifier():
                names[name] = name
        return names[name]

    lines = program.source.split("\n")
    for node in ast.walk(ast.parse(program.source)):
        if isinstance(node, ast.Name):
            row = lines[node.lineno - 1]
            end = node.col_offset + len(node.id)
            lines[node.lineno - 1] = row[: node.col_offset] + renamed(node.id) + row[end:]
    text = "\n".join(lines)
    assert text != program.source
    return RecordedProgram(text, program.recording)


# ---- forged recordings: whatever a program sends

NUMBERS = np.linspace(0.1, 5, 12).reshape(3, 4)


def array(numbers: Array) -> RecordedValue:
    return RecordedValue("array", "ndarray", numbers.dtype.name, numbers.shape, numbers=numbers)


def expression(span: Span, *values: RecordedValue) -> RecordedExpression:
    return RecordedExpression((span,), max(1, len(values)), values, has_last=True)


RIGHT = RecordedProgram(
    "x * 2",
    Recording(
        (expression((1, 0, 1, 1), array(NUMBERS)), expression((1, 0, 1, 5), array(-NUMBERS)))
    ),
)
PART, WHOLE = (1, 4, 1, 5), (1, 4, 1, 9)


def forged(
    *more: RecordedExpression, source: str = "", value: RecordedValue | None = None
) -> FirstDifference | None:
    """Search `y = x * 3`, whose part is right and whose value is not, before more of a program."""
    items = (expression(PART, array(NUMBERS)), expression(WHOLE, value or array(NUMBERS * 7.77)))
    program = RecordedProgram(f"y = x * 3\n{source}", Recording((*more, *items)))
    return find_first_difference(program, [RIGHT], Case("a case"))


def test_honest_recording_has_a_place() -> None:
    difference = forged()
    assert difference is not None
    assert (difference.place, difference.part) == (WHOLE, PART)
    assert difference.right is not None
    assert difference.right.numbers is not None
    assert np.array_equal(difference.right.numbers, -NUMBERS)


MANY_NAMES = ",".join(f"n{n}" for n in range(5_000))
SOME_NAMES = ",".join(f"n{n}" for n in range(60))


def long_texts() -> Iterator[str]:
    yield "y = x * 3\nz = y\n" + "z = z\n" * 4_000  # each reads all others
    yield "def junk():\n z = y\n" + " z = z + z\n" * 4_000
    yield "y = " + "+".join(["x"] * 5_000) + "\n"
    yield "y = " + "-" * 1_500 + "x\n"
    yield "y = " + "(" * 150 + "x" + ")" * 150 + "\n"
    yield "".join(f"def f{n}(z):\n return f{n + 1}(z)\n" for n in range(2_000))
    yield f"if 0:\n {MANY_NAMES} = {MANY_NAMES}\n"
    yield "if 0:\n" + "".join(f" {SOME_NAMES} = {SOME_NAMES}\n" for _ in range(200))


@pytest.mark.parametrize("source", list(long_texts()), ids=range(8))
@pytest.mark.parametrize("doubtful", [1, 300])
def test_long_text_ends_in_time(source: str, doubtful: int) -> None:
    odd = [expression((n + 2, 0, n + 2, 1), array(NUMBERS * n * 3.3)) for n in range(doubtful)]
    begun = thread_time()
    forged(*odd, source=source)
    assert thread_time() - begun < FAR


def test_many_lists_end_in_time() -> None:
    """Texts are parsed before anything is compared."""
    numbers = RecordedValue("list", "list", text=f"[{'1,' * 90}]")
    values = [*[numbers] * (MOST_VALUES - 1), RecordedValue("object", "A")]
    many = [expression((n + 2, 0, n + 2, 1), *values) for n in range(MOST_EXPRESSIONS)]
    begun = thread_time()
    forged(*many)
    assert thread_time() - begun < FAR


@pytest.mark.parametrize("cells", [4, 4096, 1 << 18])
def test_one_array_many_times_ends_in_time(cells: int) -> None:
    """An honest recorder keeps each array once, and no larger one whole."""
    numbers = array(np.random.default_rng(1).random(cells))
    many = [expression((1, 0, 1, 1), *[numbers] * MOST_VALUES) for _ in range(MOST_EXPRESSIONS)]
    begun = thread_time()
    difference = forged(*many)
    assert thread_time() - begun < FAR
    if cells == 4096:
        assert difference is None
        assert may_be_right_at((1, 0, 1, 1), Recording(tuple(many)), [RIGHT], CASE)
    if cells > 4096:  # not compared
        assert difference is not None


def odd_values() -> Iterator[RecordedValue]:
    for text in (
        "{[]: 1}",
        "[" * 95 + "]" * 95,
        "(1)(2)",
        "[1e999, 2]",
        f"[{'9' * 190}]",
        "[-",
        "",
    ):
        yield RecordedValue("list", "list", text=text)
    for text in ("nan", "(1+2j)", "1_0", "٩", "True", "many", "", "9" * 190):
        yield RecordedValue("number", text=text)
    lists: list[list[Any]] = [[], [[], []], [np.nan] * 3, [np.inf, -np.inf, 1.0], [1e308, -1e308]]
    for numbers in (*lists, [1 + 1j, 2]):
        yield array(np.array(numbers))
    for dtype in ("bool", "int8", "uint64", "float16", "complex64"):
        yield array(np.array([1, 0, 1]).astype(dtype))
    yield RecordedValue("array", "ndarray", "float64", (1 << 50, 8))
    yield RecordedValue("silent")
    yield RecordedValue("object", "A")


@pytest.mark.parametrize("value", list(odd_values()), ids=str)
def test_odd_value_breaks_nothing(value: RecordedValue) -> None:
    forged(expression((1, 0, 1, 1), value), expression((1, 0, 1, 1), value, array(NUMBERS)))
    forged(value=value)
    odd = RecordedProgram(RIGHT.source, Recording((expression((1, 0, 1, 1), value),)))
    own = RecordedProgram(
        "y = x * 3\n", Recording((expression(PART, value), expression(WHOLE, value)))
    )
    find_first_difference(own, [RIGHT, odd], CASE)


@pytest.mark.parametrize("argument", [10**30, True, None, "text", np.zeros((0, 3))], ids=str)
def test_odd_argument_breaks_nothing(argument: Argument) -> None:
    own = RecordedProgram("y = x * 3\n", Recording((expression(PART, array(NUMBERS)),)))
    find_first_difference(own, [RIGHT], Case("a case", {"x": argument}))


@pytest.mark.parametrize("error", [TypeError, RecursionError, MemoryError, ValueError])
def test_error_in_comparing_means_no_place(
    error: type[Exception], monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(*_: object) -> Callable[..., object]:
        raise error

    monkeypatch.setattr("quizzes.grader.programs.xray.value_relations._series", fail)
    assert forged() is None
    assert may_be_right_at(PART, RIGHT.recording, [RIGHT], CASE)
