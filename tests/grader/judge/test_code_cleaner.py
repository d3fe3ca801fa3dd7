"""Cleaning pasted code: what is code becomes plain, strings and comments stay, valid code stays."""

import ast
import io
import json
import random
import re
import sys
import sysconfig
import tokenize
from collections.abc import Callable
from pathlib import Path
from types import FrameType
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from quizzes.grader.judge.code_text import cleaner as code_cleaner
from quizzes.grader.judge.code_text.cleaner import (
    CleanedCode,
    Steps,
    clean_code,
    kinds_of,
    notebook_code,
)
from tests.examples import examples
from tests.grader.conftest import ROOT

REFERENCES = sorted((ROOT / "quizzes/content").glob("*/exercises/*/*.py"))
LIBRARY = sorted(Path(sysconfig.get_paths()["stdlib"]).glob("test/*.py"))
BREAKS = re.compile("[\n\x0b\x85\u2028\u2029]")
SPACES = "\u00a0\u1680\u2000\u2003\u2007\u2009\u202f\u205f"
UNSEEN = "\u200b\u200c\u200d\u200e\u202a\u2060\u2066\ufeff\U000e0041\ufe0f\u034f\u115f"
DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d"
WIDE = {sign: chr(ord(sign) + 0xFEE0) for sign in "()[]{},:;=+*/<>.@%|&~!^"}
QUOTES = {'"': "“”„‟＂〝〞❝❞", "'": "‘’‚‛＇❛❜"}
ODD = f"“”‘’\"'«»′{SPACES[:2]}{UNSEEN[:3]}−×…（）＃１²→é✓\t\u2028"
# Texts of every kind: words, signs, odd characters, strings that end and that do not.
TEXTS = st.lists(
    st.sampled_from([*ODD, *"#\\\n {}()[]:!=", 'f"', '"""', "”””", "x = ", "    ", "if y:\n"])
    | st.text("abfr01 ", max_size=3),
    max_size=25,
).map("".join)


def valid(path: Path) -> str:
    try:
        code = path.read_text(encoding="utf-8")
        ast.parse(code)
    except (SyntaxError, ValueError):
        return ""
    return code.replace("\r\n", "\n")


def test_code_that_python_reads_stays() -> None:
    for path in [*REFERENCES, *LIBRARY[::60]]:
        code = valid(path)
        cleaned = clean_code(code)
        assert (cleaned.code, cleaned.is_changed, cleaned.unclear) == (code, False, ()), path


@pytest.mark.soak
@pytest.mark.filterwarnings("ignore")
def test_all_code_of_the_library_stays() -> None:
    """Except for names with what nobody sees, of which the library has one file."""
    changed = {path.name for path in LIBRARY if clean_code(valid(path)).is_changed}
    assert changed <= {"test_unicode_identifiers.py"}


def spoilt(code: str, draw: random.Random) -> str:
    """Return a program as a word processor leaves it; Python's own tokenizer says what is code."""
    lines, in_code = code.splitlines(keepends=True), lines_that_begin_in_code(code)
    places: list[tuple[int, int, int, str]] = []
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        (row, begin), (_, end) = token.start, token.end
        if token.type == tokenize.OP and token.string in WIDE:
            places.append((row, begin, end, WIDE[token.string]))
        elif token.type == tokenize.OP and token.string == "-":
            places.append((row, begin, end, draw.choice(DASHES)))
        elif token.type == tokenize.NAME:
            places.append((row, end, end, draw.choice(UNSEEN)))
        elif token.type == tokenize.STRING and re.fullmatch(r"(['\"])[^'\"\\\n]+\1", token.string):
            text = token.string[1:-1]
            leaning = [draw.choice(QUOTES[token.string[0]]) for _ in "ab"]
            if not any(text.count(sign) for sign in "“„‘‚"):
                places.append((row, begin, end, f"{leaning[0]}{text}{leaning[1]}"))
    for row, line in enumerate(lines, start=1):
        indentation = len(line) - len(line.lstrip(" "))
        for column in range(0, indentation if row in in_code else 0, 2):
            places.append((row, column, column + 1, draw.choice(SPACES)))
    for row, begin, end, new in sorted(places, reverse=True):
        if draw.random() < 0.5:
            lines[row - 1] = lines[row - 1][:begin] + new + lines[row - 1][end:]
    return "".join(lines)


