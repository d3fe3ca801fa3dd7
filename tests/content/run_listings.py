"""Runs programs, each in a child of its own: JSON {name: program} in, {name: what happened} out.

Started with -I by test_listings.py. NumPy is imported once, before the children are made, which is
all that they share: nothing that one of them changes is seen by another.
"""

import json
import os
import signal
import sys
import tempfile
import traceback
from typing import TextIO

import numpy  # noqa: F401

SECONDS = 30  # for one program


def run(program: str) -> dict[str, object]:
    """Return exit code, output and errors of a program, in a folder of its own."""
    with (
        tempfile.TemporaryDirectory() as folder,
        open(f"{folder}/out", "w+") as out,
        open(f"{folder}/errors", "w+") as errors,
    ):
        child = os.fork()
        if child == 0:
            os.dup2(out.fileno(), 1)
            os.dup2(errors.fileno(), 2)
            os.chdir(folder)
            signal.alarm(SECONDS)
            os._exit(exit_code_of(program))
        _, status = os.waitpid(child, 0)
        return {
            "code": os.waitstatus_to_exitcode(status),
            "out": read(out),
            "errors": read(errors),
        }


def exit_code_of(program: str) -> int:
    """Run it as the main program; 1 when it raises."""
    try:
        exec(compile(program, "listing.py", "exec"), {"__name__": "__main__"})
        sys.stdout.flush()
    except BaseException:
        traceback.print_exc()
        sys.stderr.flush()
        return 1
    return 0


def read(file: TextIO) -> str:
    """Return all that was written."""
    file.seek(0)
    return file.read()


if __name__ == "__main__":
    json.dump({name: run(program) for name, program in json.load(sys.stdin).items()}, sys.stdout)
