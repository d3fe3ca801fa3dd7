"""The one clock that all hosts share: what one of them leases and others look at has its time."""

from datetime import datetime

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone

from quizzes.statements import TimeParam


def database_time() -> datetime:
    """Return the database's time; SQLite has one host, and that host's clock."""
    if connection.vendor != "postgresql":
        return timezone.now()
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        now: datetime = cursor.fetchone()[0]
    return now


def time_of_update() -> datetime | Now:
    """Return the time that an UPDATE writes: the database's, without asking for it before."""
    return Now() if connection.vendor == "postgresql" else timezone.now()


def time_in_statement() -> TimeParam | Now:
    """Return the time in a statement that is written once; bind `own_time` to it as `now`."""
    return Now() if connection.vendor == "postgresql" else TimeParam("now")


def own_time() -> datetime:
    """Return the time of this host, which is SQLite's; PostgreSQL's statements ask for none."""
    return timezone.now()
