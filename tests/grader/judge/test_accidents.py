"""Hints for accidents: each line of the table in docs/verdicts.md, and nothing code can forge."""

import json
import re
import time
from collections.abc import Callable
from dataclasses import replace

import pytest

from quizzes.grader.judge import messages
from quizzes.grader.judge.accidents import brief_for, hint_for, hint_for_result
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.code_text.cleaner import clean_code
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.observation import Failure
from quizzes.grader.protocol.verdict import Stage
from tests.grader.conftest import ROOT
from tests.grader.shipped import definition
from tests.shared_sandboxes import shared_pack

PAGE = ROOT / "docs/verdicts.md"
ROW = re.compile(r"^\| (.+?) \| `(\S+)` \| (`+)( ?)(.+?)\4\3 \| (.+) \|$", re.MULTILINE)
ROWS = [(row[1], row[4], row[5]) for row in ROW.findall(PAGE.read_text(encoding="utf-8"))]
RETURNED = {
    "apply-rope": "import numpy as np\nimport torch\ndef apply_rope(x, cos, sin):\n    return {}\n",
    "learned-positions": (
        "import torch\nclass LearnedPositionalEmbedding(torch.nn.Module):\n"
        "    def __init__(self, max_len, d_model):\n        super().__init__()\n"
        "    def forward(self, x):\n        return {}\n"
    ),
}
HINTS = {text for name, text in vars(messages).items() if name.startswith("HINT_")} | {
    messages.hint_misspelt("arange")
}
AMBIGUOUS = "The truth value of an array with more than one element is ambiguous."
PackOf = Callable[[str], CasePack]


@pytest.fixture(scope="module")
def pack_of() -> PackOf:
    return shared_pack


def test_the_table_has_every_hint() -> None:
    table = PAGE.read_text(encoding="utf-8").partition("## Hints for accidents")[2]
    assert len(ROWS) == table.count("\n| ") - 1  # but for its head
    assert {sentence for _, _, sentence in ROWS} >= HINTS


@pytest.mark.sandbox
@pytest.mark.torch
@pytest.mark.parametrize(("slug", "line", "sentence"), ROWS)
def test_each_accident_is_told_what_the_page_says(
    slug: str, line: str, sentence: str, pack_of: PackOf, torch_student: Sandbox
) -> None:
    code = handed_in(slug, line)
    report = grade_code(pack_of(slug), code, torch_student)
    assert report.first_fault is not None
    assert report.first_fault.message.endswith(f" {sentence}")
    begins = {
        "{": "Your code does not define ",
        "(yield": "The result is ",
        "x * 0": "The result has ",
    }
    said = (words for start, words in begins.items() if line.startswith(start))
    assert report.first_fault.message.startswith(next(said, "Your code raised "))


def handed_in(slug: str, line: str) -> str:
    """Return the code of a line of the table: a notebook file is submitted alone."""
    template, text = RETURNED.get(slug), line.replace(" ↵ ", "\n").replace("⇥", "\t")
    if template:
        return template.format(text)
    return text if text.startswith("{") else f"{text}\n{definition(slug).reference}"


@pytest.mark.parametrize(
    ("line", "number"),
    [
        ("bias = slopes * mask * -np.inf", 1),
        ("bias += -torch.inf * mask.float()", 1),
        ('x = (k > q) * float("-inf")', 1),
        ("ok = 1\nbias = mask * (-math.inf)", 2),
        ("bias = np.where(mask, -np.inf, bias)  # 0 * inf", None),
        ("info = 2 * infinite", None),
        ("x = np.inf ** 2", None),
        ('print("0 * inf")', None),
        ('"""\n0 * np.inf\n"""', None),
        ("x = 2 ** np.inf", None),
        ("x = my_inf * 3", None),
        ("x = f(np.inf) * 3", None),
        ("f(*inf)", None),
        ("x = (\n    mask\n    * np.inf)", 3),
        ("x = np.core.inf * (k > q)", 1),
    ],
)
def test_a_product_with_infinity_is_named_by_line(line: str, number: int | None) -> None:
    said = hint_for_result(Stage.FINITE, (), line)
    assert said == (messages.hint_infinity(number) if number else "")


