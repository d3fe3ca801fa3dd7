"""Running `python -m posenc` as a person does: in a process of its own."""

import json
import subprocess
import sys


def run(*arguments, cwd=None):
    """Return the finished process of `python -m posenc ...`."""
    return subprocess.run(
        [sys.executable, "-m", "posenc", *arguments],
        capture_output=True,
        text=True,
        check=False,
        cwd=cwd,
    )


def said(*arguments, cwd=None):
    """Return what a command that must succeed printed, and nothing on standard error."""
    done = run(*arguments, cwd=cwd)
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout


def as_json(*arguments, cwd=None):
    """Return what a command printed with --json."""
    return json.loads(said(*arguments, "--json", cwd=cwd))
