"""The one clock that all hosts share: what one of them leases and others look at has its time."""

from datetime import datetime

from django.db import connection
from django.db.models.functions import Now
from django.utils import timezone


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
