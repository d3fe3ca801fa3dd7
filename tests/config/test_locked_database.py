"""A request waits for SQLite's lock, then says 503; nothing is done twice. Web waits longest."""

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.child_environment import child_environment
from tests.databases import ROOT, copy_database, migrated_database

pytestmark = [pytest.mark.slow, pytest.mark.races]

WAITS_SECONDS = 2
# Another connection keeps the lock for so many seconds, while a wrong password is to be noted.
POST = """
import json, sqlite3, sys, threading, time
from contextlib import closing
from django.conf import settings
from quizzes.config.wsgi import application
from axes.models import AccessAttempt
from django.test import Client

def hold(seconds, held):
    with closing(sqlite3.connect(settings.DATABASES["default"]["NAME"])) as other:
        other.execute("BEGIN IMMEDIATE")
        held.set()
        time.sleep(seconds)
        other.rollback()

said = []
for seconds in map(float, sys.argv[1:]):
    held = threading.Event()
    holder = threading.Thread(target=hold, args=[seconds, held])
    holder.start()
    held.wait()
    client = Client(raise_request_exception=False, HTTP_HOST="localhost")
    answer = client.post("/accounts/login/", {"login": "ada", "password": "wrong"})
    holder.join()
    failures = sum(AccessAttempt.objects.values_list("failures_since_start", flat=True))
    said.append([answer.status_code, failures])
print(json.dumps(said))
"""


def test_request_waits_for_lock_then_fails(shared_folder: Path, tmp_path: Path) -> None:
    database = copy_database(migrated_database(shared_folder), tmp_path)
    environment = {
        "DATABASE_URL": database,
        "ORDINAL_VAR": str(tmp_path),
        "SQLITE_LOCK_SECONDS": str(WAITS_SECONDS),
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
    }
    locked_seconds = [0.75 * WAITS_SECONDS, 5 * WAITS_SECONDS, 0]  # several statements wait
    run = subprocess.run(
        [sys.executable, "-c", POST, *map(str, locked_seconds)],
        cwd=ROOT,
        env=child_environment() | environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )
    assert run.returncode == 0, run.stderr
    assert json.loads(run.stdout.splitlines()[-1]) == [[200, 1], [503, 1], [200, 2]]


def test_web_process_waits_twice_and_ends_later() -> None:
    """What it waits for when it is asked to end must be over before it is killed."""
    settings = (ROOT / "quizzes/config/settings.py").read_text()
    gunicorn = (ROOT / "quizzes/config/gunicorn.py").read_text()
    (others,) = re.findall(r'env\.float\("SQLITE_LOCK_SECONDS", (\d+)\)', settings)
    (web,) = re.findall(r'setdefault\("SQLITE_LOCK_SECONDS", "(\d+)"\)', gunicorn)
    (ending,) = re.findall(r"^graceful_timeout = (\d+)", gunicorn, re.MULTILINE)
    assert (int(web), int(ending) > int(web)) == (2 * int(others), True)
