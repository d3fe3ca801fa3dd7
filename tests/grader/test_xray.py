"""X-rays: what is said of expressions, what a right solution adds, and what stays where."""

import json
from dataclasses import dataclass, field, replace

import numpy as np
import pytest

from quizzes.exercises.xray.table import lines_of
from quizzes.grader.judge import CasePack
from quizzes.grader.programs import Expression, XRay, look_inside
from quizzes.grader.programs.xray.expressions import FULL
from quizzes.grader.programs.xray.known_values import KnownValues
from quizzes.grader.programs.xray.look_inside import MOST_STORED, shown_cases
from quizzes.grader.programs.xray.place_search import PlaceSearch
from quizzes.grader.programs.xray.right_solutions import RightSolutions
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Run, Sandbox
from quizzes.grader.protocol.recording import RecordedExpression, RecordedValue, Recording
from quizzes.grader.protocol.wire import Array
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import definition_of

sandboxed = [pytest.mark.sandbox, pytest.mark.slow]
TABLE, MODULE = "sinusoidal-table", "relative-position-bias"
# As right solutions are, except for `//`: the values are theirs up to `2 * i`.
FLOORED = """import numpy as np

def sinusoidal_table(n, d, base=10000.0):
    i = np.arange((d + 1) // 2)
    angles = np.arange(n)[:, None] / base ** (2 * i // d)
    table = np.zeros((n, d))
    for half, of in enumerate((np.sin, np.cos)):
        table[:, half::2] = of(angles[:, : (d + 1 - half) // 2])
    return table
"""
CALL = "sinusoidal_table(5, 6)"


@dataclass
class Noted:
    """A sandbox that keeps what goes in."""

    sandbox: Sandbox
    jobs: list[Job] = field(default_factory=list)

    def run(self, job: Job) -> Run:
        self.jobs.append(job)
        return self.sandbox.run(job)


def look(
    source: str,
    what: int | str = CALL,
    *,
    slug: str = TABLE,
    student: Sandbox | None = None,
    author: Sandbox | None = None,
    pack: CasePack | None = None,
    seconds: float = 5.0,
) -> XRay:
    pack = pack or shared_pack(slug)
    return look_inside(
        source,
        what,
        pack=pack,
        student=student or shared_sandbox("student"),
        author=author or shared_sandbox("author"),
        right=definition_of(slug).right_sources,
        limits=replace(pack.entry.limits, wall_seconds=seconds),
    )


def by_text(xray: XRay) -> dict[str, Expression]:
    return {item.text: item for item in xray.expressions}


