"""One run tells all: every fault of every file of a course, and nothing that is no fault.

Below, each kind of file has as many faults as can stand in it, four at least where it is YAML. They
are all told where the file is alone, and together with those of all others in one run; nothing else
is told beside them.
"""

import re
import shutil
from pathlib import Path

import pytest

from quizzes.lessons.models import Course
from tests.authoring.test_check_and_load import run
from tests.content.lesson_text import COURSE
from tests.lessons.course import write_course

EXERCISE = "exercises/inv-freq"
QUESTION = """\
step: first/one
prompt: Which?
options: [{text: a, key: true, reason: x}, {text: b, reason: y, mistake: inv-freq/minus}]
"""
NUMERIC = "kind: numeric\nstep: first/one\nprompt: How many?\nanswer: {value: 4, reason: x}\n"
DRAWN = "step: first/one\nprompt: Other numbers.\nexercise: inv-freq\n"
QUIZ = "title: A quiz\nsummary: Short.\nquestions: [plain, number, drawn]\n"
MAP = """\
concepts:
  - {slug: order, title: Order, summary: Before., steps: [first/one], exercises: [inv-freq]}
"""
STEP = """\
Words, [a link](/exercises/inv-freq/).

```question
slug: plain
```

```exercise
slug: inv-freq
```
"""
FILES = {
    "questions/plain/question.yaml": QUESTION,
    "questions/number/question.yaml": NUMERIC,
    "questions/drawn/question.yaml": DRAWN,
    "questions/drawn/generate.py": "def generate(rng, exercise):\n    return {}\n",
    "quizzes/first-quiz.yaml": QUIZ,
    "map.yaml": MAP,
    "lessons/first/steps/02-two.md": STEP,
}
FAULTS = {
    "course.yaml": (
        "title: 7\nsummary: !!str x\nlessons: [first, first]\ntitle: again\nowner: me\n"
        'sources: {paper: {text: A paper, url: "http://x.org"}}\n',
        [
            "1: title: 7: must be text",
            "2: tag",
            "3: lessons: 'first' is listed twice",
            "4: key 'title' appears here a second time",
            "5: owner: unknown field",
            "6: url: 'http://x.org': must start with https://",
        ],
    ),
    "map.yaml": (
        "concepts:\n  - slug: Order\n    title: [1]\n    summary: x\n    requires: [none]\n"
        "    step: [first/one]\n",
        [
            "2: slug: 'Order': must be a slug",
            "2: steps: missing",
            "3: title: [1]: must be text",
            "5: requires: 'none': there is no such concept",
            "6: step: unknown field",
        ],
    ),
    "lessons/first/lesson.yaml": (
        "title: yes\nsummery: x\nform: cartoon\nsteps:\n  - slug: one\n    title: One\n"
        "    sources: [{work: papyrus}]\n  - {slug: two, title: Two, sources: []}\n",
        [
            "1: summary: missing",
            "2: summery: unknown field",
            "3: form: 'cartoon': must be one of",
            "7: work: 'papyrus' is not among the sources",
            "8: sources: must not be empty",
        ],
    ),
    "lessons/first/steps/01-one.md": (
        "# One\n\n$\\foo$\n\n```nonsense\n```\n\n{{ value nothing() }}\n\n[x](/quiz/none/)\n\n"
        "```question\nslug: gone\nslug: gone\n```\n",
        [
            "1: a heading starts with ##",
            "3: formula",
            "5: 'nonsense' is neither a block",
            "8: value nothing",
            "10: link /quiz/none/: there is no such page",
            "12: there is no question 'gone'",
            "14: key 'slug' appears here a second time",
        ],
    ),
    "questions/plain/question.yaml": (
        "kind: essay\nstep: first/nine\nprompt: $\\foo$\noptions:\n"
        "  - {text: a, key: true, reason: 3}\n  - {text: b, reasons: y}\ntags: [x, 1e999]\n",
        [
            "1: kind: 'essay': must be one of",
            "2: step: there is no step first/nine",
            "3: formula",
            "5: reason: 3: must be text",
            "6: reason: missing",
            "6: reasons: unknown field",
            "7: 1e999: must be a finite number",
        ],
    ),
    "questions/number/question.yaml": (
        "kind: numeric\nstep: nowhere\nprompt: ''\nanswer:\n  value: many\n  within: half\n"
        "  reason: x\n  near: [{value: 5, reason: y, mistake: gone}]\n",
        [
            "2: step: 'nowhere': must be <lesson>/<step>",
            "3: prompt: must not be empty",
            "5: value: 'many'",
            "6: within: 'half': must be a number",
            "8: mistake: 'gone': must be <exercise>/<known mistake>",
        ],
    ),
    "questions/drawn/question.yaml": (
        "step: first/one\nprompt: [x]\nexercise: none\nkeep_last: 1\nanswer: {value: 1}\n",
        [
            "2: prompt: ['x']: must be text",
            "3: exercise: there is no exercise 'none'",
            "4: keep_last: 1: must be true or false",
            "5: answer: unknown field",
        ],
    ),
    "questions/drawn/generate.py": ("x = 1\ny = (\n", ["2: the program cannot be read"]),
    "quizzes/first-quiz.yaml": (
        "titel: x\nsummary: $\\foo$\nquestions: [plain, plain, gone]\n",
        [
            "1: titel: unknown field",
            "1: title: missing",
            "2: formula",
            "3: questions: 'plain' is listed twice",
            "3: questions: there is no question 'gone'",
        ],
    ),
    f"{EXERCISE}/exercise.yaml": (
        "title: no\nname: inv freq\nkind: poem\nlibrary: numpy\nsignature: inv_freq(d)\n"
        "dtypes: [float32, float65]\ntolerance:\n  atol: -1\nlimits: {wall_seconds: '2'}\n"
        "step: first/one\nstep: first/two\nhint: [x]\n",
        [
            "1: returns: missing",
            "2: name: 'inv freq': must be a Python name",
            "3: kind: 'poem': must be one of",
            "6: dtypes: 'float65': must be one of",
            "8: tolerance.atol: -1: must be a number",
            "8: tolerance.why: missing",
            "9: limits.wall_seconds: '2': must be a number",
            "11: key 'step' appears here a second time",
            "12: hint: unknown field",
        ],
    ),
    f"{EXERCISE}/cases.py": ("def cases(rng):\n    yield 1\nx = (\n", ["3: the program cannot"]),
    f"{EXERCISE}/reference.py": ("def inv_freq(d)\n    pass\n", ["1: the program cannot be read"]),
    f"{EXERCISE}/statement.md": (
        "1. Do it.\n\n$\\foo$\n\n{{ value nothing() }}\n",
        ["3: formula", "5: value nothing"],
    ),
    f"{EXERCISE}/starter.py": ("  \n", ["1: is missing or empty"]),
    f"{EXERCISE}/wrong/new.py": (
        '"""It is wrong.\n\nStp: first/one\nKind: poem\nKind: mistake\n"""\nif\n',
        [
            "1: expected a line `Breaks: ...`",
            "3: 'Stp: first/one': expected one of Does:, Should:, Number:, Step:, Kind:, Breaks:",
            "4: Kind: 'poem': expected mistake or convention",
            "5: Kind: appears twice",
            "7: the program cannot be read",
        ],
    ),
}
UNREADABLE = {
    path: text
    for text, paths in {
        "a: [1\n": [path for path in FAULTS if path.endswith(".yaml")],
        "\0": ["lessons/first/steps/01-one.md", f"{EXERCISE}/statement.md"],
    }.items()
    for path in paths
}


