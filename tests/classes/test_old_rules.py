"""An upgrade with work that is over and work that is not: only the second gets the newer rule."""

import pytest
from django.db import connection
from django.db.migrations.executor import MigrationExecutor
from django.utils import timezone

from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Assignment
from quizzes.exercises.models import Submission
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Report, Verdict
from tests.classes.working import DAY, a_class, a_member, an_exercise, assign, submitted_code
from tests.shared_sandboxes import shared_pack, shared_sandbox

BEFORE = [("classes", "0003_deeds"), ("exercises", "0019_jobs_in_order")]
UNREAD = ("x = (", "print(“a”)", "if x:\ny", "if x:\n        y\n\tz", "f(**)\n# line 2, in f")
READ = (
    "raise SyntaxError('x', ('submission.py', 1, 1, 'x'))",
    "exec('x = (')",
    "def f():\n    raise TabError('  File \"x\", line 1')\nf()",
    "x = 1",
    "1 / 0",
)


def migrate(targets):
    executor = MigrationExecutor(connection)
    return executor.migrate(targets).apps


def to_the_newest():
    executor = MigrationExecutor(connection)
    executor.migrate(executor.loader.graph.leaf_nodes())


@pytest.fixture
def back(transactional_db):
    """Take the tables back to before the upgrade when called; the newest come at the end."""
    yield lambda: migrate(BEFORE)
    to_the_newest()


@pytest.mark.slow
@pytest.mark.sandbox
@pytest.mark.both_databases(postgresql="soak")
def test_an_upgrade_moves_no_mark_of_work_that_is_over(back):
    now, cohort = timezone.now(), a_class()
    exercise = an_exercise()
    people = [a_member(cohort, name) for name in ("ada", "ben")]
    over = assign(cohort, exercise, attempts=1, opens_at=now - 9 * DAY, closes_at=now - 5 * DAY)
    open_ = assign(cohort, exercise, attempts=1, opens_at=now - 9 * DAY, closes_at=now + DAY)
    reports = {code: grade_code(pack(), code, shared_sandbox("student")) for code in UNREAD + READ}
    for person, code in zip(people, ("x = (", "exec('x = (')"), strict=True):
        first = submitted_code(over, person, "could_not_run", now - 8 * DAY)
        Submission.objects.filter(pk=first.pk).update(report=stored(reports[code]), code=code)
        submitted_code(over, person, "correct", now - 7 * DAY)  # counts for both
    others = {}
    for code, report in reports.items():
        row = submitted_code(over, people[0], "could_not_run", now - 30 * DAY)
        Submission.objects.filter(pk=row.pk).update(report=stored(report), code=code)
        others[row.pk] = code in UNREAD
    rows = dict(Submission.objects.values_list("pk", "verdict"))
    back()
    to_the_newest()
    found = dict(Submission.objects.filter(pk__in=others).values_list("pk", "parsed"))
    assert {pk: not parsed for pk, parsed in found.items()} == others
    assert dict(Submission.objects.values_list("pk", "verdict")) == rows
    given = {
        (one.membership.name, work.pk): cell.value
        for one in marks(cohort).members
        for work, _, cell in one.cells
    }
    assert given == {
        ("Ada", over.pk): 0,  # as before: the text used up the attempt
        ("Ben", over.pk): 0,
        ("Ada", open_.pk): 10,
        ("Ben", open_.pk): 0,  # Python could read it
    }
    assert not Assignment.objects.filter(old_rules_until=None).exists()
    assert assign(cohort, exercise).old_rules_until is None


def pack():
    return shared_pack("sinusoidal-table")


def stored(report: Report):
    """Return a report as the release before wrote it."""
    assert report.verdict is Verdict.COULD_NOT_RUN
    plain = report.as_json()
    del plain["parsed"]
    return plain
