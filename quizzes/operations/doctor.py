"""What is wrong with this site, in words, each with its cure. `manage.py doctor` prints it.

Each examination looks at one part and never raises: a part that cannot be looked at is itself a
diagnosis. None changes anything; what is written is rolled back.
"""

import os
import resource
import socket
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.core.cache import cache
from django.core.checks import ERROR, run_checks
from django.db import DatabaseError, connection, transaction
from django.db.models import Min, Q
from django.urls import reverse
from django.utils import timezone

from quizzes.courses.models import Course
from quizzes.exercises.models import PeriodicTask, Submission
from quizzes.exercises.services import grading_state, queue_length
from quizzes.grader.sandbox import check_host
from quizzes.learners.models import User, teaching_roles
from quizzes.learners.second_factor import has_second_factor
from quizzes.learners.sign_on.identities import has_second_factor_there, providers
from quizzes.learners.sign_on.provider_check import check_provider
from quizzes.limits.models import Budget
from quizzes.operations.healthz import site_health
from quizzes.operations.machine import disks, name_fault, open_files

WEB_FILES = 3256  # of a web process with 1000 connections
MOST_CLOCK_SECONDS = 2.0
MAIL_SECONDS = 3.0
LONG_WAIT_SECONDS = 120.0
MOST_WORDS = 200  # characters of a failure; all of it is in the log
WEB_PARTS = {"static files", "proxy"}  # what workers do not need
SMTP = "django.core.mail.backends.smtp.EmailBackend"


@dataclass(frozen=True)
class Diagnosis:
    """One thing that was looked at. `cure` says what to do where it is not well."""

    part: str
    well: bool
    detail: str
    cure: str = ""


Examination = Callable[[], Iterable[Diagnosis]]


def examine(*, only: str = "") -> list[Diagnosis]:
    """Look at every part; what needs a database is left out where there is none.

    `only` "web" or "worker": a host that runs nothing else needs nothing else.
    """
    found = [*_look(examine_machine), *_look(examine_settings), *_look(examine_database)]
    if all(diagnosis.well for diagnosis in found if diagnosis.part == "database"):
        for examination in (examine_people, examine_course, examine_queue, examine_tasks):
            found += _look(examination)
    if only != "web":
        found += _look(examine_sandbox)
    if only != "worker":
        return [*found, *_look(examine_mail), *_look(examine_sign_on)]
    return [one for one in found if one.part not in WEB_PARTS]


def _look(examination: Examination) -> list[Diagnosis]:
    part = examination.__name__.removeprefix("examine_")
    found: list[Diagnosis] = []
    try:
        for diagnosis in examination():
            found.append(diagnosis)
    except Exception as error:  # whatever is wrong with this part, the others are looked at
        why = name_fault(error) or f"{type(error).__name__}: {error}"
        cure = (
            "Fix the problems listed above. If there are none, this is a bug in Ordinal: please "
            "report it to us."
        )
        found.append(Diagnosis(part, False, f"could not be examined completely: {why}", cure))
    return found


def examine_machine() -> Iterable[Diagnosis]:
    """Look at room, descriptors and folders."""
    for disk in disks():
        found = f"{disk.free_bytes // 10**6} MB free at {disk.path} ({disk.free_share:.0%})"
        cure = "Free some space: delete old backups and logs there, or enlarge the file system."
        yield Diagnosis("disk", not disk.is_full, found, cure)
    files, hard = open_files(), resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    found = f"{files.count} open files of {files.limit}; the hard limit is {hard}"
    enough = hard == resource.RLIM_INFINITY or hard >= WEB_FILES
    cure = f"Raise the hard limit to at least {WEB_FILES}: set LimitNOFILE= in the systemd unit."
    yield Diagnosis("descriptors", enough and not files.are_used_up, found, cure)
    writable = os.access(settings.VAR, os.W_OK)
    cure = f"Run this as the user that runs the services, or chown {settings.VAR} to that user."
    found = f"{settings.VAR} can {'' if writable else 'not '}be written"
    yield Diagnosis("folder", writable, found, cure)