def lines_that_begin_in_code(code: str) -> set[int]:
    """Return the lines, from 1, into which no string reaches."""
    rows = set(range(1, code.count("\n") + 2))
    for token in tokenize.generate_tokens(io.StringIO(code).readline):
        if token.type == tokenize.STRING:
            rows -= set(range(token.start[0] + 1, token.end[0] + 1))
    return rows


SHORT = [path for path in REFERENCES if path.name == "reference.py"]


@pytest.mark.parametrize("path", SHORT, ids=lambda path: path.parent.name)
def test_spoilt_code_comes_back(path: Path) -> None:
    code = valid(path)
    for seed in range(2):
        text = spoilt(code, random.Random(seed))
        assert text != code
        cleaned = clean_code(text)
        assert cleaned.code == code
        assert not cleaned.unclear


@examples(200)
@given(TEXTS)
def test_cleaned_code_is_clean_and_keeps_its_lines(text: str) -> None:
    cleaned = clean_code(text)
    again = clean_code(cleaned.code)
    assert (again.code, again.is_changed) == (cleaned.code, False)
    assert len(BREAKS.split(cleaned.code)) == len(BREAKS.split(text))
    assert cleaned.is_changed == (cleaned.code != text)


@examples(100)
@given(st.lists(st.text(f"ab {ODD}", max_size=8), min_size=1, max_size=6))
def test_strings_and_comments_keep_their_text(texts: list[str]) -> None:
    lines = [f"x{number} = f({text!r}, y)  # {text!a}" for number, text in enumerate(texts)]
    code = "\n".join(lines) + "\n# “quoted” − × \u00a0\n'''“\n\u00a0”'''\n"
    assert clean_code(code).code == code
    spoilt_code = code.replace("f(", "f\uff08").replace(", y", ",\u00a0y")
    assert clean_code(spoilt_code).code == code


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("print(“ready”)", 'print("ready")'),
        ('print("ready”)', 'print("ready")'),
        ('print(“ready")', 'print("ready")'),
        ('x = “say "hi"”', "x = 'say \"hi\"'"),
        ("x = “it’s”", 'x = "it’s"'),
        ("x = ‘it’s’", "x = 'it’s'"),
        ('f(“a", “b”)', 'f("a", "b")'),
        ('{〝a“: x, "b": y}', '{"a": x, "b": y}'),
        ("x = „hallo“", 'x = "hallo"'),
        ("x = “”", 'x = ""'),
        ("print(« prêt »)", 'print("prêt")'),
        ("x = ʼaʼ", "x = 'a'"),
        ("обʼєкт = 1", "обʼєкт = 1"),
        ("”””doc\nmore”””", '"""doc\nmore"""'),
        ("print(f“{x − 1}: “ok””)", 'print(f"{x - 1}: “ok”")'),
        ('f"{x − 1:×>3} “{a} × b”"', 'f"{x - 1:×>3} “{a} × b”"'),
        ("f'{{−}} {−x!r:{−w}}'", "f'{{−}} {-x!r:{-w}}'"),
        (r"f'\N{MINUS SIGN}{−x}'", r"f'\N{MINUS SIGN}{-x}'"),
        ("x = 1e−5", "x = 1e-5"),
        ("x＝１２＋x２", "x=12+x２"),
        ("ｄｅｆ f()： ｐass", "def f(): pass"),
        ("2·x × 3 ÷ y ≤ z ≠ 1", "2*x * 3 / y <= z != 1"),
        ("x[…, 0]", "x[..., 0]"),
        ("def f() → int: pass", "def f() -> int: pass"),
        ("foo\u00adbar", "foobar"),
        ("f(\u00ad1)", "f(\u00ad1)"),
        ("x = 1\u2028y = 2", "x = 1\ny = 2"),
        ("if x:\n\u3000\u3000return", "if x:\n    return"),
        ("＃ “a”\nx＝1", "# “a”\nx=1"),
        ("x′ = y²", "x′ = y²"),
    ],
)
def test_examples_become_what_was_meant(text: str, code: str) -> None:
    assert clean_code(text).code == code


def test_what_may_mean_several_things_is_named_alone() -> None:
    cleaned = clean_code("a = 1\nx = y² ✓")
    assert not cleaned.is_changed
    assert [(item.line, item.column, item.old) for item in cleaned.unclear] == [
        (2, 6, "²"),
        (2, 8, "✓"),
    ]


