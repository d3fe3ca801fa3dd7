"""The commands a newcomer types: what they are called, and how they refuse."""

import os
import re
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.child_environment import child_environment

ROOT = Path(__file__).resolve().parents[2]
VERBS = ["run", "install", "audit", "test", "quick", "format", "soak", "lint", "check", "bench"]
VERBS += ["fuzz", "clean"]


def make(*arguments: str, cwd: Path = ROOT, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [shutil.which("make") or "make", *arguments],
        cwd=cwd,
        env=child_environment() | environment,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture
def fresh(tmp_path: Path) -> Path:
    """A checkout in which nothing is installed: just the files that set things up."""
    shutil.copytree(ROOT / "tools", tmp_path / "tools")
    for path in [ROOT / "Makefile", *ROOT.glob("requirements*.txt")]:
        shutil.copy(path, tmp_path)
    return tmp_path


def fake_python(folder: Path, script: str) -> str:
    path = folder / "fake-python"
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return str(path)


def path_without_apt(folder: Path) -> str:
    """Return a PATH with a few plain programs: no apt-get, no sudo, no bubblewrap."""
    programs = folder / "bin"
    programs.mkdir()
    for name in ("bash", "cat", "dirname", "flock", "grep", "head", "id", "rm", "sh", "touch"):
        (programs / name).symlink_to(shutil.which(name) or name)
    return str(programs)


def test_make_alone_lists_every_verb_with_one_line() -> None:
    lines = make().stdout.splitlines()
    assert [line.split()[1] for line in lines] == VERBS
    assert all(len(line.split()) > 4 for line in lines)


def test_the_gate_calls_the_test_command_in_ci_mode() -> None:
    gate = ROOT / ".ci" / "run"
    assert "CI=true exec make test" in gate.read_text()
    assert os.access(gate, os.X_OK)


@pytest.mark.parametrize(
    ("port", "says"),
    [
        ("http", "must be a whole number between 1 and 65535"),
        ("0", "must be a whole number between 1 and 65535"),
        ("65536", "must be a whole number between 1 and 65535"),
        ("-1", "must be a whole number between 1 and 65535"),
        ("٨٠٨٠", "must be a whole number between 1 and 65535"),
    ],
)
def test_a_port_that_is_none_is_named_before_anything_starts(port: str, says: str) -> None:
    run = serve(PORT=port)
    assert run.returncode == 1
    assert run.stdout == ""
    assert f"PORT={port}" in run.stderr
    assert says in run.stderr


def test_a_port_in_use_is_named_before_anything_starts() -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        run = serve(PORT=port)
    assert run.returncode == 1
    assert run.stdout == ""
    assert f"PORT={port}: Address already in use" in run.stderr
    assert "make run PORT=" in run.stderr


def test_a_host_that_is_none_is_named() -> None:
    run = serve(HOST="no-such-host.invalid")
    assert run.returncode == 1
    assert "HOST=no-such-host.invalid" in run.stderr


def serve(**environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "tools/serve.py"],
        cwd=ROOT,
        env=child_environment() | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def test_an_old_python_is_named_with_the_cure(fresh: Path) -> None:
    old = fake_python(fresh, 'case "$1" in -V) echo "Python 3.9.2";; *) exit 1;; esac')
    run = make("environment", cwd=fresh, PYTHON=old)
    assert run.returncode != 0
    assert "Python 3.11 or newer is needed" in run.stderr
    assert "(Python 3.9.2)" in run.stderr
    assert "cure:" in run.stderr
    assert not (fresh / ".venv").exists()


def test_no_python_at_all_is_named(fresh: Path) -> None:
    run = make("environment", cwd=fresh, PYTHON="no-such-python")
    assert run.returncode != 0
    assert "found: none" in run.stderr


def test_a_python_without_ensurepip_is_named_with_the_package(fresh: Path) -> None:
    bare = fake_python(
        fresh,
        f'case "$2" in *ensurepip*) exit 1;; *) exec {sys.executable} "$@";; esac',
    )
    run = make("environment", cwd=fresh, PYTHON=bare, PATH=path_without_apt(fresh))
    assert run.returncode != 0
    assert re.search(r"apt-get install -y python3\.\d+-venv", run.stderr)


@pytest.mark.slow
@pytest.mark.parametrize("copies_pip", [False, pytest.param(True, marks=pytest.mark.soak)])
def test_an_unreachable_index_is_a_stop_with_cures_and_no_half_environment(
    fresh: Path, copies_pip: bool
) -> None:
    """Half of the time goes by with pip's copy, so the gate takes the one that is there."""
    with_ours = "--without-pip --system-site-packages"
    quick = fake_python(
        fresh,
        f'case "$2" in venv) exec {sys.executable} -m venv {with_ours} "$3";;'
        f' *) exec {sys.executable} "$@";; esac',
    )
    run = make(
        "environment",
        cwd=fresh,
        PYTHON=sys.executable if copies_pip else quick,
        PIP_CONFIG_FILE=os.devnull,
        PIP_INDEX_URL="http://127.0.0.1:9/",
        PIP_FIND_LINKS="",
        PIP_RETRIES="0",
    )
    assert run.returncode != 0
    assert "STOPPED: pip could not install" in run.stderr
    assert "without a network" in run.stderr
    assert (fresh / ".venv.unfinished").exists()


def test_packages_never_stop_the_set_up(fresh: Path) -> None:
    """Without apt-get, sudo and bubblewrap: the exact line to type, and exit 0."""
    run = subprocess.run(
        ["tools/packages.sh", "sandbox"],
        cwd=fresh,
        env={"PATH": path_without_apt(fresh)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert "code is not graded without it" in run.stderr
    assert "sudo apt-get update && sudo apt-get install -y bubblewrap" in run.stderr
