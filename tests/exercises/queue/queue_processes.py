"""A queue with real processes: its own database, workers and writers that can be killed."""

import json
import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from tests.child_environment import ENDS_WITH_US, child_environment
from tests.databases import (
    ask_number,
    ask_rows,
    copy_database,
    execute,
    made_once,
    migrated_database,
    on_postgresql,
)
from tests.whole_site import ROOT

START = "import django; django.setup()\n"
PREPARE = """
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.exercises.models import Exercise
from quizzes.exercises import publishing
from quizzes.worker import background
from quizzes.worker.pool_keeper import AuthorSandboxes
from quizzes.grader.definitions.definition import read_definition, read_folder
from django.conf import settings
files = read_folder(DiskFiles(settings.COURSE / "exercises" / "sinusoidal-table"))
quick = "wall_seconds: 2"
assert quick in files["exercise.yaml"]
files["exercise.yaml"] = files["exercise.yaml"].replace(quick, "wall_seconds: 9")
course = Course.objects.create(slug="course")
exercise = Exercise.objects.create(course=course, slug="patient")
definition = read_definition("patient", files)
publishing.add_version(exercise=exercise, definition=definition, files=files)
with AuthorSandboxes() as sandboxes:
    background.verify_version(publishing.lease_unverified(), sandboxes)
"""
WRITE = """
import json, sys
from quizzes.exercises.models import Exercise
from quizzes.exercises.services import submit_code
from quizzes.learners.models import Learner
exercise = Exercise.objects.select_related("current").get()
for kind, code in json.load(sys.stdin):
    learner = Learner.objects.create()
    row = submit_code(exercise=exercise, learner=learner, kind=kind, code=code)
    print(row.pk, flush=True)
"""
# What notes every time a verdict is written.
NOTED = "CREATE TABLE gradings (submission bigint)"
WRITTEN = "WHEN (NEW.graded_at IS NOT NULL)"
COUNT_GRADINGS = {
    True: (  # on PostgreSQL
        NOTED,
        "CREATE FUNCTION note() RETURNS trigger AS $$ BEGIN INSERT INTO gradings VALUES (NEW.id);"
        " RETURN NEW; END $$ LANGUAGE plpgsql",
        "CREATE TRIGGER noted AFTER UPDATE OF graded_at ON exercises_submission FOR EACH ROW"
        f" {WRITTEN} EXECUTE FUNCTION note()",
    ),
    False: (
        NOTED,
        f"CREATE TRIGGER noted AFTER UPDATE OF graded_at ON exercises_submission {WRITTEN}"
        " BEGIN INSERT INTO gradings VALUES (NEW.id); END",
    ),
}
GRADINGS = "SELECT submission FROM gradings ORDER BY submission"
# What a test asks of a row, by the name of its column.
FIELDS = {
    "id": "pk",
    "code": "code",
    "verdict": "verdict",
    "attempts": "tries_used",
    "leased_by": "leased_by",
    "our_failure": "our_failure",
    "slow": "slow",
}
READ = f"SELECT {', '.join(FIELDS)} FROM exercises_submission ORDER BY id"
UNGRADED = "SELECT count(*) FROM exercises_submission WHERE graded_at IS NULL"

HELD = "SELECT count(*) FROM exercises_submission WHERE attempts > 0"