@pytest.fixture
def course(tmp_path: Path) -> Path:
    """A sound course with every kind of file."""
    course = write_course(tmp_path, {"one": "Words.", "two": "Words."})
    for name, text in FILES.items():
        (course / name).parent.mkdir(parents=True, exist_ok=True)
        (course / name).write_text(text)
    shutil.copytree(COURSE / EXERCISE, course / EXERCISE)
    for file in (course / EXERCISE / "exercise.yaml", *course.glob(f"{EXERCISE}/wrong/*.py")):
        file.write_text(re.sub(r"(?im)^(step: *).*", r"\1first/one", file.read_text()))
    mistake = sorted(course.glob(f"{EXERCISE}/wrong/*.py"))[0].stem
    question = course / "questions/plain/question.yaml"
    question.write_text(QUESTION.replace("minus", mistake))
    return course


def spoil(course: Path, name: str) -> list[str]:
    """Write a file with its faults; return how each of them is to be told."""
    text, told = FAULTS[name]
    (course / name).write_text(text)
    return [f"{name}:{problem}" for problem in told]


def expect(said: str, told: list[str]) -> None:
    """Compare what is printed with what is to be told: each fault has one line, and no more is."""
    lines = said.splitlines()[:-1]
    unsaid = [problem for problem in told if not any(line.startswith(problem) for line in lines)]
    more = [line for line in lines if not any(line.startswith(problem) for problem in told)]
    assert not unsaid, said
    assert not more, said
    assert len(lines) == len(told), said


