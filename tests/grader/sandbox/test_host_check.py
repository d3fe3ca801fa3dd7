"""What a machine offers; that nothing runs where the sandbox cannot be had or does not hold."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from quizzes.grader.errors import SandboxUnavailable
from quizzes.grader.protocol.job import Ending, Job, Run
from quizzes.grader.sandbox import (
    bubblewrap,
    fork_server,
    host_check,
    open_sandbox,
    self_test,
)
from quizzes.grader.sandbox.host_check import check_host
from quizzes.grader.sandbox.seccomp import this_architecture
from tests.grader.conftest import ROOT

TRY_IT = """
import sys
sys.path[:0] = [{root!r}, {packages!r}]
from quizzes.grader.case import Case
from quizzes.grader.protocol.job import Job
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox.factory import open_sandbox
source = "import numpy as np, ctypes, lzma, sqlite3\\ndef f(n): return np.linalg.svd(np.eye(n))[1]"
with open_sandbox("numpy") as sandbox:
    case = Case("a", {{"n": 3}})
    seen = read_run(sandbox.run(Job(source, "f", (case,))), [case])
    print(seen.load_failure or seen.observations[0].leaves["out"].values.sum())
"""


def test_every_lack_has_a_cure() -> None:
    findings = check_host()
    assert [finding.name for finding in findings][:3] == ["system", "architecture", "bubblewrap"]
    for finding in findings:
        assert finding.detail
        assert finding.ok or finding.cure


def test_a_machine_without_bubblewrap_is_told_what_to_install(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    finding = next(f for f in check_host() if f.name == "bubblewrap")
    assert not finding.ok
    assert "apt-get install bubblewrap" in finding.cure
    with pytest.raises(SandboxUnavailable, match="not installed"), open_sandbox("numpy"):
        pass


@pytest.mark.parametrize(
    ("script", "said"),
    [
        (
            "#!/bin/sh\necho 'bwrap: No permissions to create new namespace' >&2; exit 1",
            "namespace",
        ),
        ("#!/bin/sh\nexec sleep 0", "hung up"),
    ],
)
def test_a_bubblewrap_that_fails_is_quoted(
    script: str, said: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "bwrap").write_text(script)
    (tmp_path / "bwrap").chmod(0o755)
    monkeypatch.setattr(bubblewrap.shutil, "which", lambda _name: str(tmp_path / "bwrap"))
    with pytest.raises(SandboxUnavailable) as caught, open_sandbox("numpy"):
        pass
    assert said in caught.value.reason
    assert "sandbox_check" in caught.value.cure


def test_ubuntus_restriction_has_its_own_cure(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    (tmp_path / "restricted").write_text("1\n")
    monkeypatch.setattr(host_check, "_APPARMOR", tmp_path / "restricted")
    monkeypatch.setattr(host_check, "find_bubblewrap", lambda: "/bin/false")
    finding = next(f for f in check_host() if f.name == "user namespaces")
    assert not finding.ok
    assert "AppArmor" in finding.cure


def test_another_system_is_told_where_the_worker_can_run(monkeypatch: pytest.MonkeyPatch) -> None:
    """On macOS the other questions would end the process: it has no such system calls."""
    monkeypatch.setattr(sys, "platform", "darwin")
    monkeypatch.setattr(host_check, "_CHECKS", (lambda: pytest.fail("a Linux kernel was asked"),))
    (finding,) = check_host()
    assert not finding.ok
    assert "Linux virtual machine" in finding.cure


def test_an_unknown_machine_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("platform.machine", lambda: "riscv64")
    with pytest.raises(SandboxUnavailable, match="riscv64"):
        this_architecture()


def test_an_unknown_profile_is_our_mistake() -> None:
    with pytest.raises(ValueError, match="profile='root'"), open_sandbox("root"):
        pass


@pytest.mark.sandbox
@pytest.mark.parametrize("attack", sorted(self_test._ATTACKS))
def test_an_attack_that_succeeds_keeps_grading_off(
    attack: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    harmless = {
        name: "None" if name == attack else text for name, text in self_test._ATTACKS.items()
    }
    monkeypatch.setattr(self_test, "_ATTACKS", harmless)
    said = f"submitted code could {attack}"
    with pytest.raises(SandboxUnavailable, match=said), open_sandbox("numpy"):
        pass


@pytest.mark.sandbox
def test_a_missing_filter_keeps_grading_off(monkeypatch: pytest.MonkeyPatch) -> None:
    allow_all = bytes.fromhex("060000000000ff7f")
    monkeypatch.setattr(fork_server, "assemble", lambda _architecture: allow_all)
    with pytest.raises(SandboxUnavailable, match="self-test"), open_sandbox("numpy"):
        pass


@pytest.mark.sandbox
def test_a_filter_that_the_kernel_refuses_keeps_grading_off(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(fork_server, "assemble", lambda _architecture: b"\xff" * 8)
    with pytest.raises(SandboxUnavailable) as caught, open_sandbox("numpy"):
        pass
    assert "not confined" in caught.value.reason


def test_a_wrong_answer_keeps_grading_off() -> None:
    def lie(_job: Job) -> Run:
        return Run(Ending.DIED, (), b"", 0.0, "crashed")

    with pytest.raises(SandboxUnavailable, match="a correct job"):
        self_test.self_test(lie)


@pytest.mark.sandbox
@pytest.mark.covering(most=1)
@pytest.mark.parametrize("kind", ["copied", "system", "this one"])
def test_any_interpreter_will_do(kind: str, tmp_path: Path) -> None:
    """A system interpreter, one in an odd place, and this one (whatever it is)."""
    import numpy

    if kind == "system":
        python = Path("/usr/bin/python3")
    elif kind == "copied":
        python = copied_interpreter(tmp_path / "odd place")
    else:
        python = Path(sys.executable)
    if not python.exists():
        pytest.skip(f"{python} is not there")
    version = subprocess.run([python, "-V"], capture_output=True, text=True, check=True).stdout
    if version.split()[1].split(".")[:2] != [str(number) for number in sys.version_info[:2]]:
        pytest.skip(f"{python} is {version.strip()}: numpy is built for another one")
    script = TRY_IT.format(root=str(ROOT), packages=str(Path(numpy.__file__).parents[1]))
    run = subprocess.run([python, "-c", script], capture_output=True, text=True, check=False)
    assert run.stdout.strip() == "3.0", run.stderr


def copied_interpreter(prefix: Path) -> Path:
    """A copy of the interpreter below this virtual environment."""
    base, name = Path(sys.base_prefix), "python{}.{}".format(*sys.version_info[:2])
    clutter = shutil.ignore_patterns("site-packages", "dist-packages", "test", "__pycache__")
    shutil.copytree(base / "lib" / name, prefix / "lib" / name, ignore=clutter)
    for library in (base / "lib").glob("libpython*.so*"):
        shutil.copy2(library, prefix / "lib" / library.name, follow_symlinks=False)
    (prefix / "bin").mkdir()
    shutil.copy2(Path(sys.executable).resolve(), prefix / "bin" / name)
    return prefix / "bin" / name
