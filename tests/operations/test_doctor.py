"""`manage.py doctor` and /healthz name what is wrong, and the doctor what to do about it."""

import errno
import os
import resource
import socket
import subprocess
import sys
from collections.abc import Callable
from contextlib import nullcontext, suppress
from datetime import timedelta
from io import StringIO
from pathlib import Path
from uuid import uuid4

import pytest
from django.conf import settings
from django.core.management import CommandError, call_command
from django.db import OperationalError, connection
from django.db.backends.sqlite3.base import DatabaseWrapper
from django.db.migrations.recorder import MigrationRecorder
from django.test import Client, override_settings
from django.utils import timezone
from prometheus_client import CollectorRegistry, generate_latest

from quizzes.courses.models import CourseStaff
from quizzes.exercises.models import PeriodicTask
from quizzes.learners.models import Budget, User
from quizzes.operations import doctor, machine
from quizzes.operations.machine import DISK_FULL, NO_FILES, READ_ONLY, name_fault
from quizzes.operations.metrics import SiteCollector
from quizzes.worker.periodic_tasks import PeriodicWork
from quizzes.worker.tasks import Task
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

ROOT = Path(settings.ROOT)


def said(*, wrong: bool = True) -> str:
    out = StringIO()
    if wrong:
        with pytest.raises(CommandError, match="found something wrong"):
            call_command("doctor", stdout=out)
    else:
        call_command("doctor", stdout=out)
    return out.getvalue()


def diagnoses() -> dict[str, list[doctor.Diagnosis]]:
    found: dict[str, list[doctor.Diagnosis]] = {}
    for diagnosis in doctor.examine():
        found.setdefault(diagnosis.part, []).append(diagnosis)
    return found


def wrong(part: str) -> str:
    """Return what is wrong with a part, and its cure."""
    found = [one for one in diagnoses()[part] if not one.well]
    assert found, part
    assert found[0].cure
    return f"{found[0].detail} {found[0].cure}"


def test_what_is_well_is_said_and_nothing_is_changed():
    some_course()
    before = Budget.objects.count()
    found = diagnoses()
    for part in ("disk", "database", "clock", "cache", "courses", "people", "queue", "folder"):
        assert all(one.well for one in found[part]), found[part]
    assert Budget.objects.count() == before


def test_a_host_of_one_kind_needs_nothing_of_the_other(monkeypatch):
    def lacking():
        yield doctor.Diagnosis("sandbox", False, "no bubblewrap", "Install it.")

    monkeypatch.setattr(doctor, "examine_sandbox", lacking)
    with override_settings(PRODUCTION=True, STATIC_ROOT=None):
        parts = {
            only: {one.part for one in doctor.examine(only=only)} for only in ("", "web", "worker")
        }
    assert parts[""] - parts["web"] == {"sandbox"}
    assert parts[""] - parts["worker"] == {"static files", "proxy", "mail", "sign-on"}
    assert "WRONG sandbox" not in said_of("web")
    assert "WRONG sandbox" in said_of("worker")


def said_of(only: str) -> str:
    out = StringIO()
    with suppress(CommandError):
        call_command("doctor", only=only, stdout=out)
    return out.getvalue()


def test_everybody_who_must_have_a_second_factor_is_counted():
    owner, staff = User.objects.create(username="olga"), User.objects.create(username="stan")
    CourseStaff.objects.create(course=some_course(), user=owner, role=CourseStaff.Role.OWNER)
    User.objects.filter(pk=staff.pk).update(is_staff=True)
    User.objects.create(username="lea")
    with override_settings(PRODUCTION=True):
        found = " ".join(one.cure for one in diagnoses()["people"] if not one.well)
    assert "olga, stan." in found


def test_without_a_worker_the_cure_is_to_start_one():
    assert "manage.py worker" in wrong("grading")
    assert "WRONG grading" in said()


