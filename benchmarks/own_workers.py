"""Workers on a benchmark's own site, and scripts that read its database."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.own_site import COURSE, OwnSite  # noqa: E402
from tests.settled_site import SPARING  # noqa: E402

START_SECONDS = 600  # of a machine that has other things to do
WORKER = (sys.executable, "manage.py", "worker")

KEEP = """
import django; django.setup()
from quizzes.exercises.models import Exercise
for exercise in Exercise.objects.exclude(course__slug={course!r}, slug__in={slugs!r}):
    Exercise.objects.filter(pk=exercise.pk).update(current=None)
    exercise.delete()
from quizzes.assessment.models import QuestionVersion
QuestionVersion.objects.exclude(generator={{}}).update(problem="left alone by a benchmark")
"""
PREPARED = """
import django; django.setup()
from quizzes.exercises.models import Exercise
from quizzes.exercises.case_pack_pool import version_with_low_pool
slugs = {slugs!r}
ours = Exercise.objects.filter(course__slug={course!r}, slug__in=slugs)
ready = ours.filter(current__verification="ok").count()
print(ready == len(slugs) and version_with_low_pool() is None)
"""


def environment_of(site: OwnSite) -> dict[str, str]:
    """Return the environment of a program that works on the site's database."""
    folder = Path(site.folder.name)
    few = {"CASE_PACKS": os.environ.get("CASE_PACKS", "6")}  # a learner meets one; soon filled
    packs = SPARING if site.settled else few
    return os.environ | {
        "DATABASE_URL": site.database,
        "ORDINAL_VAR": str(folder),
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        **packs,
    }


@contextmanager
def workers(
    site: OwnSite, count: int, *, command: tuple[str, ...] = WORKER
) -> Iterator[list[subprocess.Popen[bytes]]]:
    """Run workers until the block ends; every sandbox has passed its self-test."""
    log = Path(site.folder.name) / f"worker-log-{time.monotonic_ns()}"
    with log.open("wb") as file:
        started = [
            subprocess.Popen(
                command,
                cwd=ROOT,
                env=environment_of(site),
                stdout=file,
                stderr=file,
            )
            for _ in range(count)
        ]
    try:
        deadline = time.monotonic() + START_SECONDS
        while log.read_text().count("passed its self-test") < count:
            if time.monotonic() > deadline:
                raise RuntimeError(f"the workers did not start:\n{log.read_text()}")
            time.sleep(0.02)
        yield started
    finally:
        for worker in started:
            worker.terminate()
        for worker in started:
            worker.wait(timeout=20)


def keep_exercises(site: OwnSite, *slugs: str) -> None:
    """Delete the other exercises and let generators be: workers spend minutes on them.

    On a settled site, they have done so.
    """
    if site.settled:
        return
    run_script(site, KEEP.format(course=COURSE, slugs=list(slugs)))


def wait_until_prepared(site: OwnSite, *slugs: str) -> None:
    """Return when these exercises can grade and workers idle; RuntimeError after ten minutes."""
    if site.settled:
        return
    deadline = time.monotonic() + START_SECONDS
    while run_script(site, PREPARED.format(course=COURSE, slugs=list(slugs))).strip() != "True":
        if time.monotonic() > deadline:
            raise RuntimeError(f"not prepared: {', '.join(slugs)}")
        time.sleep(0.5)


def run_script(site: OwnSite, script: str, *arguments: str, stdin: str = "") -> str:
    """Run Python on the site's database and return its output. Raises with its errors."""
    run = subprocess.run(
        [sys.executable, "-c", script, *arguments],
        cwd=ROOT,
        env=environment_of(site),
        capture_output=True,
        text=True,
        input=stdin,
        check=False,
    )
    if run.returncode:
        raise RuntimeError(f"a script of the benchmark failed:\n{run.stderr[-2000:]}")
    return run.stdout