class TestInTheSandbox:
    pytestmark = sandboxed

    def test_right_value_is_known_until_the_mistake(self) -> None:
        xray = look(FLOORED)
        items = by_text(xray)
        assert (xray.problem, xray.compared, xray.call) == ("", True, "sinusoidal_table(n=5, d=6)")
        assert items["2 * i"].known
        assert not items["np.arange(n)[:, None]"].known  # it counts from 0
        assert not items["2 * i // d"].known
        assert not items["base ** (2 * i // d)"].known
        floored = items["2 * i // d"]
        assert floored.what == "an array of shape (3,), int64"
        assert floored.numbers == "[0, 0, 0]"
        loop = items["of(angles[:, : (d + 1 - half) // 2])"]
        assert (loop.count, loop.which) == (2, "last")
        assert loop.picture is not None
        assert (loop.picture.rows, loop.picture.columns) == (5, 3)
        assert (xray.first_difference, xray.waits_for_place) == (None, False)  # a typed call
        assert XRay.from_json(xray.as_json()) == xray

    def test_place_stands_next_to_the_reference(self) -> None:
        xray = look(FLOORED, 1)
        place = xray.first_difference
        assert place is not None
        assert place.sentence == (
            "The value of `2 * i` in line 5 also occurs in a right solution. "
            "The value of `2 * i // d` occurs in none that we know. Look there first."
        )
        assert place.right is not None
        assert place.right.what.endswith("float64")
        assert place.right.picture is not None
        assert place.yours.numbers != place.right.numbers
        assert XRay.from_json(xray.as_json()) == xray

    def test_quick_lane_leaves_the_place_to_the_slow(self) -> None:
        pack, author = shared_pack(TABLE), shared_sandbox("author")
        right = definition_of(TABLE).right_sources
        student, limits = Noted(shared_sandbox("student")), pack.entry.limits

        def xray(source: str) -> XRay:
            return look_inside(
                source,
                1,
                pack=pack,
                student=student,
                author=author,
                right=right,
                limits=limits,
                seeks_place=False,
            )

        wrong = xray(FLOORED)
        assert (wrong.waits_for_place, wrong.first_difference) == (True, None)
        assert not xray(right[0]).waits_for_place
        assert len(student.jobs) == 2

    def test_second_case_speaks_against_an_accident(self) -> None:
        """Where a value is right on another shown case, it is not the place."""
        source = FLOORED.replace("2 * i // d", "2 * i / d + 3 * (n == 5)")
        pack, author = shared_pack(TABLE), shared_sandbox("author")
        solutions = RightSolutions(definition_of(TABLE).right_sources, pack.entry, author)
        case, other = (Case("a case", {"n": n, "d": 6}, shown=True) for n in (5, 7))
        right = solutions.run(case)
        assert right is not None
        search = PlaceSearch(source, pack.entry, shared_sandbox("student"), solutions)
        difference = search.find(right)
        assert difference is not None
        assert difference.place[0] == 5
        assert search.find(right, [other]) is None
        assert search.seconds > 0

    def test_place_needs_right_solutions(self) -> None:
        xray = look_inside(
            FLOORED,
            CALL,
            pack=shared_pack(TABLE),
            student=shared_sandbox("student"),
            limits=shared_pack(TABLE).entry.limits,
        )
        assert (xray.compared, xray.first_difference) == (False, None)

    def test_reference_is_known_to_itself(self) -> None:
        """On each shown case; what it leaves empty is nobody's value."""
        source = definition_of(TABLE).reference
        for number in range(len(shown_cases(shared_pack(TABLE).cases))):
            items = by_text(look(source, number))
            assert items["2 * pairs"].known
            assert not items["np.empty((n, d))"].known
            assert not items["n"].known

    def test_other_writing_is_known_as_well(self) -> None:
        source = FLOORED.replace("/ base ** (2 * i // d)", "* base ** (-2.0 * i / d)")
        xray = look(source)
        assert by_text(xray)["table"].known
        assert xray.first_difference is None

    @pytest.mark.parametrize(
        ("slug", "right", "wrong"),
        [
            ("inv-freq", "base ** (-doubled / d)", "base ** (doubled / d)"),
            (
                "alibi-slopes",
                "2.0 ** (-8 * np.arange(1, n + 1) / n)",
                "2.0 ** (8 * np.arange(1, n + 1) / n)",
            ),
        ],
    )
    def test_inverse_result_is_not_known(self, slug: str, right: str, wrong: str) -> None:
        """On no shown case: it is what a known mistake returns."""
        source = definition_of(slug).reference
        assert right in source
        for number in range(len(shown_cases(shared_pack(slug).cases))):
            items = by_text(look(source.replace(right, wrong), number, slug=slug))
            assert not items[wrong].known

    def test_only_the_case_goes_in(self) -> None:
        """Neither the reference nor another case is in the student's sandbox."""
        student, author = (Noted(shared_sandbox(name)) for name in ("student", "author"))
        shown = shown_cases(shared_pack(TABLE).cases)
        for what in (0, CALL):
            look(FLOORED, what, student=student, author=author)
        for job in student.jobs:
            assert definition_of(TABLE).reference not in job.source + job.below
            assert len(job.cases) == 1
        assert student.jobs[0].cases[0].kwargs == shown[0].kwargs
        assert [job.source for job in author.jobs] == [definition_of(TABLE).reference] * 2

    def test_full_xray_says_so(self) -> None:
        """It stays below its bytes, and names each expression."""
        lines = "".join(f"    x{n} = b * {n}.5 - 1e-7\n" for n in range(120))
        source = "import numpy as np\ndef sinusoidal_table(n, d):\n    b = np.random.rand(16, 16)"
        xray = look(f"{source} / 3\n{lines}    return b\n", 0)
        assert len(json.dumps(xray.as_json())) < MOST_STORED + 1_000
        assert (len(xray.expressions), xray.is_cut) == (365, False)
        assert sum(item.picture is not None for item in xray.expressions) > 60
        assert xray.expressions[-2].note == FULL
        assert xray.expressions[-2].what == "an array of shape (16, 16), float64"
        assert XRay.from_json(xray.as_json()) == xray

    def test_changed_array_has_a_row(self) -> None:
        """Where what is printed of it is the same, too; the same value has none."""
        source = """import numpy as np
def sinusoidal_table(n, d):
    t = np.zeros((12, 12))
    t[5, 5] = 3.0
    t[6, 6] = 3.0
    u = np.cos(t)
    v = np.sin(t)
    w = np.zeros((99, 99))
    w[40, 40] = 2
    return w
"""
        xray = look(source, 0)
        lines = lines_of(xray, compared=True)
        rows = {name: [] for name in "tw"}  # type: dict[str, list[int]]
        for line in lines:
            for row in line.rows:
                rows.get(row.text, []).append(line.number)
        assert rows == {"t": [4, 5, 6], "w": [9, 10]}

    def test_nothing_is_compared_without_an_author(self) -> None:
        pack, student = shared_pack(TABLE), shared_sandbox("student")
        xray = look_inside(FLOORED, CALL, pack=pack, student=student, limits=pack.entry.limits)
        assert not xray.compared
        assert not any(item.known for item in xray.expressions)
        assert by_text(xray)["2 * i"].numbers == "[0, 2, 4]"

    def test_property_case_shows_a_plain_call(self) -> None:
        """Its test calls with other arguments, which would stand below those of the case."""
        slug = "apply-rope-half"
        cases = shown_cases(shared_pack(slug).cases)
        number = next(n for n, case in enumerate(cases) if case.probe == "relative_scores")
        student, author = (Noted(shared_sandbox(name)) for name in ("student", "author"))
        xray = look(
            definition_of(slug).reference, number, slug=slug, student=student, author=author
        )
        assert [job.cases[0].probe for job in (*student.jobs, *author.jobs)] == ["call"] * 2
        assert (xray.problem, xray.compared, xray.tests_more) == ("", True, True)
        name = next(iter(cases[number].kwargs))
        assert {item.count for item in xray.expressions if item.text == name} == {1}
        assert not any(item.known for item in xray.expressions if item.text == name)

    def test_reference_that_fails_is_not_compared(self) -> None:
        source = "import numpy as np\ndef sinusoidal_table(n, d):\n    return np.arange(4)\n"
        assert not look(source, "sinusoidal_table(4, 2.5)").compared

    @pytest.mark.parametrize(
        ("body", "words"),
        [("return 7", "None of your code"), (f"return 1{' + 1' * 900}", "too deeply")],
    )
    def test_xray_of_nothing_says_why(self, body: str, words: str) -> None:
        xray = look(f"def sinusoidal_table(**sizes):\n    {body}\n", 0)
        assert xray.expressions == ()
        assert words in xray.problem

    def test_hidden_case_cannot_be_named(self) -> None:
        with pytest.raises(IndexError):
            look(FLOORED, len(shown_cases(shared_pack(TABLE).cases)))

    def test_code_that_raises_shows_what_it_was(self) -> None:
        xray = look(FLOORED.replace("return table", "return table @ i"))
        assert "ValueError in line 9" in xray.problem
        assert xray.line == 9
        assert by_text(xray)["2 * i"].known

    @pytest.mark.parametrize(
        ("source", "words"),
        [
            ("while True: pass", "was stopped after 0.4 s in line"),
            ("return [0] * 10**12", "memory"),
            ("import os; os._exit(0)", "exit code 0"),
            ("print('y' * 10**7)", "printed more than 1 MB"),
            ("return f(n, d)", "RecursionError"),
            (
                "import builtins; setattr(builtins, '<note>', lambda place, value: 7)\n"
                "    return n + 1",
                "",
            ),
        ],
    )
    def test_hostile_code_gets_a_sentence(self, source: str, words: str) -> None:
        """And the next X-ray works."""
        xray = look(
            f"def sinusoidal_table(n, d):\n    {source}\nf = sinusoidal_table", 0, seconds=0.4
        )
        assert words in xray.problem
        assert look(FLOORED).compared

    @pytest.mark.parametrize(
        "end", ["while True: pass", "while True: pe = x + 1", "import time; time.sleep(9)"]
    )
    def test_stopped_xray_shows_what_was_recorded(self, end: str) -> None:
        source = (
            f"import numpy as np\ndef sinusoidal_table(n, d):\n    x = np.eye(3) * 2\n    {end}"
        )
        xray = look(source, seconds=0.4)
        assert "was stopped after 0.4 s in line 4" in xray.problem
        items = by_text(xray)
        assert items["np.eye(3) * 2"].numbers.startswith("[[2., 0., 0.]")
        if "pe" in end:
            assert items["x + 1"].goes_on
        assert xray.compared

    def test_offset_left_out_has_no_line(self) -> None:
        """A right solution has these numbers as well, and adds an offset to them."""
        source = definition_of("alibi-bias").reference
        wrong = source.replace(" + Lk - Lq", "")
        assert wrong != source
        items = by_text(look(wrong, 0, slug="alibi-bias"))
        assert not items["np.arange(Lq)[:, None]"].known
        assert not items["bias"].known
        assert items["_slopes(n_heads)[:, None, None]"].known

    def test_forged_frame_ends_the_xray(self) -> None:
        forged = (
            "import os, struct, json\n"
            "h = json.dumps({'kind': 'recorded', 'records': [], 'arrays': []}).encode()\n"
            "os.write(3, struct.pack('<4sIQ', b'PEQ1', len(h), 0) + h)\n"
        )
        xray = look(forged + FLOORED, 0)
        assert "file descriptor 3" in xray.problem
        assert xray.expressions == ()

    def test_typed_call_that_is_none_is_refused(self) -> None:
        xray = look(FLOORED, "1 + 1")
        assert "exactly one call" in xray.problem
        assert xray.expressions == ()

    @pytest.mark.torch
    def test_altered_buffer_shows_a_plain_call(self) -> None:
        """Its test adds 1 to the buffer and calls again: a sine would lie between 0 and 2."""
        slug = "sinusoidal-module"
        cases = shown_cases(shared_pack(slug).cases)
        number = next(n for n, case in enumerate(cases) if "read" in case.kwargs)
        student = Noted(shared_sandbox("student"))
        xray = look(definition_of(slug).reference, number, slug=slug, student=student)
        assert (xray.problem, xray.tests_more) == ("", True)
        (case,) = student.jobs[0].cases
        assert (case.probe, [*case.kwargs]) == ("call_eval", ["x"])

    @pytest.mark.torch
    def test_module_is_looked_into(self) -> None:
        source = definition_of(MODULE).reference
        items = by_text(look(source, 0, slug=MODULE))
        table = items["self.table"]
        assert table.what == "a tensor of shape (5, 3), float32"
        assert items["relative.clamp(-k, k) + k"].known
        assert by_text(look(source, "RelativePositionBias(3, 2)(2, 2)", slug=MODULE))["rows"].known

    @pytest.mark.torch
    def test_module_in_eval_mode_runs_once(self) -> None:
        """Grading makes and calls two, to see whether chance is in the result."""
        items = look(definition_of(MODULE).reference, 1, slug=MODULE).expressions
        assert {item.count for item in items} == {1}


