"""Running `posenc` as a person does: in this process, or by `python -m posenc`."""

import json
import subprocess
import sys
from contextlib import chdir, nullcontext, redirect_stderr, redirect_stdout
from io import StringIO

from posenc.command_line import main


def run(*arguments, cwd=None):
    """Return the finished process of `python -m posenc ...`."""
    return subprocess.run(
        [sys.executable, "-m", "posenc", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def run_here(*arguments, cwd=None):
    """Return the same of this process, which takes a tenth: nothing is imported anew."""
    out, errors = StringIO(), StringIO()
    with redirect_stdout(out), redirect_stderr(errors), chdir(cwd) if cwd else nullcontext():
        code = main(arguments)
    return subprocess.CompletedProcess(arguments, code, out.getvalue(), errors.getvalue())


def said(*arguments, cwd=None, by=run_here):
    """Return what a command that must succeed printed, and nothing on standard error."""
    done = by(*arguments, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def as_json(*arguments, cwd=None):
    """Return what a command printed with --json."""
    return json.loads(said(*arguments, "--json", cwd=cwd))