def test_a_periodic_task_that_fails_is_named_with_its_failure():
    work = PeriodicWork(process=uuid4(), keep_lease=lambda _renew: nullcontext())

    def fail() -> bool:
        raise RuntimeError("the shelf\nis full " + "x" * 1000)

    work._tasks = {"tidy up": Task("tidy up", timedelta(days=1), fail)}
    assert work.run_next()
    assert "\u201ctidy up\u201d, never done: RuntimeError: the shelf is full" in said()
    assert len(wrong("periodic tasks")) < 400
    assert b"ordinal_periodic_tasks_failed 1.0" in generate_latest(metrics_of_the_site())
    work._tasks = {"tidy up": Task("tidy up", timedelta(days=1), lambda: False)}
    PeriodicTask.objects.update(due_at=timezone.now() - timedelta(minutes=1))
    assert work.run_next()
    assert all(one.well for one in diagnoses()["periodic tasks"])
    assert b"ordinal_periodic_tasks_failed 0.0" in generate_latest(metrics_of_the_site())


def metrics_of_the_site() -> CollectorRegistry:
    registry = CollectorRegistry()
    registry.register(SiteCollector())
    return registry


def test_an_empty_site_is_told_to_load_a_course():
    from quizzes.courses.models import Course

    Course.objects.all().delete()
    assert "load_content" in wrong("courses")


def test_what_was_found_before_an_examination_failed_is_told():
    def examine_roof():
        yield doctor.Diagnosis("roof", True, "whole")
        raise RuntimeError("the ladder broke")

    whole, broken = doctor._look(examine_roof)
    assert (whole.well, broken.well) == (True, False)
    assert "the ladder broke" in broken.detail


def test_a_full_disk_is_named_by_doctor_and_healthz(monkeypatch):
    real = os.statvfs

    def full(path):
        stat = real(path)
        return os.statvfs_result((*stat[:4], 10, *stat[5:]))

    monkeypatch.setattr(machine.os, "statvfs", full)
    assert "Free some space" in wrong("disk")
    report = Client().get("/healthz").json()
    assert report["status"] == "degraded"
    assert report["machine"] == {"ok": False, "why": DISK_FULL}  # and no path or size


def test_descriptors_that_are_used_up_are_named(monkeypatch):
    def none_left(_path):
        raise OSError(errno.EMFILE, "Too many open files")

    monkeypatch.setattr(machine.os, "listdir", none_left)
    assert "LimitNOFILE" in wrong("descriptors")
    report = Client().get("/healthz").json()
    assert report["machine"] == {"ok": False, "why": NO_FILES}


@pytest.mark.parametrize("lost", ["", "-wal", "-shm", "folder", None])
def test_no_connection_is_kept_that_may_not_write(tmp_path, monkeypatch, lost):
    file = tmp_path / "site.sqlite3"
    for ending in ("", "-wal", "-shm"):
        file.with_name(file.name + ending).touch()
    refused = tmp_path if lost == "folder" else file.with_name(f"{file.name}{lost}")
    monkeypatch.setattr(machine.os, "access", lambda path, _: path != refused)
    files = {**connection.settings_dict, "NAME": str(file), "CONN_MAX_AGE": 600}
    opened = DatabaseWrapper({**files, "OPTIONS": {}})
    opened.connect()
    try:
        opened.close_if_unusable_or_obsolete()
        assert (opened.connection is None) is (lost is not None)
    finally:
        opened.close()


USE_UP = """
import os, resource, sys, json
import django; django.setup()
from django.test import Client
client = Client(headers={"host": "localhost"})
client.get("/healthz")
from django.db import connection
connection.close()
resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))
held = []
try:
    while True:
        held.append(os.dup(0))
except OSError:
    pass
print(json.dumps(client.get("/healthz").json()))
"""