def test_a_class_called_generator_is_no_yield() -> None:
    assert hint_for_result(Stage.STRUCTURE, {"generator"}, "class generator: pass") == ""
    source = "async def f():\n    return 1"
    assert hint_for_result(Stage.STRUCTURE, {"coroutine"}, source) == messages.HINT_LATER


@pytest.mark.parametrize(
    "line", ["if a == b:", "if np.dot(a, b) > 1:", "if f(x):", "x = a if b else c", "for a in b:"]
)
def test_a_condition_that_fails_elsewhere_gets_no_hint(line: str) -> None:
    assert hint("ValueError", line, arrays=False, message=AMBIGUOUS) == ""


def test_own_errors_get_no_hint_of_conditions() -> None:
    assert hint("ValueError", "if mask:", message=AMBIGUOUS) == messages.HINT_TRUTH
    assert hint("ValueError", 'if odd: raise ValueError("ambiguous")', message=AMBIGUOUS) == ""
    for message in ("d must be even", "The truth value of an empty array is ambiguous."):
        assert hint("ValueError", "if mask:", message=message) == ""


def test_a_wrong_shape_gets_no_hint_of_devices() -> None:
    lines = ("x.to(device) @ x", 'x.to("cuda" if torch.cuda.is_available() else "cpu") @ x')
    for line in lines:
        code = f"{line}\ndevice = 'cuda'"
        for message, expected in (("mat1 and mat2", False), ("No CUDA GPUs are available", True)):
            failure = Failure(Stage.RETURNED, "RuntimeError", message, line=1)
            said = hint_for(failure, code, library="torch", takes_arrays=False)
            assert bool(said) == expected
    code = f"{lines[0]}\ndevice = 'cuda' if torch.cuda.is_available() else 'cpu'"
    assert hint_for(failure, code, library="torch", takes_arrays=False) == ""


def test_modules_without_init_get_no_hint() -> None:
    code = "self.part = self.missing\nclass Part(torch.nn.Module):\n    def forward(self, x):"
    assert hint("AttributeError", code, message="'Part' object has no attribute 'missing'") == ""
    early = "cannot assign module before Module.__init__() call"
    assert hint("AttributeError", code, message=early) == messages.HINT_SUPER


def test_a_decorated_function_is_called_by_keyword() -> None:
    code = "def noted(f):\n    def inner(*args):\n        return f(*args)\n    return inner\n@noted"
    refused = "got an unexpected keyword argument 'side'"
    failure = Failure(Stage.SIGNATURE, "TypeError", f"(*args)\n{refused}")
    assert hint_for(failure, code, library="numpy", takes_arrays=False) == messages.HINT_KEYWORDS
    passed_on = code.replace("*args", "*args, **kwargs")
    assert hint_for(failure, passed_on, library="numpy", takes_arrays=False) == ""
    helper = "@functools.cache\ndef f(x):\n    return x\nclass A:\n    def join(*parts):\n        x"
    assert hint_for(failure, helper, library="numpy", takes_arrays=False) == ""
    missing = replace(failure, message="(*args)\nmissing a required argument: 'side'")
    assert hint_for(missing, code, library="numpy", takes_arrays=False) == ""


@pytest.mark.sandbox
def test_unchanged_starter_is_called_the_starter(table_pack: CasePack, student: Sandbox) -> None:
    starter = definition("sinusoidal-table").starter
    for code in (starter, f"\n{starter}\n\n", starter.replace("\n", "   \n")):
        report = grade_code(table_pack, code, student)
        assert report.headline == "Not yet: this is still the starter code"
        assert report.first_fault is not None
        assert report.first_fault.message.startswith("This is still the starter code: ")
    report = grade_code(table_pack, starter + "\nx = 1\n", student)
    assert "starter" not in report.headline


FORGED = [
    ("RuntimeError", "input(): lost sys.stdin"),
    ("AssertionError", "Torch not compiled with CUDA enabled"),
    ("RuntimeError", "can't start new thread"),
    ("RuntimeError", "x.cuda()"),
    ("TypeError", "expected Tensor as element 0 in argument 0, but got numpy.ndarray"),
    ("AttributeError", "module 'torch' has no attribute 'arrange'. Did you mean: 'arange'?"),
    ("NameError", "name 'xrange' is not defined"),
    ("SyntaxError", ">>> ```python"),
    *(("ValueError", hint) for hint in sorted(HINTS)),
]