@dataclass
class Queue:
    """`rows()` are what the database holds; `log(n)` is what the n-th worker said.

    Its exercise is verified once for all processes of a run, in `shared`.
    """

    folder: Path
    shared: Path
    workers: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.environment = child_environment() | {
            "ORDINAL_VAR": str(self.folder / "var"),
            "WARM_TORCH": "0",
            "CASE_PACKS": "1",  # a worker that comes for a second need not draw more
            "MOST_CASE_PACKS": "1",
            "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        }
        prepared = made_once(self.shared / "queue", self._prepare)
        self.environment["DATABASE_URL"] = copy_database(prepared, self.folder)

    def _prepare(self, folder: Path) -> str:
        self.environment["DATABASE_URL"] = copy_database(migrated_database(self.shared), folder)
        self.run(PREPARE)
        return self.environment["DATABASE_URL"]

    def start(
        self,
        script: str,
        *arguments: int,
        before: Sequence[str] = (),
        more: Mapping[str, str] | None = None,
        **options: Any,
    ) -> subprocess.Popen[str]:
        """Start a script; `before`: what runs its command, `more`: settings of its own."""
        command = [*ENDS_WITH_US, *before, sys.executable, "-c", START + script]
        environment = self.environment | dict(more or {})
        return subprocess.Popen(
            [*command, *map(str, arguments)], cwd=ROOT, env=environment, text=True, **options
        )

    def run(self, script: str, given: str = "") -> str:
        process = self.start(
            script, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
        )
        out, err = process.communicate(given, timeout=300)
        assert process.returncode == 0, err
        return out

    def start_worker(
        self, *command: str, before: Sequence[str] = (), **environment: str
    ) -> subprocess.Popen[bytes]:
        """Start `manage.py worker`, or another Python command that is one; see `start`."""
        path = self.folder / f"worker-{len(self.workers)}.log"
        with path.open("wb") as log:
            worker = subprocess.Popen(
                [*ENDS_WITH_US, *before, sys.executable, *(command or ("manage.py", "worker"))],
                cwd=ROOT,
                env=self.environment | environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        self.workers.append(worker)
        return worker

    def log(self, number: int) -> str:
        return (self.folder / f"worker-{number}.log").read_text()

    def wait_for_log(self, number: int, words: str, seconds: float = 120) -> None:
        self._wait(lambda: words in self.log(number), seconds)

    def wait_until_graded(self, seconds: float = 120) -> list[dict[str, Any]]:
        self._wait(lambda: ask_number(self.environment["DATABASE_URL"], UNGRADED) == 0, seconds)
        return self.rows()

    def _wait(self, holds: Any, seconds: float) -> None:
        deadline = time.monotonic() + seconds
        while not holds():
            logs = [self.log(number) for number, _ in enumerate(self.workers)]
            assert time.monotonic() < deadline, "\n".join(logs)
            time.sleep(0.2)

    def hand_in(self, *work: tuple[str, str]) -> None:
        self.run(WRITE, json.dumps(work))

    def hand_in_and_signal(
        self, pid: int, number: int, *work: tuple[str, str], slow: bool = False
    ) -> None:
        """Signal a process in the moment in which a worker holds the first row, or a slow one."""
        asked, deadline = HELD + (" AND slow" if slow else ""), time.monotonic() + 120
        with ThreadPoolExecutor(1) as beside:
            handing_in = beside.submit(self.hand_in, *work)
            while not ask_number(self.environment["DATABASE_URL"], asked):
                if handing_in.done():
                    handing_in.result()  # why nothing is there to hold
                assert time.monotonic() < deadline, "no worker holds it"
                time.sleep(0.05)
            os.kill(pid, number)
            handing_in.result()

    def rows(self) -> list[dict[str, Any]]:
        found = ask_rows(self.environment["DATABASE_URL"], READ)
        return [dict(zip(FIELDS.values(), one, strict=True)) for one in found]

    def count_gradings(self) -> None:
        """From now on note every time a verdict is written."""
        execute(self.environment["DATABASE_URL"], *COUNT_GRADINGS[on_postgresql()])

    def gradings(self) -> list[int]:
        """Return the submissions whose verdict was written, once for each time."""
        return [pk for (pk,) in ask_rows(self.environment["DATABASE_URL"], GRADINGS)]

    def graded_by(self, number: int) -> list[int]:
        """Return the submissions whose verdict this worker recorded."""
        found = re.findall(r"submission (\d+): ", self.log(number))
        return [int(pk) for pk in found]

    def stop(self) -> None:
        for worker in self.workers:
            if worker.poll() is None:
                worker.send_signal(signal.SIGTERM)
        for worker in self.workers:
            worker.wait(timeout=60)
