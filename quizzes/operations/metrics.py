"""`/metrics`: numbers for Prometheus, for those who have the token `METRICS_TOKEN`.

Requests are counted by the web processes, together through files (`config/gunicorn.py` names the
folder). What the database knows, such as the queue and the workers of all hosts, is asked when
somebody reads: a scrape costs a constant number of queries, and without a database it still
answers, and says so. Which host is asked does not matter for these.
"""

import os
import statistics
from collections.abc import Iterable
from datetime import datetime, timedelta

from django.conf import settings
from django.db import DatabaseError
from django.db.models import Count, Min, Q
from django.db.models.functions import Now
from django.http import Http404, HttpRequest, HttpResponse
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe
from prometheus_client import CollectorRegistry, Counter, Histogram, generate_latest, multiprocess
from prometheus_client.core import GaugeMetricFamily, Metric
from prometheus_client.registry import Collector

from quizzes.exercises.models import PeriodicTask, Submission, WorkerHeartbeat
from quizzes.exercises.models.worker import CLOCKS_APART
from quizzes.learners.models import Learner
from quizzes.operations.healthz import sends_token, site_health
from quizzes.operations.machine import disks, open_files

RECENT = timedelta(minutes=5)
MOST_RECENT_ROWS = 2_000  # whose waiting times are looked at
TYPE = "text/plain; version=0.0.4; charset=utf-8"
SECONDS = (0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)

requests_seconds = Histogram(
    "ordinal_request_seconds", "Time to answer a request.", ["view"], buckets=SECONDS
)
requests_total = Counter("ordinal_requests", "Requests answered.", ["method", "view", "status"])


def allow_any_host(request: HttpRequest) -> None:
    """Let monitors pass the check of hosts, which comes later."""
    if request.path_info in ANY_HOST_PATHS:
        request.META["HTTP_HOST"] = "127.0.0.1"


def count_request(request: HttpRequest, response: HttpResponse, seconds: float) -> None:
    """Count a request under the name of its view: an address could be anything."""
    match = request.resolver_match
    view = (match.view_name or "unnamed") if match else "none"
    method = request.method if request.method in METHODS else "OTHER"
    requests_total.labels(method, view, str(response.status_code)).inc()
    requests_seconds.labels(view).observe(seconds)


# Load balancers and Prometheus ask each machine by its address, which is no name of the site, and
# many cannot send another: a refused one would look like a site that is gone. No answer names it.
ANY_HOST_PATHS = {"/healthz", "/metrics"}
METHODS = {"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"}


class SiteCollector(Collector):
    """What the database and this machine say at the moment of asking."""

    def collect(self) -> Iterable[Metric]:
        """Yield every number; those of a database that does not answer are left out."""
        yield from _of_machine()
        health = site_health()
        yield _gauge("database_up", "Whether the database answers.", health["database"] == "ok")
        missing = health["migrations_missing"]
        if missing is None:
            return
        yield _gauge("migrations_missing", "Migrations not yet applied to the database.", missing)
        if missing:
            return
        try:
            queue = Submission.objects.ungraded().aggregate(
                number=Count("pk"),
                slow=Count("pk", filter=Q(slow=True)),
                oldest=Min("submitted_at"),
            )
            yield from [*_of_queue(**queue), *_of_workers(), *_of_tasks()]
            yield from _of_verdicts(waiting=queue["number"])
            yield from _of_learners()
        except DatabaseError:
            return


def _gauge(name: str, words: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"ordinal_{name}", words, value=float(value))


def _of_machine() -> Iterable[Metric]:
    free = GaugeMetricFamily(
        "ordinal_disk_free_bytes", "Free space for the site, in bytes.", labels=["path"]
    )
    share = GaugeMetricFamily(
        "ordinal_disk_free_share", "Free space as a share of the disk.", labels=["path"]
    )
    for disk in disks():
        free.add_metric([str(disk.path)], disk.free_bytes)
        share.add_metric([str(disk.path)], disk.free_share)
    files = open_files()
    yield free
    yield share
    yield _gauge(
        "open_files", "Open file descriptors of this web process.", files.count or files.limit
    )
    yield _gauge("open_files_limit", "File descriptor limit of this web process.", files.limit)