def test_the_course_is_sound(course: Path) -> None:
    files_only = run("check_content", course, "--without-proofs")[1]
    assert "generate.py:1: seed 0" in files_only  # it returns nothing, which only running shows
    assert len(files_only.splitlines()) == 2, files_only


@pytest.mark.parametrize("name", FAULTS)
def test_all_faults_of_one_file_are_told(course: Path, name: str) -> None:
    told = spoil(course, name)
    code, said = run("check_content", course, "--without-proofs")
    assert code == 1
    expect(said, told)
    assert said.endswith(f"{len(told)} error{'s' * (len(told) != 1)} in {course}")


@pytest.mark.django_db
@pytest.mark.parametrize("command", ["check_content", "load_content"])
def test_all_faults_of_all_files_are_told_in_one_run(course: Path, command: str) -> None:
    told = [problem for name in FAULTS for problem in spoil(course, name)]
    flags = ["--without-proofs"] if command == "check_content" else []
    code, said = run(command, course, *flags)
    assert code == 1
    expect(said, told)
    assert not Course.objects.exists()


@pytest.mark.parametrize("name", UNREADABLE)
def test_a_file_that_cannot_be_read_hides_no_other_and_is_blamed_alone(
    course: Path, name: str
) -> None:
    """What refers to something in the file is no second fault."""
    (course / name).write_text(UNREADABLE[name])
    told = [f"{name}:"]
    folder = name.rpartition("/")[0]
    for other in FAULTS:
        if folder and other.startswith(folder) and other.endswith((".py", ".md")) and other != name:
            told += spoil(course, other)
    code, said = run("check_content", course, "--without-proofs")
    assert code == 1
    expect(said, told)


@pytest.mark.parametrize(
    ("name", "old", "new"),
    [
        ("course.yaml", "[first]", "[!!str first]"),
        ("lessons/first/lesson.yaml", "- slug: one", "- !!map\n    slug: one"),
        ("lessons/first/lesson.yaml", "slug: one", "slug: !!str one"),
        ("questions/plain/question.yaml", "[{text: a", "[!!map {text: a"),
        ("questions/plain/question.yaml", "{text: b", "!!map {text: b"),
        ("questions/plain/question.yaml", "key: true", "key: !!bool true"),
        ("questions/plain/question.yaml", "options: ", "options: !!seq "),
        (
            "questions/plain/question.yaml",
            "text: a, key: true, reason: x}, {text: b",
            "text: !!str a, key: true, reason: x}, {text: !!str b",
        ),
    ],
)
def test_a_value_that_is_refused_is_blamed_alone(
    course: Path, name: str, old: str, new: str
) -> None:
    """What stands beside it keeps its number, and nobody counts what cannot be counted."""
    text = (course / name).read_text()
    assert old in text
    (course / name).write_text(text.replace(old, new, 1))
    _, said = run("check_content", course, "--without-proofs")
    faults = set(said.splitlines()[:-1])
    assert faults
    assert all(fault.startswith(f"{name}:") for fault in faults), said
    assert all(": tag " in fault for fault in faults), said