def value(numbers: object, dtype: str = "") -> RecordedValue:
    array = np.asarray(numbers)
    return RecordedValue("array", "ndarray", dtype or array.dtype.name, array.shape, "", array)


def expression(*values: RecordedValue, count: int = 0, has_last: bool = True) -> RecordedExpression:
    return RecordedExpression(((1, 0, 1, 1),), count or len(values), values, has_last)


KNOWN = KnownValues(
    [
        Recording(
            tuple(
                expression(value(numbers))
                for numbers in (
                    *([0.0, 1.5], [0.0, 1.0], [1.0, np.nan], [1j, 2.0], [[1, 2], [3, 4]], [5, 5]),
                    *(7, [2.0, 3.0]),  # the second is the argument of the case
                )
            )
        )
    ],
    Case("a case", {"x": np.array([2.0, 3.0])}),
)


@pytest.mark.parametrize(
    ("got", "is_known"),
    [
        (expression(value([0.0, 1.5])), True),
        (expression(value([0, 1])), False),
        (expression(value([[0.0], [1.0]])), False),
        (expression(value([0.0, 1.5 + 1e-11])), True),
        (expression(value([0.0, 1.5001])), False),
        (expression(value(np.array([0.0, 1.5], "f4"))), False),
        (expression(value(np.array([0.0, 1.5], "f2"))), False),
        (expression(value([[0.0, 1.5]])), False),
        (expression(value([1.0, np.nan])), True),
        (expression(value([np.nan, 1.0])), False),
        (expression(value([1j, 2.0])), True),
        (expression(value([1.0, 2.0])), False),
        (expression(value([[1, 2], [3, 4]]), value([0, 1.5])), True),
        (expression(value([[1, 2], [3, 4]]), value([0, 2])), False),
        (expression(value([[1, 2], [3, 4]]), has_last=False, count=9), False),
        (expression(value([5, 5])), False),
        (expression(value(7)), False),
        (expression(value([2.0, 3.0])), False),
        (expression(value([2, 3])), False),
        (expression(RecordedValue("array", "", "float64", (9, 9), "", np.eye(2))), False),
        (expression(RecordedValue("text", text="a")), False),
    ],
)
def test_value_is_known_to_its_precision(got: RecordedExpression, *, is_known: bool) -> None:
    assert KNOWN.has(got) is is_known