def _of_queue(*, number: int, slow: int, oldest: datetime | None) -> Iterable[Metric]:
    age = (timezone.now() - oldest).total_seconds() if oldest else 0.0
    yield _gauge("queue_length", "Submissions waiting or being graded.", number)
    yield _gauge(
        "slow_lane_length", "Of these, submissions that ran too long for the quick lane.", slow
    )
    yield _gauge(
        "queue_oldest_seconds",
        "Age of the oldest submission waiting or being graded.",
        max(0.0, age),
    )


def _of_workers() -> Iterable[Metric]:
    alive = WorkerHeartbeat.objects.alive(Now())
    works = list(alive.values_list("self_test_ok", flat=True))
    yield _gauge("workers", "Live workers on all hosts.", len(works))
    yield _gauge("workers_grading", "Live workers whose sandbox passed its self-test.", sum(works))


def _of_verdicts(*, waiting: int) -> Iterable[Metric]:
    now = timezone.now()
    since, until = now - RECENT, now + CLOCKS_APART  # later ones are of a clock since put back
    # The newest of them by their keys: an index by the time of a verdict would cost each submission
    # a write, and without it millions of rows would be read every few seconds. Those that wait
    # are newer, and may be many when alerts need these numbers most.
    columns = ("verdict", "submitted_at", "graded_at", "tries_used")
    newest = Submission.objects.order_by("-pk").values_list(*columns)
    newest = newest[: MOST_RECENT_ROWS + waiting]
    # A Run has no verdict; asked for in the statement, all rows might be read to find 2000 others.
    graded = [row for row in newest if row[0]]
    recent = [row for row in graded if row[2] is not None and since < row[2] < until]
    counts: dict[str, int] = {}
    for verdict, *_ in recent:
        counts[verdict] = counts.get(verdict, 0) + 1
    told = GaugeMetricFamily(
        "ordinal_verdicts_recent", "Verdicts in the last five minutes.", labels=["verdict"]
    )
    for verdict, number in sorted(counts.items()):
        told.add_metric([verdict], number)
    yield told
    again = sum(tries > 1 for *_, tries in recent)
    yield _gauge(
        "retried_recent", "Recent verdicts on submissions whose first worker died or froze.", again
    )
    waits = sorted(
        (graded - handed_in).total_seconds() for _, handed_in, graded, _ in recent if graded
    )
    times = GaugeMetricFamily(
        "ordinal_verdict_seconds", "Time from submission to verdict.", labels=["quantile"]
    )
    if waits:
        times.add_metric(["0.5"], statistics.median(waits))
        times.add_metric(["0.95"], waits[min(len(waits) - 1, int(0.95 * len(waits)))])
    yield times


def _of_learners() -> Iterable[Metric]:
    unclaimed = Learner.objects.filter(user=None, is_claimed=False).count()
    yield _gauge(
        "unclaimed_learners", "Visitors who did only one thing and never came back.", unclaimed
    )


def _of_tasks() -> Iterable[Metric]:
    failed = PeriodicTask.objects.exclude(failure="").count()
    yield _gauge("periodic_tasks_failed", "Periodic tasks whose last run failed.", failed)


def _text() -> bytes:
    """Return all numbers; those of requests from every web process of this machine."""
    registry = CollectorRegistry()
    registry.register(SiteCollector())
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
    else:
        registry.register(requests_seconds)
        registry.register(requests_total)
    return generate_latest(registry)


@never_cache
@require_safe
def metrics(request: HttpRequest) -> HttpResponse:
    """Answer with all numbers: 404 where no token is set, 401 for another one."""
    if not settings.METRICS_TOKEN:
        raise Http404("METRICS_TOKEN is not set")
    if not sends_token(request):
        refused = HttpResponse(
            "Send the value of METRICS_TOKEN in this header: Authorization: Bearer ...\n",
            status=401,
        )
        refused["WWW-Authenticate"] = "Bearer"
        refused["Content-Type"] = "text/plain; charset=utf-8"
        return refused
    return HttpResponse(_text(), content_type=TYPE)
