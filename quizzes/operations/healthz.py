"""`/healthz`: is the site well, and is code being graded? For load balancers and monitors.

Answers 200 when pages can be served (`ok`, or `degraded` when code is not being graded or room runs
out) and 503 when they cannot (`down`: no database, or migrations not applied). A failure of grading
never gives 503: a load balancer would take away the lessons and quizzes, which need no worker. A
full disk and descriptors that are used up are named: the errors that they cause name other things.
Anybody may ask, so it says this in words alone: sizes, numbers and paths of the machine are told by
`/metrics`, to whoever has its token, and by `manage.py doctor`.
"""

from functools import cache
from typing import Any

from django.db import Error as AnyDatabaseError
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.db.migrations.recorder import MigrationRecorder
from django.http import HttpRequest, JsonResponse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from quizzes.exercises.services import grading_state, queue_length
from quizzes.operations.machine import DISK_FULL, NO_FILES, disks, name_fault, open_files


@cache
def known_migrations() -> frozenset[tuple[str, str]]:
    """Return every migration of the running code, read once from its files."""
    return frozenset(MigrationLoader(None).disk_migrations or {})


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


@never_cache
@require_safe
def healthz(_request: HttpRequest) -> JsonResponse:
    """Answer with the health of the site: `status`, `site`, `grading`, `machine`."""
    site, machine = site_health(), machine_health()
    grading = grading_health(site_ok=site["ok"])
    well = grading["ok"] and machine["ok"]
    status = "down" if not site["ok"] else "ok" if well else "degraded"
    body = {"status": status, "site": site, "grading": grading, "machine": machine}
    return JsonResponse(body, status=503 if status == "down" else 200)
