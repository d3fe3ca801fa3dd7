"""The bubblewrap command around a fork server: what it sees, and nothing else.

Seen: the interpreter, the libraries it maps, the profile's packages at /site, the inside files at
/sandbox, /dev/null and /dev/urandom. No /proc, no network, no home, no environment.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from pathlib import Path

from quizzes.grader.errors import SandboxUnavailable
from quizzes.grader.sandbox.host_files import Interpreter, find_interpreter, import_roots
from quizzes.grader.sandbox.profiles import Profile

OWN_PATH = "/sandbox"
PACKAGES = "/site"
HUGE_PAGES = Path("/sys/kernel/mm/transparent_hugepage")
PROCESSOR = Path("/proc/cpuinfo")
_ROOT = Path(__file__).resolve().parents[3]
_GRADER = _ROOT / "quizzes/grader"
# Beside what is in `inside`: the codec and the cases, and the names by which authors import `Case`.
_SHARED = (
    "quizzes/grader/protocol/wire.py",
    "quizzes/grader/protocol/case.py",
    "quizzes/grader/case.py",
    "ordinal_exercise/__init__.py",
)
_NOBODY = "65534"
_SCRATCH_BYTES = str(4 << 20)

_ALONE = [
    *("--unshare-all", "--unshare-user", "--disable-userns", "--die-with-parent", "--new-session"),
    *("--cap-drop", "ALL", "--clearenv", "--hostname", "sandbox"),
    *("--uid", _NOBODY, "--gid", _NOBODY),
]
# A killed worker cannot end what it started, and bubblewrap alone does not: --die-with-parent holds
# for each of its two halves only once that half has asked the kernel for it. Killed in between, the
# outer half leaves the inner one waiting for its word for ever. So the parent of bubblewrap is this
# shell, which outlives the worker: the end of the worker, however it comes, closes the pipe at
# descriptor {pipe}. Then bubblewrap gets a second to set up both halves, and is killed; what is in
# it goes with it. A line through the pipe says that it is set up, and is a kill at once.
_LAUNCH = """
exec {pipe}<&0 </dev/null
"$@" {pipe}<&- &
sandbox=$!
{{ read -r _ <&{pipe} || sleep 1; kill -0 $$ && kill -KILL $sandbox; }} 2>/dev/null &
watch=$!
exec {pipe}<&-
wait $sandbox
code=$?
kill -KILL $watch 2>/dev/null
exit $code
"""
_ONE_THREAD = dict.fromkeys(("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS"), "1")


@dataclass(frozen=True)
class Command:
    """The command line, and the paths that a locked-down child may read."""

    arguments: list[str]
    readable: list[str]


def build_command(profile: Profile, control: int) -> Command:
    """Return the command that starts the profile's fork server; raises SandboxUnavailable."""
    interpreter = find_interpreter()
    arguments = [*_launcher(control), find_bubblewrap(), *_ALONE]
    arguments += _bind_interpreter(interpreter)
    arguments += _bind_packages(profile)
    arguments += _bind_own_files()
    arguments += _bind_devices(profile)
    arguments += ["--remount-ro", "/", "--chdir", "/"]
    for name, value in _environment(profile, interpreter).items():
        arguments += ["--setenv", name, value]
    # Not -I: it would ignore PYTHONPATH and PYTHONMALLOC.
    arguments += [str(interpreter.executable), "-S", "-s", "-P", "-B"]
    arguments += ["-m", "quizzes.grader.inside.fork_server", str(control)]
    folders = [*interpreter.library_folders, interpreter.standard_library]
    readable = [*map(str, folders), PACKAGES, "/dev/null", "/dev/urandom"]
    if profile.has_torch:
        readable.append(str(PROCESSOR))
    return Command(arguments, readable)


def _launcher(control: int) -> list[str]:
    pipe = 3 if control != 3 else 4
    return ["/bin/sh", "-c", _LAUNCH.format(pipe=pipe), "sh"]


def find_bubblewrap() -> str:
    """Return the path of `bwrap`; raises SandboxUnavailable."""
    path = shutil.which("bwrap")
    if path is None:
        raise SandboxUnavailable(
            "bubblewrap (bwrap) is not installed.", "Install it with `apt-get install bubblewrap`."
        )
    return path


def _bind_interpreter(interpreter: Interpreter) -> list[str]:
    arguments: list[str] = []
    for top in ("/lib", "/lib64"):
        if Path(top).is_symlink():
            arguments += ["--symlink", str(Path(top).readlink()), top]
    folders = [*interpreter.library_folders, interpreter.standard_library]
    files = [interpreter.executable, *interpreter.library_files]
    for path in [*folders, *files]:
        arguments += _bind(path, str(path))
    if not any(interpreter.loader.is_relative_to(folder) for folder in folders):
        place = interpreter.loader.parent.resolve() / interpreter.loader.name
        arguments += _bind(interpreter.loader.resolve(), str(place))
    for folder in interpreter.hidden:
        arguments += ["--tmpfs", str(folder), "--remount-ro", str(folder)]
    return arguments


def _bind_packages(profile: Profile) -> list[str]:
    arguments: list[str] = []
    for name, path in sorted(import_roots(profile.distributions).items()):
        arguments += _bind(path, f"{PACKAGES}/{name}")
    return arguments


def _bind_own_files() -> list[str]:
    arguments: list[str] = []
    inside = sorted((_GRADER / "inside").glob("*.py"))
    for path in (*(_ROOT / name for name in _SHARED), *inside):
        arguments += _bind(path, f"{OWN_PATH}/{path.relative_to(_ROOT)}")
    return arguments


def _bind_devices(profile: Profile) -> list[str]:
    arguments = []
    for device in ("/dev/null", "/dev/urandom"):
        arguments += ["--dev-bind", device, device]
    if profile.has_torch:
        # Without the first, every float16 operation of torch raises. glibc asks the second
        # whether huge pages are on. torch's compiler looks for a temporary folder on import.
        arguments += _bind(PROCESSOR, str(PROCESSOR))
        if HUGE_PAGES.is_dir():
            arguments += _bind(HUGE_PAGES, str(HUGE_PAGES))
        arguments += ["--size", _SCRATCH_BYTES, "--tmpfs", "/tmp"]  # noqa: S108
    return arguments


def _environment(profile: Profile, interpreter: Interpreter) -> dict[str, str]:
    libraries = [*interpreter.library_folders, *{f.parent for f in interpreter.library_files}]
    environment = {
        "HOME": "/",
        "LANG": "C.UTF-8",
        "LD_LIBRARY_PATH": ":".join(map(str, libraries)),
        "PYTHONPATH": f"{OWN_PATH}:{PACKAGES}",
        "PYTHONHASHSEED": "0",
        **_ONE_THREAD,
    }
    if profile.has_torch:  # huge pages cut the time of a fork to a fifth
        environment["PYTHONMALLOC"] = "malloc"
        environment["GLIBC_TUNABLES"] = "glibc.malloc.hugetlb=1"
    return environment


def _bind(source: Path, target: str) -> list[str]:
    return ["--ro-bind", str(source), target]
