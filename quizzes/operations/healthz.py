"""`/healthz`: is the site well, and is code being graded? For load balancers and monitors.

Answers 200 when pages can be served (`ok`, or `degraded` when code is not being graded or room runs
out) and 503 when they cannot (`down`: no database, or migrations not applied). A failure of grading
never gives 503: a load balancer would take away the lessons and quizzes, which need no worker. A
full disk and descriptors that are used up are named: the errors that they cause name other things.
That the disk of a PostgreSQL server is full is known once a page could not store something.
Anybody may ask, and is told in fixed words what is well and what is not. Who asks on this
machine, past the proxy, or sends the token of `/metrics`, is also told what a monitor needs: why
code is not graded, in the worker's words, the worker's age, the queue's length, missing migrations.
Sizes and paths are told by `/metrics` and `manage.py doctor` alone.
"""

import ipaddress
import secrets
from functools import cache
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.exercises.services import grading_state, queue_length
from quizzes.operations.machine import (
    DISK_FULL,
    NO_FILES,
    disks,
    name_fault,
    open_files,
    recent_fault,
)

NOT_GRADED = "code is not graded now"
# What everybody is told; `grading.why` says no more than NOT_GRADED then.
FOR_EVERYBODY = {
    "site": ("ok", "database"),
    "grading": ("ok", "why"),
    "machine": ("ok", "why"),
}


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """Return every migration of the running code, read once from its files."""
    return frozenset(MigrationLoader(None).disk_migrations or {})


def newer_migrations() -> list[str]:
    """Return migrations of the database that come after all that the running code knows.

    Of our own apps, by their numbers: one that a later release put together with others is no
    newer. That release must keep the files of those, or have `migrate --prune` run.
    """
    ours = {app.label for app in apps.get_app_configs() if app.name.startswith("quizzes.")}
    last: dict[str, str] = {}
    for app, name in known_migrations():
        if app in ours:
            last[app] = max(name, last.get(app, ""))
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied if app in last and name > last[app])


def site_health() -> dict[str, Any]:
    """Query the database, and count the migrations that it lacks."""
    try:
        applied = set(MigrationRecorder(connection).applied_migrations())
    except (AnyDatabaseError, OSError) as error:
        why = name_fault(error) or type(error).__name__
        return {"ok": False, "database": why, "migrations_missing": None}
    missing = len(known_migrations() - applied)
    return {"ok": missing == 0, "database": "ok", "migrations_missing": missing}


def machine_health() -> dict[str, Any]:
    """Say in words what this machine has run out of, "" for nothing."""
    wrong = [DISK_FULL] if any(disk.is_full for disk in disks()) else []
    if open_files().are_used_up:
        wrong.append(NO_FILES)
    if (recent := recent_fault()) and recent not in wrong:
        wrong.append(recent)
    return {"ok": not wrong, "why": "; ".join(wrong)}


def grading_health(*, site_ok: bool) -> dict[str, Any]:
    """Return the last report of the worker about itself, its queue and its sandbox."""
    why = "the site is down"
    try:
        state, length = (grading_state(), queue_length()) if site_ok else (None, None)
    except (AnyDatabaseError, OSError) as error:
        state = length = None
        why = f"the database failed: {name_fault(error) or type(error).__name__}"
    return {
        "ok": state is not None and state.on,
        "why": state.why if state else why,
        "worker_age_seconds": state.worker_age_seconds if state else None,
        "queue_length": length,
        "sandbox_verified_at": state.verified_at if state else None,
    }


def sends_token(request: HttpRequest) -> bool:
    """Say whether a request brings METRICS_TOKEN; where none is set, none does."""
    expected = f"Bearer {settings.METRICS_TOKEN}".encode()
    given = request.headers.get("Authorization", "").encode("utf-8", "replace")
    return bool(settings.METRICS_TOKEN) and secrets.compare_digest(given, expected)


def comes_from_this_machine(request: HttpRequest) -> bool:
    """Say whether somebody on this machine asks, and not a proxy here for somebody elsewhere.

    A proxy says whom it asks for: without X-Forwarded-Proto no page of a site with HTTPS opens.
    """
    try:
        address = ipaddress.ip_address(request.META.get("REMOTE_ADDR", ""))
    except ValueError:  # a socket's
        return False
    address = getattr(address, "ipv4_mapped", None) or address
    forwarded = any(
        name.lower().startswith(("x-forwarded", "forwarded")) for name in request.headers
    )
    return address.is_loopback and not forwarded


def _in_words(body: dict[str, Any]) -> dict[str, Any]:
    """Return the part of a report that everybody may read."""
    told = {
        part: {name: body[part][name] for name in names} for part, names in FOR_EVERYBODY.items()
    }
    told["grading"]["why"] = "" if body["grading"]["ok"] else NOT_GRADED
    return {"status": body["status"], **told}


@never_cache
@require_safe
def healthz(request: HttpRequest) -> JsonResponse:
    """Answer with the health of the site: `status`, `site`, `grading`, `machine`."""
    site, machine = site_health(), machine_health()
    grading = grading_health(site_ok=site["ok"])
    well = grading["ok"] and machine["ok"]
    status = "down" if not site["ok"] else "ok" if well else "degraded"
    body = {"status": status, "site": site, "grading": grading, "machine": machine}
    if not (comes_from_this_machine(request) or sends_token(request)):
        body = _in_words(body)
    return JsonResponse(body, status=503 if status == "down" else 200)