MASK = np.triu(np.full((4, 4), -1e9), 1)
SCORES = MASK + np.tril(np.arange(16.0).reshape(4, 4) / 16)
FREQUENCIES = 10000.0 ** -(np.arange(8) / 8)


@pytest.mark.parametrize(
    ("right", "got", "is_known"),
    [
        (SCORES, MASK + np.tril(np.full((4, 4), 0.5)), False),
        (SCORES, SCORES + 1e-12, True),
        (SCORES.astype("f4"), MASK + np.tril(np.full((4, 4), 0.5)), False),
        (SCORES.astype("f4"), SCORES, True),
        (SCORES, SCORES.astype("f4"), False),
        (np.where(MASK < 0, -np.inf, SCORES), np.where(MASK < 0, -np.inf, 0.5), False),
        (np.where(MASK < 0, -np.inf, SCORES), np.where(MASK < 0, 7.0, SCORES), False),
        (np.where(MASK < 0, np.finfo("f4").min, SCORES).astype("f4"), MASK + 0.5 * SCORES, False),
        (FREQUENCIES.astype("f4"), np.where(FREQUENCIES < 1e-3, 0, FREQUENCIES), False),
        (FREQUENCIES.astype("f4"), FREQUENCIES, True),
        (FREQUENCIES.astype("f2"), FREQUENCIES.astype("f2"), True),
        (np.array([1.0, 0.0]), np.array([1.0, 6e-17]), True),
        (FREQUENCIES, 1 / FREQUENCIES, False),
    ],
)
def test_each_number_is_compared(right: Array, got: Array, *, is_known: bool) -> None:
    known = KnownValues([Recording((expression(value(right)),))], Case("a case"))
    assert known.has(expression(value(got))) is is_known