def test_changes_are_counted_by_kind_with_their_places() -> None:
    cleaned = clean_code("if x:\n\u00a0\u00a0y = “a” − 1")
    places = [(item.line, item.column, item.old) for item in cleaned.replacements]
    assert places == [(2, 1, "\u00a0"), (2, 2, "\u00a0"), (2, 7, "“"), (2, 9, "”"), (2, 11, "−")]
    assert list(kinds_of(cleaned.replacements)) == [
        ("\u00a0", " ", 2),
        ("“", '"', 1),
        ("”", '"', 1),
        ("−", "-", 1),
    ]


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("def f():\n    x = 1\n\treturn x\n", "def f():\n    x = 1\n    return x\n"),
        ("def f():\n        x = 1\n\treturn x\n", "def f():\n        x = 1\n        return x\n"),
        (
            "if a:\n\tif b:\n\t    c\n\t\td\n",
            "if a:\n    if b:\n        c\n        d\n",
        ),
        ("if a:\n\tb = '''\n\t'''\n\tc\n", None),  # tabs alone are Python's
        ("if a:\n  b\n\tc\n", "if a:\n  b\n  c\n"),
        ("x = (1,\n\t2,\n    3)\n", None),
    ],
)
def test_mixed_tabs_become_the_spaces_that_fit(text: str, code: str | None) -> None:
    assert clean_code(text).code == (code or text)
    ast.parse(clean_code(text).code)


@examples(150)
@given(
    st.lists(
        st.tuples(
            st.text(" \t", max_size=5),
            st.sampled_from(["x", "if x:", "# c", "", "y = [", "]", "z = \\"]),
        ),
        max_size=6,
    )
)
def test_tabs_change_only_where_python_refuses_them(lines: list[tuple[str, str]]) -> None:
    code = "".join(f"{space}{word}\n" for space, word in lines)
    cleaned = clean_code(code)
    if cleaned.tabs:
        with pytest.raises(SyntaxError):
            compile(code, "f", "exec")
    else:
        assert cleaned.code == code


def notebook(*cells: object, **more: object) -> str:
    listed = [{"cell_type": "code", "source": cell} for cell in cells]
    return json.dumps({"cells": listed, "metadata": {"x": None}, "nbformat": 4} | more)


def test_the_code_of_a_notebook_file_is_taken_out() -> None:
    text = json.loads(
        notebook(["%matplotlib inline\n", "import math\n"], "!pip install x\nmath?\n")
    )
    text["cells"].insert(1, {"cell_type": "markdown", "source": "# Words"})
    text["cells"] += [
        {"cell_type": "code", "source": "%%bash\nls\n"},
        {
            "cell_type": "code",
            "source": "%%time\nx = (5\n     %3)\nif x:\n    !ls\ns = '''\n%s\n'''",
        },
    ]
    code = clean_code(json.dumps(text, indent=1)).code
    assert code == (
        "# %matplotlib inline\nimport math\n\n# !pip install x\n# math?\n\n# %%bash\n# ls\n\n"
        "# %%time\nx = (5\n     %3)\nif x:\n    pass  # !ls\ns = '''\n%s\n'''\n"
    )
    ast.parse(code)
    assert clean_code(code).code == code


@pytest.mark.parametrize(
    "text",
    [
        "{'cells': []}",
        '{"cells": 3}',
        '{"cells": [1], "nbformat": 4}',
        '{"cells": []}',
        '{"cells": [{"x": 1}], "nbformat": 4}',
        '["cells"]',
        'cells = {"cells": [], "nbformat": 4}',
        '{"cells": [' + "[" * 9000,
        "",
    ],
)
def test_other_texts_are_no_notebook_file(text: str) -> None:
    assert notebook_code(text) is None


def test_a_notebook_of_before_and_one_with_odd_characters_are_read() -> None:
    old = {"worksheets": [{"cells": [{"cell_type": "code", "input": "x = 1"}]}], "nbformat": 3}
    assert clean_code(json.dumps(old | {"cells": None})).code == "x = 1\n"
    assert clean_code("\ufeff" + notebook("x\u00a0= “a”")).code == 'x = "a"\n'
    inner = notebook("y = 2")
    assert clean_code(notebook(inner)).code == "y = 2\n"


MOST_CHARACTERS = 20_000  # of a submission
LINES_A_STEP = 30  # of the cleaner's program, for each step that it counts
PIECES = [
    *(
        "f'",
        'f"',
        "'",
        '"',
        "rf'",
        "'''",
        '"""',
        "f'''",
        'f"""',
        "“",
        "”",
        "‘",
        "’",
        "«",
        "»",
        "′",
        "″",
    ),
    *(
        "{",
        "}",
        "{{",
        "!r",
        ":",
        "(",
        "\\",
        "#",
        "＃",
        "\n",
        "\t",
        "a",
        "é",
        "\u00a0",
        "\u00ad",
        "\u2028",
    ),
]