def test_what_is_no_text_does_not_move_the_lessons_after_it(course: Path) -> None:
    path = course / "course.yaml"
    path.write_text(path.read_text().replace("[first]", "[7, first]"))
    _, said = run("check_content", course, "--without-proofs")
    expect(said, ["course.yaml:3: lessons: 7: must be text"])


@pytest.mark.parametrize("room", ["lessons", "questions", "exercises", "quizzes"])
def test_a_folder_that_cannot_be_read_is_blamed_alone(course: Path, room: str) -> None:
    (course / room).rename(course / f"_{room}")
    (course / room).write_text("")
    _, said = run("check_content", course, "--without-proofs")
    assert f"{room}:1: must be a folder" in said
    assert not re.search(
        "there is no (step|question|exercise|known)",
        said.replace("there is no exercise 'inv-freq'", "" if room == "exercises" else "told"),
    ), said


@pytest.mark.sandbox
def test_faults_of_files_do_not_hide_what_running_shows(course: Path) -> None:
    told = spoil(course, "lessons/first/steps/01-one.md")
    reference = course / EXERCISE / "reference.py"
    reference.write_text(reference.read_text().replace("    return ", "    1 / 0; return "))
    (course / "questions/drawn/question.yaml").write_text("step: first/one\nprompt: Which?\n")
    code, said = run("check_content", course)
    assert code == 1
    assert all(problem in said for problem in told)
    assert f"{EXERCISE}/reference.py:" in said
    assert "questions/drawn/generate.py:1: seed 0" in said
    assert said.splitlines()[-1] == (
        f"{len(told)} errors in {course}; 1 of the exercises in {course} fail verification;"
        f" 1 of the generators in {course} fail"
    )


@pytest.mark.sandbox
@pytest.mark.parametrize(
    ("file", "old", "new", "told"),
    [
        ("exercise.yaml", "library: numpy", "library: nump", "library: 'nump': must be one of"),
        ("reference.py", "    return ", "    return (", "the program cannot be read"),
        ("reference.py", "    return ", "    1 / 0; return ", "ZeroDivisionError"),
    ],
)
def test_a_generator_is_not_blamed_for_its_exercise(
    course: Path, file: str, old: str, new: str, told: str
) -> None:
    draws = "def generate(rng, exercise):\n    exercise.mistaken(4)\n"
    (course / "questions/drawn/generate.py").write_text(draws)
    path = course / EXERCISE / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    _, said = run("check_content", course)
    assert f"{EXERCISE}/{file}:" in said
    assert told in said
    assert "questions/drawn" not in said, said


@pytest.mark.parametrize(
    ("file", "source", "words"),
    [
        ("cases.py", "def casess(rng):\n    yield 1\n", "does not define `cases`"),
        ("reference.py", "def inv_frq(d):\n    return d\n", "does not define `inv_freq`"),
        ("cases.py", "return 1\n", "'return' outside function"),
        ("cases.py", "x = " + "[" * 30_000, "the program cannot be read"),
        ("cases.py", "from somewhere import cases\n", ""),
        ("cases.py", "from somewhere import *\n", ""),
        ("cases.py", "globals()['cases'] = list\n", ""),
        ("cases.py", "if True:\n    cases = list\n", ""),
        ("cases.py", "def _set():\n    global cases\n    cases = list\n_set()\n", ""),
        ("reference.py", "class inv_freq:\n    pass\n", ""),
        ("starter.py", "def inv_freq(d):\n", ""),
    ],
)
def test_python_is_looked_at_without_running_it(
    course: Path, file: str, source: str, words: str
) -> None:
    (course / EXERCISE / file).write_text(source)
    (course / "questions/drawn/generate.py").unlink()
    (course / "questions/drawn/question.yaml").write_text(
        QUESTION.replace(", mistake: inv-freq/minus", "")
    )
    code, said = run("check_content", course, "--without-proofs")
    assert code == bool(words), said
    if words:
        expect(said, [f"{EXERCISE}/{file}:1: "])
        assert words in said
