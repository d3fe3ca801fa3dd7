"""Programs that note their expressions: they do what they did before, and the values are theirs."""

import builtins
import contextlib
import io
import linecache
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from quizzes.grader.inside.failures import OutOfTime
from quizzes.grader.inside.instrument import MOST_PLACES, NOTE, instrument
from quizzes.grader.inside.recorder import MOST_CELLS, MOST_PASSES, Recorder, _Ranges, keep
from quizzes.grader.protocol.wire import Bounds, decode

# Programs that would notice if anything were evaluated twice, in another order or not at all.
PROGRAMS = {
    "truth": """
class Noisy:
    def __init__(self, name, truth): self.name, self.truth = name, truth
    def __bool__(self):
        print("bool", self.name)
        return self.truth
    def __lt__(self, other):
        print(self.name, "<", other.name)
        return Noisy(self.name + other.name, self.truth)
    def __getattr__(self, name):
        print("get", name)
        return self
    def __getitem__(self, place):
        print("item", place)
        return self
a, b, c = Noisy("a", False), Noisy("b", True), Noisy("c", True)
if a and b or c: print("then")
if a < b < c: print("less")
if b < c and not a: print("not")
while b:
    print(a.x.y[1:2, ...].z is a)
    break
print("x" if a else "y", [n.name for n in (a, b) if n], bool(a or b))
assert b, print("never")
""",
    "order": """
def f(name, value=None):
    print(name)
    return value if value is not None else {}
f("target")[f("key")  or 1] = f("value")
f("a", [0, 1])[f("i", 0)] += f("b", 2)
x = y = f("both", 5)
x, (y, *z) = f("tuple", (1, (2, 3, 4)))
print(f("p", 1) < f("q", 2) < f("r", 1) < f("never", 0))
print(*f("args", (1, 2)), **f("kwargs", {"sep": "-"}))
if (n := f("walrus", 3)) > 2: print(n, [m := n + 1 for _ in range(2)], m)
del x, z[f("del", 0)]
""",
    "scopes": """
from __future__ import annotations
import functools
class Space(dict):
    def __getitem__(self, key):
        print("read", key)
        return super().__getitem__(key)
class Meta(type):
    @classmethod
    def __prepare__(cls, name, bases): return Space()
class A(metaclass=Meta):
    '''Doc.'''
    one: int = 1
    two = one + 1
    __private = 3
    def __init__(self, x: no_such_name = 4) -> neither: self.__x = x
    @property
    def value(self): return self.__x + A.__private
class B(A):
    def __init__(self): super().__init__(5)
    @functools.lru_cache
    def cached(self, n):
        '''Cached.'''
        return n + self.value
print(B().value, A.__doc__, B.cached.__doc__, A.__init__.__annotations__, B().cached(1))
def outer():
    count = 0
    def inner(step=1):
        nonlocal count
        count += step
        return count
    global total
    total = inner() + inner(2)
    return inner
outer()(3); print(total, sorted(vars()))
""",
    "annotations": """
def f(x: int = 1, *, y: "later" = 2) -> tuple[int, str]:
    z: dict[str, int] = {}
    return x, z
print(f(), f.__annotations__)
n: float = 3
print(__annotations__)
""",
    "generators": """
import asyncio
def numbers(n):
    for i in range(n):
        got = yield i * 2
        print("got", got)
    return "end"
def all_of(n):
    end = yield from numbers(n)
    print(end)
g = all_of(2)
print(next(g), g.send("x"), list(g))
lazy = (print("lazy", i) for i in range(2))
print("before"); list(lazy)
async def slow(n):
    await asyncio.sleep(0)
    return n
async def main():
    async def many():
        for i in range(2): yield await slow(i)
    print([i async for i in many()], await slow(3))
coroutine = main()
try:
    while True: coroutine.send(None)
except StopIteration: pass
""",
    "statements": """
import contextlib
@contextlib.contextmanager
def managed(name):
    print("enter", name)
    yield name, 1
    print("leave", name)
with managed("a") as (name, number), managed("b"): print(name, number)
for i, (j, k) in enumerate([(1, 2)]): print(i, j, k)
else: print("else")
def kind(value):
    match value:
        case {"a": 1, **rest} if rest: return rest
        case [1, 2.5 | None as x, *_]: return x
        case str(): return f"{value!r:>5} {len(value) + 1} {value=}"
        case complex(real=0): return "i"
        case _: return -1
print([kind(v) for v in ({"a": 1, "b": 2}, [1, None, 3], "s", 2j, 4)])
try: {}["k"]
except (KeyError, ValueError) as error: print(repr(error))
finally: print("finally")
try: 1 / 0
except* ZeroDivisionError as group: print(group.exceptions)
f = lambda a, *b, c=3, **d: (a, b, c, d)
print(f(1, 2, c=4, e=5), (lambda: 0)(), {**{"a": 1}}, {1, 2}, [*range(2)], not 3, -2 ** 2)
""",
    "traceback": """
def deep(n):
    if n == 0:
        raise ValueError(f"at {n}")
    return deep(
        n - 1
    ) + 1
deep(3)
""",
}