def long_text(start: str, parts: list[str], end: str) -> str:
    """Return parts again and again, as much as a submission may have, with a start and an end."""
    part = "".join(parts)
    text = start + part * (MOST_CHARACTERS // len(part) + 1)
    return text[: MOST_CHARACTERS - len(end)] + end


ANY_ORDER = st.integers().map(lambda seed: random.Random(seed).choices(PIECES, k=MOST_CHARACTERS))
LONG_TEXTS = st.builds(
    long_text,
    st.sampled_from(["", "f'{", "x = 1\n"]),
    st.lists(st.sampled_from(PIECES), min_size=1, max_size=7) | ANY_ORDER,
    st.sampled_from(["", "“", "’", "\n“a”"]),
)
SLOW_TEXTS = [  # by what took seconds, or nearly
    long_text("", [part], "“") for part in ["f'{»\"′", "\u00ad‘", "“‘a", "f'''{", 'f\'{a "b" ']
]


def lines_run(text: str) -> int:
    """Return how many lines of the cleaner run for a text; it fails where they are too many."""
    count, most = 0, LINES_A_STEP * code_cleaner.MOST_STEPS

    def trace(frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        nonlocal count
        if frame.f_code.co_filename != code_cleaner.__file__:
            return None
        count += event == "line"
        assert count <= most
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        clean_code.__wrapped__(text)
    finally:
        sys.settrace(before)
    return count


def steps_taken(text: str) -> tuple[CleanedCode, int]:
    """Return the cleaned text and how many steps its cleaning counted."""
    counters: list[Steps] = []

    class Counted(Steps):
        def __init__(self) -> None:
            super().__init__()
            counters.append(self)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_cleaner, "Steps", Counted)
        cleaned = clean_code.__wrapped__(text)
    return cleaned, sum(counter.taken for counter in counters)


def check_steps(text: str) -> None:
    """Compare the steps of a text with their bound; a text that has more stays as it is."""
    cleaned, steps = steps_taken(text)
    assert steps <= code_cleaner.MOST_STEPS + MOST_CHARACTERS
    assert steps or text.isascii()
    if steps > code_cleaner.MOST_STEPS:
        assert cleaned == CleanedCode(text)


@settings(max_examples=10, deadline=None)
@given(LONG_TEXTS)
def test_no_text_takes_more_steps(text: str) -> None:
    check_steps(text)


@pytest.mark.parametrize("text", SLOW_TEXTS)
def test_what_took_long_takes_no_more_steps(text: str) -> None:
    check_steps(text)


@pytest.mark.soak
@examples(100)
@given(LONG_TEXTS)
def test_steps_count_what_the_program_does(text: str) -> None:
    """By Python's own count of lines: no loop goes on without steps."""
    assert lines_run(text) <= LINES_A_STEP * (steps_taken(text)[1] + len(text))


def test_lines_of_slow_texts_are_few() -> None:
    text = SLOW_TEXTS[0][:1_000]
    assert lines_run(text) <= LINES_A_STEP * (steps_taken(text)[1] + len(text))


def test_long_programs_stay_far_from_the_most_steps() -> None:
    """All references, spoilt, as long as a submission may be: a fifth of the steps is enough."""
    code = "\n".join(valid(path) for path in SHORT)[:MOST_CHARACTERS]
    code = code[: code.rindex("\n\n\n")]
    for text in (
        spoilt(code, random.Random(1)),
        code.replace('"', "”"),
        code.replace(" ", "\u00a0"),
    ):
        cleaned, steps = steps_taken(text)
        assert cleaned.is_changed
        assert steps < code_cleaner.MOST_STEPS / 5
    one_line = "x = [" + "“a”, " * 3_000 + "]"
    assert steps_taken(one_line)[0].code == one_line.replace("“", '"').replace("”", '"')


def test_a_notebook_of_slow_texts_is_taken_out_as_it_is() -> None:
    cell = SLOW_TEXTS[0][:9_000]
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(code_cleaner, "MOST_STEPS", 1_000)
        assert notebook_code(notebook(cell)) == f"{cell}\n"
        assert clean_code.__wrapped__(notebook(cell)) == CleanedCode(notebook(cell))


def test_a_text_is_cleaned_once_for_all_who_ask() -> None:
    text = "x\u00a0= “once”"
    assert clean_code(text) is clean_code(text)
    assert clean_code.cache_parameters()["maxsize"] < 20  # of texts that may be long
