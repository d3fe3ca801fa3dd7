"""Every attack: no leak, an ending that is allowed, and the fork server serves on unharmed.

`# EXPECT:` names the verdicts an attack may end with (`any`: all but not_graded). A line `LEAK` on
its standard output is a hole. They are a regression suite and no proof: write more.
"""

import os
import re
import socket
import sys
import sysconfig
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from quizzes.grader.protocol.job import Job, Limits, Run
from quizzes.grader.sandbox import supervisor as supervising
from quizzes.grader.sandbox.profiles import AUTHOR, NUMPY, Profile
from quizzes.grader.sandbox.seccomp import this_architecture
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.grader.programs import never_recycled
from tests.shared_sandboxes import SECRET, shared_sandbox, shared_torch

pytestmark = pytest.mark.sandbox

HERE = Path(__file__).parent
PRELUDE = (HERE / "prelude.py").read_text()
MODULE_PRELUDE = PRELUDE + (HERE / "module_prelude.py").read_text()
ATTACKS = sorted((HERE / "attacks").glob("*.py"))
PATIENT_SECONDS = 30  # importing torch's parts alone takes seconds while other tests run
FUNCTION = {
    "exercise.yaml": """
title: Attacked
name: pe
kind: function
library: numpy
signature: pe(n, d)
returns: array
dtypes: [float32, float64]
tolerance: {atol: 2.5e-5, why: as the table}
limits: {wall_seconds: 5}
""",
    "statement.md": "A table.",
    "starter.py": "def pe(n, d): ...",
    "reference.py": PRELUDE + "\npe = good  # REFERENCE-TOKEN\n",
    "cases.py": """
from quizzes.grader.case import Case
def cases(rng):
    for n, d in ((2, 4), (5, 6), (9, 8), (64, 32)):
        yield Case(f"n={n}, d={d}", {"n": n, "d": d}, shown=True)
    yield Case("drawn", {"n": int(rng.integers(3, 90)), "d": 2 * int(rng.integers(2, 40))})
""",
}
MODULE = {
    **FUNCTION,
    "exercise.yaml": FUNCTION["exercise.yaml"]
    .replace("pe(n, d)", "Enc(d_model)")
    .replace("name: pe", "name: Enc")
    .replace("kind: function\nlibrary: numpy", "kind: module\nlibrary: torch")
    .replace("[float32, float64]", "[same]"),
    "reference.py": MODULE_PRELUDE + "\nclass Enc(Good): pass\n",
    "cases.py": """
import numpy as np
from quizzes.grader.case import Case
def cases(rng):
    x, init = np.ones((2, 5, 8), "f4"), {"d_model": 8, "max_len": 16}
    for probe in ("call", "call_eval", "call_half", "grad_input", "grad_parameters", "rows_unique"):
        yield Case(probe, {"x": x}, init=init, probe=probe, shown=True)
    drawn = rng.normal(size=(2, 5, 8)).astype("f4")
    yield Case("drawn", {"x": drawn}, init=init, probe="call_eval")
    yield Case("training", {"x": x}, init={**init, "dropout": 0.5}, probe="call_twice_train")
    yield Case("trained", init=init, probe="parameters")
    yield Case("moved", init=init, probe="buffers_and_state")
    yield Case("time", {"x": np.ones((2, 64, 8), "f4")}, init={"d_model": 8}, probe="time")
""",
}


class Recording:
    """A sandbox that remembers what the last run printed."""

    def __init__(self, supervisor: Supervisor) -> None:
        self.supervisor = supervisor
        self.stdout = b""

    def run(self, job: Job) -> Run:
        run = self.supervisor.run(job)
        self.stdout = run.stdout
        return run