def run(program: Any, filename: str) -> str:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        try:
            exec(program, {"__name__": "student"})
        except ValueError as error:
            where, tb = [], error.__traceback__
            while tb is not None:
                if tb.tb_frame.f_code.co_filename == filename:
                    where.append((tb.tb_lineno, *_columns(tb)))
                tb = tb.tb_next
            print(repr(error), [line for line, *_ in where])
    return printed.getvalue()


def _columns(tb: Any) -> tuple[Any, ...]:
    positions = list(tb.tb_frame.f_code.co_positions())
    return positions[tb.tb_lasti // 2][1:2]


def recorded(source: str, most_values: int = 2) -> dict[str, Any]:
    """Return what was noted, by the text of the expression, after a program ran."""
    recorder = Recorder(most_values)
    exec(recorder.instrument(source, "p.py"), {"__name__": "student"})
    lines, notes = source.encode().split(b"\n"), {}
    for data in recorder.frames():
        frame = decode(data, Bounds())
        for record in frame.header["records"]:
            for line, start, end_line, end in record["spans"]:
                text = b"\n".join(lines[line - 1 : end_line])
                cut = len(text) - len(lines[end_line - 1]) + end
                values = [
                    frame.arrays[value["array"]] if "array" in value else value.get("text")
                    for value in record["values"]
                ]
                notes[text[start:cut].decode()] = (record["count"], values)
    return notes


def records(source: str, text: str) -> list[dict[str, Any]]:
    """Return what was noted of the expressions with this text."""
    recorder = Recorder()
    exec(recorder.instrument(source, "p.py"), {"__name__": "student"})
    lines = source.split("\n")
    every = [
        item for data in recorder.frames() for item in decode(data, Bounds()).header["records"]
    ]
    return [
        record
        for record in every
        for line, start, _, end in record["spans"]
        if lines[line - 1][start:end] == text
    ]


@pytest.mark.parametrize("name", PROGRAMS)
@pytest.mark.parametrize("passes", [0, 1, MOST_PASSES])
def test_program_does_what_it_did(name: str, passes: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """With notes, without, and with both."""
    monkeypatch.setattr("quizzes.grader.inside.recorder.MOST_PASSES", passes)
    source = PROGRAMS[name]
    linecache.cache.pop("p.py", None)
    plain = run(compile(source, "p.py", "exec", dont_inherit=True), "p.py")
    assert plain
    assert run(Recorder().instrument(source, "p.py"), "p.py") == plain


def test_values_stand_at_their_expressions() -> None:
    notes = recorded("é = 3\nx, y = é * 2, [é]\nfor i in range(4):\n    x += i\nz = w = x - 1")
    assert notes["é * 2"] == (1, ["6"])
    assert notes["x - 1"] == notes["z"] == notes["w"] == (1, ["11"])
    assert notes["i"] == (4, ["0", "3"])
    assert notes["range(4)"] == (1, ["range(0, 4)"])
    assert notes["y"] == (1, ["[3]"])


def test_array_is_noted_as_it_was() -> None:
    """Code that writes into it later changes nothing."""
    source = "import numpy as np\na = np.zeros(3)\nfor i in range(3):\n    a + 1\n    a[:] = i\n"
    count, values = recorded(source)["a + 1"]
    assert count == 3
    np.testing.assert_array_equal(values, [[1, 1, 1], [2, 2, 2]])
    assert [list(value) for value in recorded(source, most_values=3)["a + 1"][1]] == [
        [1, 1, 1],
        [1, 1, 1],
        [2, 2, 2],
    ]


def test_array_of_objects_keeps_none_alive() -> None:
    """A program may ask whether an object of its own is gone."""
    source = """
import weakref
import numpy as np
class O: pass
dead = 0
for i in range(9):
    o = O()
    w = weakref.ref(o)
    a = np.array([o, None], dtype=object)
    del o, a
    dead += w() is None
"""
    scope: dict[str, Any] = {"__name__": "student"}
    exec(Recorder().instrument(source, "p.py"), scope)
    assert scope["dead"] == 9


def test_copy_without_memory_is_not_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    class Full:
        size, nbytes, dtype = 1, 8, np.dtype(float)

        def copy(self) -> None:
            raise MemoryError

    monkeypatch.setattr("quizzes.grader.inside.recorder.np", SimpleNamespace(ndarray=Full))
    scope = {"__name__": "student", "value": Full()}
    exec(Recorder().instrument("for i in range(9):\n    last = value", "p.py"), scope)
    assert scope["last"] is scope["value"]


def test_large_array_is_noted_in_part() -> None:
    values = np.arange(200.0 * 300).reshape(2, 100, 300)
    values[1, 5, 5] = np.nan
    entry = keep(values)
    assert entry["numbers"].shape == (1, 32, 32)
    assert (entry["shape"], entry["least"], entry["most"]) == ([2, 100, 300], 0.0, 59999.0)
    assert entry["odd"] == 1
    assert keep(np.zeros(MOST_CELLS))["numbers"].size == MOST_CELLS


def test_range_is_read_within_bytes() -> None:
    """A loop that writes into a large array does not read all of it at each note."""
    ranges = _Ranges(most=3 * 80_000)
    entries = [keep(np.arange(10_000.0), ranges) for _ in range(9)]
    assert ["least" in entry for entry in entries] == [True] * 4 + [False] * 5
    assert all(entry["numbers"].size == 32 for entry in entries)


def test_nothing_of_a_strange_object_is_called() -> None:
    class Strange(type):
        def __getattribute__(cls, name: str) -> Any:
            raise AssertionError(name)

        def __eq__(cls, other: object) -> bool:
            raise AssertionError(other)

        def __hash__(cls) -> int:
            raise AssertionError

    class Value(metaclass=Strange):
        def __getattribute__(self, name: str) -> Any:
            raise AssertionError(name)

    value = object.__new__(Value)
    assert keep(value) == {"kind": "object", "type": "Value"}
    assert keep([value, 1])["text"] == "2 items"
    assert keep(10**5000)["text"].startswith("a whole number of more")
    assert keep(np.array([None], dtype=object)).get("numbers") is None


@pytest.mark.parametrize(
    "loop",
    [
        "for i in range({n}):\n    [i]*1",
        "for i in range({n}):\n    if True: [i]*1",
        "for i in range({n}):\n    for j in (1,):\n        [i]*1",
        "i = 0\nwhile i < {n}:\n    [i]*1\n    i += 1",
        "def f(i):\n    'Doc.'\n    return [i]*1\nfor i in range({n}): f(i)",
        "list(map(lambda i: [i]*1, range({n})))",
        "x = [[i]*1 for i in range({n})]",
        "x = {{i: [i]*1 for i in range({n})}}",
        "x = list([i]*1 for j in (1,) for i in range({n}) if [j]*1)",
    ],
)
def test_long_loop_is_recorded_by_its_start(loop: str) -> None:
    """Then it runs without notes, and nothing is said of later passes."""
    (record,) = records(loop.format(n=MOST_PASSES - 1), "[i]*1")
    assert (record["count"], record["last"], record["more"]) == (MOST_PASSES - 1, True, False)
    (record,) = records(loop.format(n=5 * MOST_PASSES), "[i]*1")
    assert (record["count"], record["last"], record["more"]) == (MOST_PASSES, False, True)
    assert [value["text"] for value in record["values"]] == ["[0]"]


def test_rare_expression_is_counted_at_least() -> None:
    """It may have run more often, as its loop went on without notes."""
    source = f"for i in range({5 * MOST_PASSES}):\n    if i % 100 == 0: i * 7\ni * 9"
    (record,) = records(source, "i * 7")
    assert (record["count"], record["last"], record["more"]) == (3, False, True)
    (record,) = records(source, "i * 9")
    assert (record["count"], record["more"]) == (1, False)


def test_loop_that_binds_outer_names_is_counted() -> None:
    """It cannot be in the program twice: the compiler wants `global` before the name is used."""
    source = f"for i in range({5 * MOST_PASSES}):\n    global k\n    k = i + 1"
    (record,) = records(source, "i + 1")
    assert (record["count"], record["last"], record["more"]) == (5 * MOST_PASSES, True, False)


def test_looking_ends_after_its_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Last values that can change are not looked at any more; first ones are."""
    monkeypatch.setattr("quizzes.grader.inside.recorder.MOST_SECONDS", 0)
    notes = recorded("for i in range(9):\n    [i]*1\n    i + 1\n[i]*2")
    assert notes["[i]*1"] == (9, ["[0]"])
    assert notes["i + 1"] == (9, ["1", "9"])
    assert notes["[i]*2"] == (1, ["[8, 8]"])


def test_huge_numbers_are_not_held() -> None:
    """A loop of many expressions would hold megabytes at each of them."""
    source = "for i in range(9):\n    1 << 10**7 + i"
    recorder = Recorder()
    exec(recorder.instrument(source, "p.py"), {"__name__": "student"})
    held = [number for number in recorder._later if type(number) is int]
    assert max(number.bit_length() for number in held) < 1000
    count, values = recorded(source)["1 << 10**7 + i"]
    assert (count, values) == (9, ["a whole number of more than 150 digits"] * 2)


def test_number_that_cannot_be_looked_at_stays_silent(monkeypatch: pytest.MonkeyPatch) -> None:
    recorder = Recorder()
    exec(recorder.instrument("for i in range(9):\n    i + 1", "p.py"), {})
    monkeypatch.setattr("quizzes.grader.inside.recorder.keep", lambda value: 1 / 0)
    (frame,) = [decode(data, Bounds()) for data in recorder.frames()]
    assert {record["values"][-1]["kind"] for record in frame.header["records"]} >= {"silent"}


@pytest.mark.parametrize("last", ["[3]", "3", "None", "np.float32(3)"])
def test_last_value_may_be_of_another_type(last: str) -> None:
    source = f"import numpy as np\nfor x in (1, 2, [2], 2, {last}):\n    x"
    assert recorded(source)["x"] == (5, ["1", "3.0" if "float" in last else last])


def test_huge_program_is_recorded_in_part() -> None:
    source = "x = 1\n" + "x + 1\n" * 2 * MOST_PLACES
    _, places = instrument(source, "p.py")
    assert (len(places.spans), places.is_cut) == (MOST_PLACES, True)


def test_deep_program_runs_unrecorded() -> None:
    source = "x = " + "(" * 150 + "1" + ")" * 150 + " + 1" * 900
    recorder = Recorder()
    exec(recorder.instrument(source, "p.py"), {})
    (frame,) = [decode(data, Bounds()) for data in recorder.frames()]
    assert frame.header["cut"] is True


def test_stop_goes_through_the_recorder() -> None:
    recorder = Recorder()
    recorder.instrument("a = 1 + 1", "p.py")
    note = getattr(builtins, NOTE)

    class Stopping(list[Any]):
        def append(self, _: Any) -> None:
            raise OutOfTime

    recorder._values[0] = Stopping()
    with pytest.raises(OutOfTime):
        note(0, 1)
