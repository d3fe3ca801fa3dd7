"""Commands of manage.py for a database of their own, one after the other in one process."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from tests.child_environment import child_environment
from tools.with_postgres import programs

ROOT = Path(__file__).resolve().parents[2]
# One process for all of them: to start one takes more than a second.
COMMANDS = """
import contextlib, io, json, sys
from django.core.management import ManagementUtility
said = []
for arguments in json.loads(sys.argv[1]):
    out, err, code = io.StringIO(), io.StringIO(), 0
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        try:
            ManagementUtility(["manage.py", *arguments]).execute()
        except SystemExit as end:
            code = end.code
    said.append([code, out.getvalue(), err.getvalue()])
print(json.dumps(said))
"""


@dataclass(frozen=True)
class Said:
    """How a command ended, and what it wrote."""

    code: int
    out: str
    error: str


def manage(url: str, folder: Path, *commands: Sequence[str], path: str = "") -> list[Said]:
    """Run these commands of manage.py on a database, with its site's files in `folder`.

    Programs are looked for in `path`, then among PostgreSQL's, then as usual.
    """
    settings = {
        "DATABASE_URL": url,
        "ORDINAL_VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        "PATH": f"{path}{programs() / 'bin'}:{os.environ['PATH']}",
    }
    run = subprocess.run(
        [sys.executable, "-c", COMMANDS, json.dumps(commands)],
        cwd=ROOT,
        env=child_environment() | settings,
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return [Said(*one) for one in json.loads(run.stdout.splitlines()[-1])]
