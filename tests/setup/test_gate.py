"""The lanes of the gate: every test has one, what it cost is told, nothing is left running."""

import importlib.util
import re
import subprocess
import sys
from collections import Counter
from itertools import product
from pathlib import Path
from types import ModuleType

import pytest

from tests.lanes import LEFT_OUT, QUICK_SECONDS, has_none_of, is_covering
from tests.whole_site import ROOT

FILES = sorted((ROOT / "tests").rglob("test_*.py"))


def load(name: str) -> ModuleType:
    spec = importlib.util.spec_from_file_location(name, ROOT / "tools" / f"{name}.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def gate(monkeypatch: pytest.MonkeyPatch) -> ModuleType:
    monkeypatch.syspath_prepend(str(ROOT / "tools"))
    return load("gate")


@pytest.mark.parametrize(
    ("text", "expression", "unread"),
    [
        ("def test_a(): pass", "not slow and not races", False),
        ("pytestmark = pytest.mark.slow\n", "not slow", True),
        ("pytestmark = [pytest.mark.db, pytest.mark.slow]\n", "not slow", True),
        ("pytestmark = [\n    pytest.mark.a,\n    pytest.mark.slow,\n]\n", "not slow", True),
        ("pytestmark = pytest.mark.slow\n", "slow", False),
        ("@pytest.mark.slow\ndef test_a(): pass", "not slow", False),
        ("def test_a(): pass", "races", True),
        ("@pytest.mark.races\ndef test_a(): pass", "races and not soak", False),
        ("def test_a(page): pass", "browser", False),
        ("def test_a(): pass", "races or slow", False),
        ("pytestmark = pytest.mark.slow\n", "not (slow or races)", False),
        ("def test_a(): pass", "", False),
        ("@pytest.mark.covering(times=2)\ndef test_a(): pass", "soak and races", True),
        ("@pytest.mark.covering(times=2)\ndef test_a(): pass", "soak and not races", False),
        ('@pytest.mark.both_databases(sqlite="soak")', "both_databases and soak", False),
    ],
)
def test_only_files_without_a_test_for_the_run_stay_unread(text, expression, unread) -> None:
    assert has_none_of(text, expression) == unread


@pytest.mark.parametrize("sizes", [(7,), (2, 2), (4, 2, 3), (5, 12), (46, 18)])
@pytest.mark.parametrize("times", [1, 2])
def test_the_covering_cells_of_a_grid_have_each_value_of_each_axis(sizes, times) -> None:
    cells = [cell for cell in product(*map(range, sizes)) if is_covering(cell, sizes, times=times)]
    for axis, size in enumerate(sizes):
        seen = Counter(cell[axis] for cell in cells)
        assert seen.keys() == set(range(size))
        assert min(seen.values()) >= min(times, len(sizes))
    assert len(cells) <= times * max(sizes)


@pytest.mark.parametrize(("size", "most"), [(60, 12), (10, 3), (3, 5)])
def test_of_a_long_axis_so_many_values_are_kept_and_the_first(size: int, most: int) -> None:
    kept = [place for place in range(size) if is_covering((place,), (size,), most=most)]
    assert len(kept) == min(size, most)
    assert kept[0] == 0


def test_every_file_is_read_by_a_lane_of_the_gate_or_is_all_soak(gate: ModuleType) -> None:
    commands = commands_of(gate)
    assert len(commands) == 8
    for path in FILES:
        text = path.read_text()
        assert any(takes(one, path, text) for one in commands) or re.search(
            r"^pytestmark = .*mark\.soak", text, re.M
        ), path


def commands_of(gate: ModuleType) -> list[list[str]]:
    """Return the commands that run tests."""
    lanes = (lane for phase, _ in gate.PHASES for lane in phase)
    return [list(lane.command) for lane in lanes if "-m" in lane.command]


def takes(command: list[str], path: Path, text: str) -> bool:
    """Say whether a lane's command reads a file."""
    rooms = [ROOT / word for word in command if word.startswith("tests/")]
    left = [ROOT / word.removeprefix("--ignore=") for word in command if "--ignore=" in word]
    asked = not rooms or any(room in path.parents for room in rooms)
    expression = command[command.index("-m") + 1]
    return (
        asked and not any(one in path.parents for one in left) and not has_none_of(text, expression)
    )


def test_no_file_is_read_by_two_lanes_for_the_same_tests(gate: ModuleType) -> None:
    for path in FILES:
        text = path.read_text()
        marks = [
            command[command.index("-m") + 1]
            for command in commands_of(gate)
            if takes(command, path, text)
        ]
        assert len(marks) == len(set(marks)), path


def test_the_budget_names_every_lane_and_what_it_cost(gate: ModuleType, tmp_path: Path) -> None:
    busy = "import time\nwhile time.process_time() < 0.3: pass\nprint('PASSED')"
    lanes = [gate.Lane("busy", [sys.executable, "-c", busy]), gate.Lane("broken", ["false"])]
    runs = [gate.start(lane, tmp_path, "") for lane in lanes]
    gate.wait_for_end(list(runs))
    rows = gate.budget(runs, 1.0).splitlines()
    assert rows[2].startswith("| busy | passed | ")
    assert rows[3].startswith("| broken | FAILED (1) | ")
    assert runs[0].processor >= 0.3
    assert runs[1].processor < 0.3
    assert rows[-1].startswith("| all, load ")


def test_a_second_try_is_told(gate: ModuleType, tmp_path: Path) -> None:
    lane = gate.Lane("shaky", ["echo", gate.ALONE])
    run = gate.start(lane, tmp_path, "")
    gate.wait_for_end([run])
    assert gate.outcome(run) == "second try"
    assert gate.ALONE in (ROOT / "tools/run_tests.py").read_text()


ORPHANS = """
import subprocess, sys
sys.path.insert(0, "tools")
import gate
gate.adopt_orphans()
subprocess.run(["sh", "-c", "setsid sleep 61 & setsid sh -c 'sleep 62; true' &"])
print(gate.end_what_is_left())
"""


@pytest.mark.slow  # it waits for what may end by itself
def test_what_loses_its_parent_is_ended_and_named() -> None:
    ran = subprocess.run(
        [sys.executable, "-c", ORPHANS], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert "sleep 61" in ran.stdout
    assert "sleep 62" in ran.stdout


def keep_busy(folder: Path) -> str:
    """Run two long tests, of which one says so, beside conftest.py, as the gate does."""
    seconds = QUICK_SECONDS + 0.1
    busy = f"    end = time.process_time() + {seconds}\n    while time.process_time() < end: pass\n"
    tests = f"def test_busy():\n{busy}@pytest.mark.slow\ndef test_marked():\n{busy}"
    (folder / "test_it.py").write_text(f"import time, pytest\n{tests}")
    asked = ["-q", "--name-slow", "-p", "tests.conftest", str(folder / "test_it.py")]
    return subprocess.run(
        [sys.executable, "-m", "pytest", *asked],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,  # seconds are the machine's: they fail nothing
    ).stdout


@pytest.mark.slow
def test_a_long_test_without_a_mark_is_named(tmp_path: Path, gate: ModuleType) -> None:
    assert "--name-slow" in gate.TESTS
    named = re.findall(r"to be marked slow: \d+\.\d\d s, .*::(\w+)", keep_busy(tmp_path))
    assert named == ["test_busy"]


@pytest.mark.parametrize(
    ("room", "folder"),
    [("quizzes/grader", "grader"), ("quizzes/grader/", "grader"), ("encodings", "posenc")],
)
def test_a_room_is_tested_by_its_folder(room: str, folder: str) -> None:
    assert load("quick").tests_of(room) == ROOT / "tests" / folder


def test_a_room_without_tests_is_named_with_those_that_are_there() -> None:
    with pytest.raises(SystemExit, match=r"T=quizzes/graders: no tests/graders/.*grader.*posenc"):
        load("quick").tests_of("quizzes/graders")


ALL_ROUND = {"setup", "site"}


@pytest.mark.parametrize(
    ("changed", "room", "other"),
    [
        ("quizzes/grader/judge/timing.py", "grader/judge", "grader/protocol"),
        ("quizzes/teaching/people/urls.py", "teaching", "study"),
        ("templates/teaching/people/log.html", "teaching", "study"),
        ("templates/mfa/index.html", "learners", "teaching"),
        ("encodings/src/posenc/figures/colours.py", "posenc/figures", "posenc/catalog"),
        ("tests/study/conftest.py", "study", "teaching"),
    ],
)
def test_quick_runs_tests_of_changed_room(changed: str, room: str, other: str) -> None:
    quick = load("quick")
    files = set(quick.quick_test_files([changed]))
    expected = {
        str(path.relative_to(ROOT))
        for path in FILES
        if ROOT / "tests" / room in path.parents and not has_none_of(path.read_text(), quick.QUICK)
    }
    assert expected
    assert expected <= files
    assert not any(name.startswith(f"tests/{other}/") for name in files)


@pytest.mark.parametrize("changed", ["static/css/base.css", "docs/where.md", "templates/base.html"])
def test_quick_always_runs_rules_of_whole_tree(changed: str) -> None:
    quick = load("quick")
    files = quick.quick_test_files([changed])
    assert {Path(name).parts[1] for name in files} == ALL_ROUND
    assert files == quick.quick_test_files([])


@pytest.mark.parametrize(
    ("changed", "line", "is_import"),
    [
        ("quizzes/hooks.py", "from quizzes.hooks import Hook", True),
        ("quizzes/hooks.py", "from quizzes import hooks", True),
        ("quizzes/hooks.py", "from quizzes import (\n    courses,\n    hooks,\n)", True),
        ("quizzes/hooks.py", "from quizzes.hooks_of import Hook", False),
        ("quizzes/hooks.py", "from quizzes import statements\nhooks = 1", False),
        ("quizzes/pages/__init__.py", "from quizzes.pages import blocks", True),
        ("encodings/src/posenc/rope.py", "import posenc.rope", True),
        ("encodings/src/posenc/__init__.py", "from posenc import Rope", True),
        ("encodings/src/posenc/__init__.py", "the library posenc", False),
        ("tests/factories.py", "from tests.factories import create_class", True),
    ],
)
def test_quick_finds_imports_of_changed_module(changed: str, line: str, is_import: bool) -> None:
    assert bool(load("quick").import_of(changed).search(line)) == is_import


def test_quick_runs_test_files_that_import_changed_module() -> None:
    files = load("quick").quick_test_files(["quizzes/grader/judge/report.py"])
    assert "tests/classes/test_week.py" in files
    assert "tests/setup/test_gate.py" in files


def test_quick_says_what_it_leaves_out_and_leaves_out_no_more() -> None:
    quick = load("quick")
    said = quick.left_out(quick.quick_test_files([]))
    assert all(mark in said for mark in LEFT_OUT)
    unread = [path for path in FILES if has_none_of(path.read_text(), quick.QUICK)]
    assert 0 < len(unread) < len(FILES) / 2
    for path in unread:
        assert re.search(r"^pytestmark = ", path.read_text(), re.M), path