def examine_settings() -> Iterable[Diagnosis]:
    """Look at what production needs; Django's own checks come first."""
    kind = "production" if settings.PRODUCTION else "development"
    yield Diagnosis("settings", True, f"ORDINAL_ENV is {kind}")
    if not settings.PRODUCTION:
        return
    for message in run_checks(include_deployment_checks=True):
        if message.level >= ERROR:
            yield Diagnosis("settings", False, str(message.msg), str(message.hint or message.id))
    gathered = (
        settings.STATIC_ROOT is not None
        and (Path(settings.STATIC_ROOT) / "staticfiles.json").is_file()
    )
    cure = "Run manage.py prepare_site, which gathers the static files."
    yield Diagnosis("static files", gathered, "gathered" if gathered else "not gathered", cure)
    proxied = settings.HTTPS and not settings.PROXY_COUNT
    found = f"PROXY_COUNT={settings.PROXY_COUNT} with HTTPS={'on' if settings.HTTPS else 'off'}"
    cure = (
        "A proxy handles HTTPS, so set PROXY_COUNT to the number of proxies: with 0, all visitors "
        "seem to share one address, and HTTPS looks like HTTP."
    )
    yield Diagnosis("proxy", not proxied, found, cure)


def examine_database() -> Iterable[Diagnosis]:
    """Look whether it answers, can be written, and has the tables of this code."""
    health = site_health()
    if health["database"] != "ok":
        cure = (
            "Start the database, or correct DATABASE_URL. An SQLite file, its -wal and -shm files"
            " and their folder must belong to the site's user. Then run this command again."
        )
        yield Diagnosis("database", False, health["database"], cure)
        return
    missing = health["migrations_missing"]
    found = f"{connection.vendor} answers; {missing} migrations are missing"
    yield Diagnosis("database", missing == 0, found, "Run manage.py prepare_site.")
    if missing:
        return
    yield _written()
    yield _clock()
    if connection.vendor == "postgresql":
        yield _pooler()
    cache.get("doctor")  # raises where its table is missing
    yield Diagnosis("cache", True, "its table can be read")


def _written() -> Diagnosis:
    try:
        with transaction.atomic():
            Budget.objects.create(key=time.time_ns() % 2**62, full_at=0.0)
            transaction.set_rollback(True)
    except (DatabaseError, OSError) as error:
        why = name_fault(error) or str(error)
        cure = (
            "Free some space on its disk, or make it writable again: a standby is read-only, and"
            " an SQLite file, its -wal and -shm files and their folder must belong to the site's"
            " user."
        )
        return Diagnosis("database", False, f"it cannot be written: {why}", cure)
    return Diagnosis("database", True, "it can be written")


def _clock() -> Diagnosis:
    ask = {
        "sqlite": "SELECT CAST(strftime('%s', 'now') AS REAL)",
        "postgresql": "SELECT EXTRACT(EPOCH FROM clock_timestamp())",
    }[connection.vendor]
    with connection.cursor() as cursor:
        cursor.execute(ask)
        (theirs,) = cursor.fetchone()
    apart = abs(float(theirs) - time.time())
    cure = "Synchronise both machines' clocks with NTP: leases and limits depend on the time."
    found = f"{apart:.1f} s between this machine and the database"
    return Diagnosis("clock", apart <= MOST_CLOCK_SECONDS, found, cure)


# Behind a pooler the driver knows a number that the pooler made up, and the server says its own. A
# pooler that keeps prepared statements gives them names of its own (PgBouncer: PGBOUNCER_1).
def _pooler() -> Diagnosis:
    with transaction.atomic():  # one server for all three
        ask = connection.connection.execute
        (server,) = ask("SELECT pg_backend_pid()", prepare=True).fetchone()
        drivers = "SELECT EXISTS(SELECT FROM pg_prepared_statements WHERE name LIKE '\\_pg3\\_%')"
        (has_name_of_driver,) = ask(drivers).fetchone()
        is_direct = connection.connection.info.backend_pid == server
    if is_direct:
        return Diagnosis("pooler", True, "none: the connection leads to the database itself")
    if not has_name_of_driver:
        state = "it keeps them" if settings.PREPARED_STATEMENTS else "they are off"
        return Diagnosis("pooler", True, f"one that may use prepared statements: {state}")
    cure = (
        "Set PREPARED_STATEMENTS=0, or use PgBouncer 1.21 or later with max_prepared_statements"
        " above 0: in transaction mode, pages fail if prepared statements are lost."
    )
    detail = "PREPARED_STATEMENTS is on, but the pooler before PostgreSQL does not keep them"
    return Diagnosis("pooler", False, detail, cure)


