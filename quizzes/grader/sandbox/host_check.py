"""What this machine offers for the sandbox, and what to do where something is missing."""

from __future__ import annotations

import ctypes
import platform
import re
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from quizzes.grader.errors import SandboxUnavailable
from quizzes.grader.sandbox.bubblewrap import HUGE_PAGES, find_bubblewrap
from quizzes.grader.sandbox.host_files import closure, find_interpreter, is_installed
from quizzes.grader.sandbox.profiles import AUTHOR, NUMPY
from quizzes.grader.sandbox.seccomp import this_architecture

OLDEST_BUBBLEWRAP = (0, 8)  # the first with --disable-userns
SECONDS = 10
_LANDLOCK_CREATE_RULESET, _LANDLOCK_VERSION = 444, 1
_APPARMOR = Path("/proc/sys/kernel/apparmor_restrict_unprivileged_userns")
_USER_NAMESPACES = Path("/proc/sys/user/max_user_namespaces")
_ACTIONS = Path("/proc/sys/kernel/seccomp/actions_avail")


@dataclass(frozen=True)
class HostCheck:
    """One thing the sandbox needs: whether it is there, the detail, the cure if not."""

    name: str
    ok: bool
    detail: str
    cure: str = ""


def check_host() -> list[HostCheck]:
    """Check every requirement in the order in which it should be put right; open no sandbox.

    Elsewhere than on Linux the first is all there is to say: the others ask a Linux kernel.
    """
    system = _system()
    return [system, *(check() for check in _CHECKS)] if system.ok else [system]


def _system() -> HostCheck:
    ok = sys.platform == "linux"
    cure = (
        "Run the worker in a Linux virtual machine or container (see docs/operations.md); "
        "the site itself runs anywhere."
    )
    return HostCheck("system", ok, f"{platform.system()} {platform.release()}", "" if ok else cure)


def _architecture() -> HostCheck:
    return _tried("architecture", lambda: this_architecture().name)


def _bubblewrap() -> HostCheck:
    def version() -> str:
        path = find_bubblewrap()
        text = _run(path, "--version").stdout.strip()
        numbers = tuple(map(int, re.findall(r"\d+", text)))
        if numbers[:2] < OLDEST_BUBBLEWRAP:
            wanted = ".".join(map(str, OLDEST_BUBBLEWRAP))
            raise SandboxUnavailable(f"{path}: {text}", f"Install bubblewrap {wanted} or newer.")
        return f"{path}: {text}"

    return _tried("bubblewrap", version)


def _user_namespaces() -> HostCheck:
    def attempt() -> str:
        flags = ["--unshare-all", "--unshare-user", "--disable-userns", "--ro-bind", "/", "/"]
        run = _run(find_bubblewrap(), *flags, "true")
        if run.returncode != 0:
            raise SandboxUnavailable(run.stderr.strip(), _namespace_cure())
        return "bubblewrap can make them"

    return _tried("user namespaces", attempt)


def _namespace_cure() -> str:
    if _reads(_APPARMOR) == "1":
        return (
            "AppArmor restricts them (as on Ubuntu 24.04): install the profile for bwrap (see "
            "docs/operations.md), or run "
            "`sudo sysctl kernel.apparmor_restrict_unprivileged_userns=0`."
        )
    if _reads(_USER_NAMESPACES) == "0":
        return "They are switched off: run `sudo sysctl user.max_user_namespaces=10000`."
    return (
        "In a container, allow nested user namespaces, for example `--security-opt "
        "seccomp=unconfined --security-opt apparmor=unconfined` (see docs/operations.md)."
    )


def _seccomp() -> HostCheck:
    found = _reads(_ACTIONS)
    ok = {"kill_process", "errno", "allow"} <= set(found.split())
    cure = "Use a kernel with CONFIG_SECCOMP_FILTER."
    return HostCheck("seccomp", ok, found or "not offered", "" if ok else cure)


def _landlock() -> HostCheck:
    number = ctypes.c_long(_LANDLOCK_CREATE_RULESET)
    syscall = ctypes.CDLL(None, use_errno=True).syscall
    abi = int(syscall(number, None, ctypes.c_size_t(0), _LANDLOCK_VERSION))
    ok = abi >= 1
    cure = "Use Linux 5.13 or newer with landlock in its list of security modules (`lsm=`)."
    return HostCheck("Landlock", ok, f"ABI {abi}" if ok else "not offered", "" if ok else cure)


def _interpreter() -> HostCheck:
    return _tried("interpreter", lambda: str(find_interpreter().executable))


def _packages() -> HostCheck:
    names = {*NUMPY.distributions, *AUTHOR.distributions}
    return _tried("packages", lambda: ", ".join(sorted(closure(names))))


def _torch() -> HostCheck:
    """Look for torch, not required: without it, NumPy exercises are graded all the same."""
    found = "installed" if is_installed("torch") else "not installed: PyTorch code is not graded"
    return HostCheck("torch", True, found)


def _huge_pages() -> HostCheck:
    """Look for huge pages, not required: without them a fork of torch takes five times as long."""
    setting = re.search(r"\[(\w+)\]", _reads(HUGE_PAGES / "enabled"))
    found = setting[1] if setting else "not offered"
    note = " (torch submissions are slower)" if found in ("never", "not offered") else ""
    return HostCheck("huge pages", True, found + note)


_CHECKS: tuple[Callable[[], HostCheck], ...] = (
    _architecture,
    _bubblewrap,
    _user_namespaces,
    _seccomp,
    _landlock,
    _interpreter,
    _packages,
    _torch,
    _huge_pages,
)


def _tried(name: str, attempt: Callable[[], str]) -> HostCheck:
    try:
        return HostCheck(name, True, attempt())
    except SandboxUnavailable as error:
        return HostCheck(name, False, error.reason, error.cure)
    except (OSError, subprocess.SubprocessError) as error:
        return HostCheck(name, False, f"{type(error).__name__}: {error}", "See the message.")


def _run(*command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command line
        command, capture_output=True, text=True, check=False, timeout=SECONDS, env={}
    )


def _reads(path: Path) -> str:
    try:
        return path.read_text().strip()
    except OSError:
        return ""