@pytest.mark.sandbox
@pytest.mark.parametrize(("kind", "text"), FORGED)
def test_no_text_of_an_exception_chooses_a_hint(
    kind: str, text: str, table_pack: CasePack, student: Sandbox
) -> None:
    report = grade_code(table_pack, f"raise {kind}({text!r})", student)
    assert report.first_fault is not None
    said = report.first_fault.message.removesuffix(".")
    assert said == f"Your code raised {kind} in line 1: {text.removesuffix('.')}"


@pytest.mark.sandbox
def test_a_suggestion_is_of_a_name_in_the_line(table_pack: CasePack, student: Sandbox) -> None:
    """Else code could write a word of its own into our sentence."""
    code = "import math\nraise NameError('no', name='sqr{}')"
    for end in ("t", "z"):
        report = grade_code(table_pack, code.format(end), student)
        assert report.first_fault is not None
        assert "Did you mean" not in report.first_fault.message


@pytest.mark.sandbox
def test_names_that_misbehave_are_no_accident_of_ours(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = (
        "class Odd:\n    def __dir__(self):\n        raise SystemExit\n"
        "def sinusoidal_table(n, d, base=1e4):\n    return Odd().shape"
    )
    report = grade_code(table_pack, code, student)
    assert report.first_fault is not None
    assert report.headline == "Not yet: your code stopped with an AttributeError in line 5"


def hint(kind: str, line: str, *, library: str = "numpy", arrays: bool = True, **more: str) -> str:
    failure = Failure(Stage.RETURNED, kind, line=1, **more)  # type: ignore[arg-type]
    return hint_for(failure, line, library=library, takes_arrays=arrays)


@pytest.mark.parametrize(
    ("kind", "line"),
    [
        ("TypeError", "torch.cat([a, b], size=3)  # nothing is given"),
        ("TypeError", "x = len(3)"),
        ("RuntimeError", "x = f('input()')"),
        ("RuntimeError", "x = 1  # input() start cuda"),
        ("SyntaxError", "return the value of x"),
        ("SyntaxError", "y = a if b else c and"),
        ("SyntaxError", "for i in range(3)"),
        ("SyntaxError", "print (x"),
        ("SyntaxError", "print = "),
        ("NameError", "x = range(y)"),
        ("NameError", "x = y.long() + undefined"),
        ("NameError", "from functools import reduce; reduce(undefined)"),
        ("RuntimeError", "torch.arange(start, end).reshape(3, 4)"),
        ("RuntimeError", "x[rows.start : 3] = 1"),
        ("ValueError", ">>> open('x') input() xrange"),
        ("", ""),
    ],
)
def test_what_is_no_accident_gets_no_hint(kind: str, line: str) -> None:
    assert hint(kind, line, arrays=False) == ""


@pytest.mark.parametrize(
    ("kind", "line", "library"),
    [
        ("TypeError", "width = config.dim + 'a'", "numpy"),
        ("TypeError", "x.size + 'a'", "numpy"),
        ("AttributeError", "copy.deepcopi(x)", "torch"),
    ],
)
def test_what_both_libraries_have_is_of_none(kind: str, line: str, library: str) -> None:
    assert hint(kind, line, library=library) == ""


def test_code_that_converts_its_arguments_is_not_told_to() -> None:
    line = "torch.cat([torch.as_tensor(x)], axes=1)"
    assert hint("TypeError", line) == ""
    assert hint("TypeError", "torch.cat([x], axes=1)") == messages.HINT_ARRAYS


@pytest.mark.parametrize(
    ("imports", "line"),
    [
        ("import torch.nn.functional as F", "F.pad(x, 1)"),
        ("from torch import nn, cat as join  # both", "join([x])"),
        ("import torch as t", "t.sin(x)"),
    ],
)
def test_a_library_is_known_by_whatever_it_is_called(imports: str, line: str) -> None:
    failure = Failure(Stage.RETURNED, "TypeError", line=2)
    code = f"{imports}\n{line}"
    assert hint_for(failure, code, library="numpy", takes_arrays=True) == messages.HINT_ARRAYS
    other = f"import math as F, t, join\n{line}"
    assert hint_for(failure, other, library="numpy", takes_arrays=True) == ""


def test_a_line_with_thousands_of_names_takes_no_time() -> None:
    line = "x = " + " + ".join(f"name{number}" for number in range(20_000))
    failure = Failure(Stage.RETURNED, "NameError", line=1, suggestion="zzz")
    started = time.process_time()
    assert hint_for(failure, line, library="numpy", takes_arrays=True) == ""
    assert time.process_time() - started < 0.2


@pytest.mark.parametrize(
    "code",
    [
        '"""\n' + ("a." * 490 + "inf\n") * 50 + '"""\n',
        "inf." * 12_000,
        ("a." * 490 + "inf\n") * 50,
        "x = inf\n" * 6_000,
        "(inf)\n" * 8_000,
    ],
    ids=["text", "one line", "attributes", "names", "brackets"],
)
def test_an_infinity_is_looked_for_in_no_time(code: str) -> None:
    started = time.process_time()
    for _ in range(20):  # each case with NaN asks
        assert hint_for_result(Stage.FINITE, (), code) == ""
    assert time.process_time() - started < 2


def test_a_device_is_looked_for_in_no_time() -> None:
    code = "x.to(y)\n" + "a = b + c + d  # cuda\n" * 2_300
    failure = Failure(Stage.RETURNED, "RuntimeError", "CUDA", line=1)
    started = time.process_time()
    assert hint_for(failure, code, library="torch", takes_arrays=True) == ""
    assert time.process_time() - started < 0.05


def test_lines_are_counted_as_python_counts_them() -> None:
    code = "x = 'a\x0cb\u2028c'\r\ny = 1\rz = open('x')\n>>> x"
    failure = Failure(Stage.IMPORTS, "SyntaxError", line=4)
    assert hint_for(failure, code, library="numpy", takes_arrays=False) == messages.HINT_CONSOLE


NBSP = "\u00a0"


@pytest.mark.parametrize(
    ("kind", "code", "line", "said"),
    [
        ("SyntaxError", f"x = 1\ny{NBSP}= 2", 2, "Line 2, column 2 has a no-break space (U+00A0)"),
        # Of the line that failed first, and where that has none, of the first that has one.
        ("SyntaxError", "x = −1\ny = −2", 2, "Line 2, column 5 has a minus sign (U+2212)"),
        ("SyntaxError", "x = −1\ny = (", 2, "Line 1, column 5 has a minus sign (U+2212)"),
        ("IndentationError", "if x:\n\u3000y", 2, "has an ideographic space (U+3000)"),
        ("SyntaxError", "x = y²", 1, "(U+00B2): Python does not accept it in code."),
        ("SyntaxError", "x = 1\x07", 1, "has a control character (U+0007): remove it."),
        ("SyntaxError", "x = 1\u2028y = 2", 1, "(U+2028): write a new line instead."),
        ("SyntaxError", "x = “a” # “b”", 1, 'quotation mark (U+201C): write `"` instead.'),
        ("NameError", "x = 1\nprint(x\ufe0f)", 2, "(U+FE0F): remove it."),
        ("NameError", "print(\u02bcready\u02bc)", 1, "(U+02BC): write `'` instead."),
    ],
)
def test_an_odd_character_is_named_with_its_place(
    kind: str, code: str, line: int, said: str
) -> None:
    failure = Failure(Stage.IMPORTS, kind, line=line)
    sentence = hint_for(failure, code, library="numpy", takes_arrays=False)
    assert said in sentence
    assert len(sentence.split()) <= 20
    assert brief_for(failure, code).startswith(f"line {sentence.split()[1].rstrip(',')} has a")


@pytest.mark.parametrize(
    ("kind", "code"),
    [
        ("SyntaxError", "x = '“−'  # − \u00a0\ny = ("),
        ("NameError", "x = 1\ufe0f\ny = z"),  # in another line
        ("ValueError", "x = “a”"),
        ("NameError", "x = y\u00e9"),
        ("", "x = −1"),
    ],
)
def test_a_character_that_is_not_to_blame_is_not_named(kind: str, code: str) -> None:
    failure = Failure(Stage.RETURNED, kind, line=2)
    assert hint_for(failure, code, library="numpy", takes_arrays=False) == ""
    assert brief_for(failure, code) == ""


def test_a_grading_cleans_its_code_once() -> None:
    code = "x = “graded once”"
    before = clean_code.cache_info().misses
    for _ in range(2):
        assert hint("SyntaxError", code)
        assert brief_for(Failure(Stage.IMPORTS, "SyntaxError", line=1), code)
    assert clean_code.cache_info().misses == before + 1


def test_prose_and_prompts_are_told_as_before() -> None:
    for line, said in (
        ("Here’s the code you asked for", messages.HINT_PASTED),
        (">>> x = “a”", messages.HINT_CONSOLE),
    ):
        assert hint("SyntaxError", line, arrays=False) == said


@pytest.mark.parametrize(
    ("code", "line", "said"),
    [
        ("def f(n):\n    return f(n)", 2, "On line 2, f calls itself again and again"),
        ("def f(n):\n    return g(n)\ndef g(n):\n    return f(n)", 2, "line 2, f calls g, which"),
        ("def f(n):\n    g(n)\ndef g(n):\n    h(n)\ndef h(n):\n    f(n)", 6, "h calls f, which"),
        ("f = lambda n: f(n)", 1, "On line 1, f calls itself"),
        ("class A:\n    def forward(self, x):\n        return self(x)", 3, "forward calls itself"),
        ("class A:\n    def run(self):\n        self.run()", 3, "run calls itself"),
        ("def f(n):\n    def g(m):\n        return g(m)\n    return g(n)", 3, "g calls itself"),
        ("def f(n):\n    return len(n)", 2, ""),
        ("def f(n):\n    return 'f(n)' # f(n)", 2, ""),
        ("raise RecursionError('f calls itself')", 1, ""),
        ("class A(B):\n    def __init__(self):\n        super().__init__()", 3, ""),
        ("def f(n):\n    return g(n)\ndef g(n):\n    return 1", 2, ""),
    ],
)  # fmt: skip
def test_a_function_that_calls_itself_is_named(code: str, line: int, said: str) -> None:
    failure = Failure(Stage.RETURNED, "RecursionError", line=line)
    sentence = hint_for(failure, code, library="numpy", takes_arrays=False)
    assert said in sentence
    assert bool(said) == bool(sentence)
    assert hint_for(replace(failure, type="ValueError"), code, library="", takes_arrays=False) == ""


@pytest.mark.sandbox
def test_a_call_that_is_stopped_in_a_library_names_the_call_again(
    table_pack: CasePack, student: Sandbox
) -> None:
    code = (
        "import copy\ndef sinusoidal_table(n, d, base=1e4):\n    x = copy.deepcopy([[n]])\n"
        "    return sinusoidal_table(n, d, base)\n"
    )
    report = grade_code(table_pack, code, student)
    assert report.first_fault is not None
    assert "On line 4, sinusoidal_table calls itself" in report.first_fault.message


NOTEBOOK = '{"cells": [{"cell_type": "code", "source": "x = 1"}], "metadata": %s, "nbformat": 4}'
SAYS_SO = """
import json, os, struct
text = json.dumps({"kind": "load", "arrays": [], "failure":
    {"rung": "imports", "type": "SyntaxError", "line": 1}}).encode()
os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
text = b'{"kind": "end", "arrays": []}'
os.write(3, struct.pack("<4sIQ", b"PEQ1", len(text), 0) + text)
os._exit(0)
"""


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("code", "parsed"),
    [
        ("x = (", False),
        ("if x:\n    y\n\tz", False),
        ("print(“a”)", False),
        ("(" * 300, False),
        ("-" * 19_000 + "1", False),
        (NOTEBOOK % "{}", False),
        (NOTEBOOK % "null", False),
        ("raise SyntaxError('x', ('submission.py', 1, 1, 'x'))", True),
        ("exec('x = (')", True),
        ("import math\nraise IndentationError", True),
        ("x = 1", True),
        (SAYS_SO, True),
    ],
)
def test_only_what_python_cannot_read_is_said_to_be_so(
    code: str, parsed: bool, table_pack: CasePack, student: Sandbox
) -> None:
    """What the code itself says, as an exception or as a frame, does not make it unreadable."""
    report = grade_code(table_pack, code, student)
    assert (report.verdict.value, report.parsed) == ("could_not_run", parsed)
    assert Report.from_json(json.loads(json.dumps(report.as_json()))).parsed is parsed


def test_a_line_that_is_not_there_gives_no_hint() -> None:
    for line in (None, -1, 0, 2, 10**9):
        failure = Failure(Stage.RETURNED, "SyntaxError", line=line)
        assert hint_for(failure, ">>> x", library="numpy", takes_arrays=True) == ""
