"""The environment in which other people's libraries are raced against ours, made when needed.

It lies on top of .venv/, so torch, numpy and posenc are the same; the libraries of
requirements-bench.txt are installed into .venv-bench/ alone.
"""

import hashlib
import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
ENVIRONMENT = ROOT / ".venv-bench"
PYTHON = ENVIRONMENT / "bin" / "python"
STAMP = ENVIRONMENT / "stamp"
REQUIREMENTS = ROOT / "requirements-bench.txt"


def run_beside_peers() -> None:
    """Return when this process can import the peers; else make their environment and start over.

    Ends the program with exit code 2 and a cure when they cannot be installed.
    """
    if Path(sys.prefix).resolve() == ENVIRONMENT.resolve():
        return
    if not _is_whole():
        _make()
    os.execv(PYTHON, [str(PYTHON), *sys.argv])


def python_of_peers() -> Path:
    """Return the interpreter of the peers' environment, which is made when it is missing.

    Ends the program with exit code 2 and a cure when they cannot be installed.
    """
    if not _is_whole():
        _make()
    return PYTHON


def are_there() -> bool:
    """Return whether the peers' environment exists and is complete."""
    return _is_whole()


def _wanted() -> str:
    """Return the stamp of a complete environment: its place and its contents."""
    content = REQUIREMENTS.read_bytes() + sysconfig.get_path("purelib").encode()
    return hashlib.sha256(content + str(ENVIRONMENT).encode()).hexdigest()


def _is_whole() -> bool:
    return STAMP.is_file() and STAMP.read_text() == _wanted()


def _make() -> None:
    print(f"making {ENVIRONMENT.name}/ with the peers of {REQUIREMENTS.name}", file=sys.stderr)
    shutil.rmtree(ENVIRONMENT, ignore_errors=True)
    below = sysconfig.get_path("purelib")
    try:
        subprocess.run([sys.executable, "-m", "venv", str(ENVIRONMENT)], check=True)
        folder = next(ENVIRONMENT.glob("lib/python*/site-packages"))
        (folder / "below.pth").write_text(f"import site; site.addsitedir({below!r})\n")
        quiet = ["-qq", "--disable-pip-version-check", "--no-input"]
        install = [str(PYTHON), "-m", "pip", "install", *quiet, "-r", str(REQUIREMENTS)]
        subprocess.run(install, check=True, cwd=ROOT)
    except subprocess.CalledProcessError as error:
        print(
            f"The peers could not be installed: {error}\n"
            "  cure: connect to a network and run this again, or measure ours alone: --alone",
            file=sys.stderr,
        )
        sys.exit(2)
    STAMP.write_text(_wanted())