@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.slow
def test_a_process_without_descriptors_says_what_it_lacks(tmp_path):
    environment = {
        "PATH": os.environ["PATH"],
        "ORDINAL_VAR": str(tmp_path),
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
    }
    run = subprocess.run(
        [sys.executable, "-c", USE_UP],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    import json

    report = json.loads(run.stdout.splitlines()[-1])
    assert report["status"] == "down", run.stderr
    assert report["site"]["database"] == NO_FILES
    assert report["machine"]["why"] == NO_FILES


@pytest.mark.parametrize(
    ("error", "words"),
    [
        (OperationalError("database or disk is full"), DISK_FULL),
        (OperationalError("could not extend file: No space left on device"), DISK_FULL),
        (OSError(errno.ENOSPC, "x"), DISK_FULL),
        (OSError(errno.EMFILE, "x"), NO_FILES),
        (OperationalError("attempt to write a readonly database"), READ_ONLY),
        (OperationalError("cannot execute INSERT in a read-only transaction"), READ_ONLY),
        (OperationalError("connection refused"), "no database answers at DATABASE_URL"),
        (
            OperationalError(
                'connection to server on socket "/x" failed: No such file or directory'
                " Is the server running locally and accepting connections on that socket?"
            ),
            "no database answers at DATABASE_URL",
        ),
        (
            OperationalError("the database system is shutting down"),
            "the database is starting or stopping",
        ),
        (
            OperationalError("terminating connection due to administrator command"),
            "the database has ended the connection",
        ),
        (OperationalError("something new"), ""),
    ],
)
def test_faults_have_words(error, words):
    assert name_fault(error) == words
    outer = OperationalError("outer")
    outer.__cause__ = error
    assert name_fault(outer) == words


def test_a_database_that_is_gone_leaves_the_other_parts_looked_at(monkeypatch):
    def refuse(*_):
        raise OperationalError("connection refused")

    monkeypatch.setattr(MigrationRecorder, "applied_migrations", refuse)
    found = diagnoses()
    assert "no database answers" in wrong("database")
    assert "queue" not in found
    assert found["disk"][0].well
    assert found["mail"]


def test_a_read_only_database_is_told_from_a_full_one(monkeypatch):
    for message, words in (("readonly database", READ_ONLY), ("disk is full", DISK_FULL)):
        full = {"readonly database": "attempt to write a readonly database"}.get(message)

        def refuse(*_, said=full or "database or disk is full", **__):
            raise OperationalError(said)

        monkeypatch.setattr(Budget.objects, "create", refuse)
        assert words in wrong("database")


def test_missing_migrations_have_their_cure(monkeypatch):
    monkeypatch.setattr(MigrationRecorder, "applied_migrations", lambda *_: {})
    assert "prepare_site" in wrong("database")


def test_a_mail_server_is_tried():
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        with override_settings(
            EMAIL_BACKEND=doctor.SMTP, EMAIL_HOST="127.0.0.1", EMAIL_PORT=str(port)
        ):
            assert diagnoses()["mail"][0].well
    with override_settings(EMAIL_BACKEND=doctor.SMTP, EMAIL_HOST="127.0.0.1", EMAIL_PORT=str(port)):
        assert "EMAIL_URL" in wrong("mail")


def test_production_is_looked_at_more_closely():
    User.objects.create_user("demo", is_demo=True)
    User.objects.create_superuser("root")
    with override_settings(PRODUCTION=True, HTTPS=True, PROXY_COUNT=0, STATIC_ROOT="/nowhere"):
        people = " ".join(one.detail + one.cure for one in diagnoses()["people"] if not one.well)
        assert "demo_logins --delete" in people
        assert "root" in people
        assert "prepare_site" in wrong("static files")
        assert "PROXY_COUNT" in wrong("proxy")


def test_an_examination_that_fails_is_a_finding(monkeypatch):
    def examine_mail():
        raise RuntimeError("of ours")

    monkeypatch.setattr(doctor, "examine_mail", examine_mail)
    assert "of ours" in wrong("mail")


def test_a_low_hard_limit_is_told(monkeypatch):
    low: Callable[[int], tuple[int, int]] = lambda _: (256, 256)  # noqa: E731
    monkeypatch.setattr(resource, "getrlimit", low)
    assert "3256" in wrong("descriptors")
