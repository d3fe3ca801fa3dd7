"""What is asked again and again reads no table that grows with the years from end to end."""

import pytest
from django.apps import apps
from django.db import connection
from django.test.utils import CaptureQueriesContext

from quizzes.operations import doctor, healthz, metrics
from quizzes.worker.periodic_tasks import tasks

pytestmark = pytest.mark.django_db

GROWING = [
    "assessment.Attempt",
    "assessment.Response",
    "exercises.Submission",
    "learners.Progress",
    "learners.ReviewCard",
    "sessions.Session",
]
ASKED = {
    **{task.name: task.run for task in tasks()},
    "/metrics": lambda: list(metrics.SiteCollector().collect()),
    "/healthz": lambda: healthz.grading_health(site_ok=True),
    "doctor": lambda: list(doctor.examine_queue()),
}


def scans(queries: list[str]) -> list[str]:
    """Return the questions for which SQLite would read all rows of a growing table.

    The first rows in the order of the table itself are no scan: it ends with their number.
    """
    tables = {apps.get_model(label)._meta.db_table for label in GROWING}
    found = []
    for sql in queries:
        if not sql.startswith(("SELECT", "UPDATE", "DELETE")):
            continue
        with connection.cursor() as cursor:
            cursor.execute(f"EXPLAIN QUERY PLAN {sql}".replace("%", "%%"), [])
            steps = [step[3] for step in cursor.fetchall()]
        is_first_rows = " LIMIT " in sql and " WHERE " not in sql
        for step in steps:
            words = step.split()
            if words[0] == "SCAN" and words[1] in tables and "INDEX" not in words:
                found += [] if is_first_rows else [f"{step}: {sql}"]
    return found


@pytest.mark.parametrize(
    ("question", "is_scan"),
    [
        ("WHERE graded_at > '2026'", True),
        ("WHERE graded_at > '2026' ORDER BY id LIMIT 5", True),
        ("ORDER BY id DESC LIMIT 5", False),
        ("WHERE id = 3", False),
        ("WHERE graded_at IS NULL", False),
        ("WHERE kind = 'check' AND submitted_at < '2026'", False),
    ],
)
def test_a_scan_is_told_from_a_search(question, is_scan):
    assert bool(scans([f"SELECT id FROM exercises_submission {question}"])) is is_scan


@pytest.mark.parametrize("name", ASKED)
def test_nothing_that_is_asked_often_reads_them_whole(name):
    with CaptureQueriesContext(connection) as asked:
        ASKED[name]()
    assert scans([one["sql"] for one in asked]) == []
