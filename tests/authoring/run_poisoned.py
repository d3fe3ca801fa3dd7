"""Run management commands on poisoned courses, each in a process of its own with a time limit.

Reads the arguments of a command from each line of standard input, a JSON list, and answers with a
line of [exit code, output, seconds]; an exit code below 0 is the signal that ended the process,
SIGALRM that of a command that hangs. Django is set up once and the processes are forked: fifty
starts cost a minute.
"""

import json
import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import NoReturn

import django
from django.core.management import execute_from_command_line

from tests.authoring.small_course import copy_course

SECONDS = 60  # of a command that hangs, on a busy machine too


def run(arguments: list[str]) -> tuple[int, str, float]:
    """Return what one command ended with and printed."""
    began = time.monotonic()
    with tempfile.TemporaryFile() as said:
        child = os.fork()
        if child == 0:
            _become(arguments, said.fileno())
        _, status = os.waitpid(child, 0)
        said.seek(0)
        output = said.read().decode("utf-8", "surrogateescape")
    return os.waitstatus_to_exitcode(status), output, time.monotonic() - began


def _become(arguments: list[str], output: int) -> NoReturn:
    signal.alarm(SECONDS)
    os.dup2(output, 1)
    os.dup2(output, 2)
    try:
        execute_from_command_line(["manage.py", *arguments])
    except SystemExit as end:
        code = end.code if isinstance(end.code, int) else int(end.code is not None)
    except BaseException:
        sys.excepthook(*sys.exc_info())
        code = 70
    else:
        code = 0
    sys.stdout.flush()
    sys.stderr.flush()
    os._exit(code)


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    django.setup()
    from quizzes.authoring.course_files import read_course_files
    from quizzes.content_files.files import DiskFiles

    with tempfile.TemporaryDirectory() as folder:  # what every command loads is loaded once, here
        read_course_files(DiskFiles(copy_course(Path(folder))))
    for line in sys.stdin:
        print(json.dumps(run(json.loads(line))), flush=True)