def examine_people() -> Iterable[Diagnosis]:
    """Look at who could take the site over."""
    demos = User.objects.filter(is_demo=True).count()
    if settings.PRODUCTION and demos:
        cure = "Run manage.py demo_logins --delete."
        yield Diagnosis("people", False, f"{demos} demo logins are in the database", cure)
    teach = teaching_roles() | Q(is_superuser=True) | Q(is_staff=True)
    teaching = (
        User.objects.filter(teach, is_active=True, is_demo=False).distinct().order_by("username")
    )
    users = [user for user in teaching if not has_second_factor(user)]
    names = [user.username for user in users if not has_second_factor_there(user)]
    detail = f"{len(names)} accounts that teach or administer have no second factor"
    if there := len(users) - len(names):
        detail += f"; {there} gave one to their provider at the last sign-in"
    cure = f"Ask these people to set one up in the menu under their name: {', '.join(names[:10])}."
    if any(provider.second_factor for provider in providers()):
        cure += " That of a provider counts here from the next sign-in on."
    yield Diagnosis("people", not (settings.PRODUCTION and names), detail, cure)


def examine_course() -> Iterable[Diagnosis]:
    """Look whether there is anything to learn."""
    number = Course.objects.count()
    cure = "Run manage.py prepare_site, or manage.py load_content FOLDER."
    yield Diagnosis("courses", number > 0, f"{number} courses are loaded", cure)


def examine_queue() -> Iterable[Diagnosis]:
    """Look whether code is graded, and how long it waits."""
    state = grading_state()
    cure = "Start a worker (manage.py worker) and read its log; then run manage.py sandbox_check."
    yield Diagnosis("grading", state.on, "code is graded" if state.on else state.why, cure)
    oldest = Submission.objects.ungraded().aggregate(at=Min("submitted_at"))["at"]
    age = max(0.0, (timezone.now() - oldest).total_seconds()) if oldest else 0.0
    waiting = f"{queue_length()} submissions are waiting, the oldest for {age:.0f} s"
    cure = (
        "Start more workers. If a worker is grading but a submission is still waiting, the page of "
        "the submission under /teach/ says why."
    )
    yield Diagnosis("queue", age < LONG_WAIT_SECONDS, waiting, cure)


def examine_tasks() -> Iterable[Diagnosis]:
    """Look whether what workers do now and then is done: deleting, submitting, publishing."""
    failed = list(PeriodicTask.objects.exclude(failure=""))
    if not failed:
        yield Diagnosis("periodic tasks", True, "none failed when it was last run")
    cure = "Read the workers' log: it has the traceback. The task is tried again every minute."
    for task in failed:
        done = f"last done {task.done_at:%Y-%m-%d %H:%M} UTC" if task.done_at else "never done"
        why = " ".join(task.failure.split())[:MOST_WORDS]
        yield Diagnosis("periodic tasks", False, f"\u201c{task.name}\u201d, {done}: {why}", cure)


def examine_sandbox() -> Iterable[Diagnosis]:
    """Look at what the sandbox needs."""
    for check in check_host():
        yield Diagnosis("sandbox", check.ok, check.detail, check.cure)


def examine_mail() -> Iterable[Diagnosis]:
    """Look whether the mail server takes a connection."""
    if settings.EMAIL_BACKEND != SMTP:
        yield Diagnosis("mail", True, f"no server: {settings.EMAIL_BACKEND.rsplit('.', 2)[-2]}")
        return
    where = (settings.EMAIL_HOST, int(settings.EMAIL_PORT))
    try:
        socket.create_connection(where, timeout=MAIL_SECONDS).close()
    except OSError as error:
        cure = (
            "Correct EMAIL_URL, or contact the people who run that server. Until this is fixed, no "
            "passwords can be reset."
        )
        yield Diagnosis("mail", False, f"{where[0]}:{where[1]} does not answer: {error}", cure)
        return
    yield Diagnosis("mail", True, f"{where[0]}:{where[1]} answers")


def examine_sign_on() -> Iterable[Diagnosis]:
    """Look whether each provider answers with what a sign-in needs."""
    if not providers():
        yield Diagnosis("sign-on", True, "no provider: OIDC_PROVIDERS is empty")
    for provider in providers():
        part = f"sign-on {provider.id}"
        for result in check_provider(provider):
            yield Diagnosis(part, result.well, result.detail, result.cure)
        path = reverse("openid_connect_callback", args=[provider.id])
        address = f"{settings.SITE_ADDRESS or 'https://SITE'}{path}"
        yield Diagnosis(part, True, f"the provider must allow the redirect address {address}")