@pytest.fixture(scope="module")
def canaries(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """A readable file, a socket, an abstract socket, a listening port: none may be reached."""
    folder = tmp_path_factory.mktemp("canary")
    (folder / "secret.txt").write_text(SECRET)
    (folder / "supervisor.py").write_text(SECRET)
    abstract = f"ordinal-canary-{os.getpid()}"
    with socket.socket(socket.AF_UNIX) as path, socket.socket(socket.AF_UNIX) as name:
        path.bind(os.path.relpath(folder / "canary.sock"))
        name.bind(f"\0{abstract}")
        with socket.create_server(("127.0.0.1", 0)) as port:
            for listener in (path, name):
                listener.listen()
            yield {
                "CANARY": str(folder),
                "ABSTRACT": abstract,
                "PORT": str(port.getsockname()[1]),
                "PYTHON": str(Path(sys.executable).resolve()),
                "STDLIB": sysconfig.get_path("stdlib"),
                "LIBRARIES": str(Path(sys.base_prefix) / "lib"),
            }
            port.setblocking(False)
            with pytest.raises(BlockingIOError):
                port.accept()  # nobody came


@pytest.fixture(scope="module")
def packs() -> Mapping[str, CasePack]:
    """The attacked exercises by their kind."""
    definitions = [read_definition("attacked", files) for files in (FUNCTION, MODULE)]
    author = shared_sandbox("author")
    return {item.kind: build_case_pack(item, author, seed=3) for item in definitions}


@pytest.fixture(scope="module")
def student() -> Iterator[Supervisor]:
    with started(NUMPY) as supervisor:
        yield supervisor


@pytest.fixture
def torch(monkeypatch: pytest.MonkeyPatch) -> Supervisor:
    """The shared one, which stays as it is: starting another takes 3 s of the processor."""
    monkeypatch.setattr(supervising, "USED_UP_AFTER", 1 << 30)
    return shared_torch()


@pytest.fixture(scope="module")
def author() -> Iterator[Supervisor]:
    with started(AUTHOR) as supervisor:
        yield supervisor


@pytest.fixture
def torch_author(monkeypatch: pytest.MonkeyPatch) -> Supervisor:
    monkeypatch.setattr(supervising, "USED_UP_AFTER", 1 << 30)
    return shared_torch("author")


@contextmanager
def started(profile: Profile) -> Iterator[Supervisor]:
    """A supervisor whose own environment holds a secret, and that is never recycled."""
    assert os.environ["ORDINAL_CANARY"] == SECRET
    with never_recycled(profile) as supervisor:
        yield supervisor


def tags(path: Path) -> dict[str, str]:
    """The `# EXPECT:` and other lines at the top of an attack."""
    return dict(re.findall(r"^# ([A-Z]+): *(.*)$", path.read_text(), re.MULTILINE))


def source(path: Path, canaries: dict[str, str]) -> str:
    """The prelude and the attack, aimed at this machine's canaries."""
    text = path.read_text()
    for name, value in canaries.items():
        text = text.replace(f"@{name}@", value)
    assert not re.search(r"@[A-Z]+@", text), "a target without a canary"
    prelude = MODULE_PRELUDE if kind_of(path) == "module" else PRELUDE
    return f"{prelude}\n{text}"


def kind_of(path: Path) -> str:
    """Whether a function or a module is attacked."""
    return tags(path).get("KIND", "function")


def skip_elsewhere(path: Path) -> None:
    wanted = tags(path).get("MACHINE")
    if wanted and this_architecture().name != wanted:
        pytest.skip(f"machine code or call numbers of {wanted}")


def limited(pack: CasePack, seconds: float) -> CasePack:
    """The same with another limit."""
    return replace(pack, entry=replace(pack.entry, limits=Limits(wall_seconds=seconds)))


def seconds_for(path: Path) -> float:
    """Little for an attack that runs into a limit; enough on a busy machine for any other.

    One on memory or output gets longer, since it is to meet that limit and not the clock's.
    """
    expected = tags(path)["EXPECT"]
    usual: float = 5 if expected == "any" else PATIENT_SECONDS
    if "limit_reached" in expected:
        usual = 0.7 if re.search("memory|output|result", path.name) else 0.3
    return float(tags(path).get("WALL", usual))


def attack(
    path: Path, canaries: dict[str, str], packs: Mapping[str, CasePack], supervisor: Supervisor
) -> None:
    skip_elsewhere(path)
    pack = packs[kind_of(path)]
    right = {"function": f"{PRELUDE}\npe = good\n", "module": MODULE["reference.py"]}
    before = supervisor.server_pid, supervisor.restarts
    recording = Recording(supervisor)
    expected = tags(path)["EXPECT"].split()
    report = grade_code(limited(pack, seconds_for(path)), source(path, canaries), recording)
    printed = recording.stdout.decode(errors="replace")
    assert "LEAK" not in printed, printed
    assert SECRET not in printed
    assert tags(path).get("PRINTS", "") in printed, f"the attack did not take place: {printed}"
    if "correct" in expected and re.search(r"\b(attempt|syscall)\(", path.read_text()):
        assert "BLOCKED" in printed, "no attack was even tried"
    assert report.verdict is not Verdict.NOT_GRADED
    assert expected == ["any"] or report.verdict in expected, report
    for _ in range(2):
        honest = grade_code(limited(pack, PATIENT_SECONDS), right[kind_of(path)], supervisor)
        assert honest.verdict is Verdict.CORRECT, honest
    assert (supervisor.server_pid, supervisor.restarts) == before
    assert not (Path(canaries["CANARY"]) / "PWNED").exists()


NUMPY_ATTACKS = [path for path in ATTACKS if tags(path).get("NEEDS") != "torch"]
TORCH_ATTACKS = [path for path in ATTACKS if tags(path).get("NEEDS") == "torch"]

OF_THE_MACHINE = [
    path
    for path in NUMPY_ATTACKS
    if path.stem.startswith(("0", "23", "41", "56", "files", "kernel", "environment", "channels"))
]


@pytest.mark.parametrize("path", NUMPY_ATTACKS, ids=lambda path: path.stem)
def test_students_sandbox_holds(
    path: Path, canaries: dict[str, str], packs: Mapping[str, CasePack], student: Supervisor
) -> None:
    attack(path, canaries, packs, student)


@pytest.mark.covering(most=4)
@pytest.mark.slow
@pytest.mark.parametrize("path", TORCH_ATTACKS, ids=lambda path: path.stem)
def test_torchs_sandbox_holds(
    path: Path, canaries: dict[str, str], packs: Mapping[str, CasePack], torch: Supervisor
) -> None:
    attack(path, canaries, packs, torch)


@pytest.mark.covering(most=8)
@pytest.mark.slow
@pytest.mark.parametrize("path", NUMPY_ATTACKS, ids=lambda path: path.stem)
def test_authors_sandbox_holds(
    path: Path, canaries: dict[str, str], packs: Mapping[str, CasePack], author: Supervisor
) -> None:
    attack(path, canaries, packs, author)


@pytest.mark.covering(most=2)
@pytest.mark.slow
@pytest.mark.parametrize("path", TORCH_ATTACKS, ids=lambda path: path.stem)
def test_authors_sandbox_with_torch_holds(
    path: Path, canaries: dict[str, str], packs: Mapping[str, CasePack], torch_author: Supervisor
) -> None:
    attack(path, canaries, packs, torch_author)


@pytest.mark.slow
@pytest.mark.parametrize("path", OF_THE_MACHINE, ids=lambda path: path.stem)
def test_torchs_own_files_open_nothing(
    path: Path, canaries: dict[str, str], packs: Mapping[str, CasePack], torch: Supervisor
) -> None:
    """Its file tree differs: a folder for temporary files, the processor's description."""
    attack(path, canaries, packs, torch)
