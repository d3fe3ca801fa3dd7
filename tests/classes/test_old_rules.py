"""An upgrade with work that is over and work that is not: only the second gets the newer rule."""

import json
from datetime import timedelta
from decimal import Decimal
from importlib import import_module

import pytest
from django.db import connection, migrations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from quizzes.classes.marks.reader import marks
from quizzes.classes.models import Assignment
from quizzes.classes.rules import NEVER, Rule, WorkKind, earning_end
from quizzes.exercises.models import Submission
from quizzes.grader.judge.judge import grade_code
from quizzes.grader.judge.report import Verdict
from tests.exercises.making import ready_exercise
from tests.factories import DAY, assign, create_class, create_member, create_submission
from tests.shared_sandboxes import shared_pack, shared_sandbox

BEFORE = [("classes", "0003_deeds"), ("exercises", "0019_jobs_in_order")]
FILL = import_module("quizzes.exercises.migrations.0022_fill_parsed")
UNREAD = (
    "x = (",
    "print(“a”)",
    "if x:\ny",
    "if x:\n        y\n\tz",
    "f(**)\n# line 2, in f",
    'File "a.py", line 1, in f',  # a traceback that was pasted
)
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


@pytest.fixture(scope="module")
def reports():
    """The reports of code that Python could not read and of code that ran, as stored before."""
    return [report_of(code) for code in ("x = (", "exec('x = (')")]


def report_of(code):
    """Return a report as the release before wrote it."""
    report = grade_code(shared_pack("sinusoidal-table"), code, shared_sandbox("student"))
    assert report.verdict is Verdict.COULD_NOT_RUN
    plain = report.as_json()
    del plain["parsed"]
    return plain


def assigned_work(now):
    """Return assignments with one attempt and whether they could earn nothing more by now."""
    cohort, exercise = create_class(), ready_exercise()

    def work(closes=None, due=None, late=0, own_class=cohort):
        dates = {"opens_at": now - 90 * DAY, "due_at": due, "closes_at": closes}
        return assign(own_class, exercise, attempts=1, late_percent_per_day=late, **dates)

    archived, later = create_class("archived"), now + DAY
    listed = [
        (work(closes=now - 5 * DAY), True),
        (work(closes=later), False),
        (work(), False),
        (work(due=now - 40 * DAY, late=50), True),
        (work(due=now - 40 * DAY, late=2), False),
        (work(due=now - 40 * DAY), False),
        (work(due=now - 40 * DAY, closes=later, late=50), True),
        (work(own_class=archived), True),
        (work(closes=later, own_class=archived), True),
    ]
    archived.archived_at = now - 30 * DAY
    archived.save()
    return cohort, archived, listed


@pytest.mark.soak  # the gate migrates old dates and an old database
@pytest.mark.sandbox
@pytest.mark.both_databases
def test_an_upgrade_moves_no_mark_of_work_that_is_over(back, reports, monkeypatch):
    now = timezone.now()
    cohort, archived, listed = assigned_work(now)
    for own_class in (cohort, archived):
        for name, report in zip(("ada", "ben"), reports, strict=True):
            person = create_member(own_class, f"{name}-{own_class.slug}")
            work = next(work for work, _ in listed if work.cohort_id == own_class.pk)
            first = create_submission(work, person, "could_not_run", now - 80 * DAY)
            Submission.objects.filter(pk=first.pk).update(report=report)
            create_submission(work, person, "correct", now - 79 * DAY)
    rows = dict(Submission.objects.values_list("pk", "verdict"))
    back()
    stop_the_fill(monkeypatch)
    to_the_newest()
    assert dict(Submission.objects.values_list("pk", "verdict")) == rows
    assert Submission.objects.filter(parsed=False).count() == 2  # Ada's
    values = {
        (row.membership.name[:3], work.pk): cell.value
        for own_class in (cohort, archived)
        for row in marks(own_class).members
        for work, _, cell in row.cells
    }
    was_over = {work.pk: over for work, over in listed}
    # Ben's code could be read. Of Ada's first text an attempt was used up, as before.
    expected = {("Ben", key): 0 for key in was_over}
    expected |= {("Ada", key): 0 if over else 10 for key, over in was_over.items()}
    assert values == expected
    archived.archived_at = None  # taken back, what it had given stays
    archived.save()
    assert {cell.value for row in marks(archived).members for _, _, cell in row.cells} == {0}
    assert not Assignment.objects.filter(old_rules_until=None).exists()
    assert assign(cohort, ready_exercise()).old_rules_until is None


def stop_the_fill(monkeypatch):
    """Migrate up to a fill that is stopped before its end is noted."""

    def fill(apps, editor):
        FILL.fill(apps, editor)
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(FILL.Migration.operations[0], "code", fill)
        with pytest.raises(KeyboardInterrupt):
            to_the_newest()


def test_no_fill_that_may_stop_half_way_changes_tables():
    """What a migration without a transaction has done stays, and it begins again."""
    own = [
        migration
        for migration in MigrationLoader(None).disk_migrations.values()
        if migration.__module__.startswith("quizzes.") and not migration.atomic
    ]
    assert len(own) > 3
    for migration in own:
        fills = {isinstance(step, migrations.RunPython) for step in migration.operations}
        assert len(fills) == 1, migration


@pytest.mark.parametrize(
    ("late", "days"), [(100, 0), (99, 1), (51, 1), (50, 1), (49, 2), (33, 3), (1, 99)]
)
def test_late_work_is_over_with_its_last_percent(late, days):
    due = timezone.now()
    end = due + days * DAY
    assert earning_end(due, None, late) == end
    rule = Rule(WorkKind.EXERCISE, Decimal(10), due, due, None, late_percent=late)
    assert rule.kept_percent(end) > 0
    assert rule.kept_percent(end + timedelta(microseconds=1)) == 0
    assert earning_end(due, end - DAY / 2, late) == end - DAY / 2
    assert earning_end(due, None, 0) == earning_end(None, None, late) == NEVER


@pytest.mark.sandbox
def test_reports_of_real_code_say_whether_it_was_read():
    for code in UNREAD + READ:
        assert FILL.is_unread(json.dumps(report_of(code))) is (code in UNREAD), code


PLACE = '  File "submission.py", line 1\n'
QUOTED = "    x = (\n        ^\n"


@pytest.mark.parametrize(
    ("traceback", "unread"),
    [
        (f"{PLACE}{QUOTED}SyntaxError: '(' was never closed\n", True),
        (f"{PLACE}{QUOTED}TabError", True),
        (f'{PLACE}    File "a.py", line 1, in f\n    ^\nIndentationError: no', True),
        (f"{PLACE[:-1]}, in <module>\n{PLACE}{QUOTED}SyntaxError: x", False),
        (f"{PLACE}{QUOTED}{PLACE[:-1]}, in f\nSyntaxError: x", False),
        (f"{PLACE}{QUOTED}ValueError: SyntaxError", False),
        (f"{PLACE}{QUOTED}SyntaxErrors: x", False),
        (f"{PLACE}SyntaxError: x\nValueError: no", False),
        ("SyntaxError: x", False),
        (PLACE, False),
        ("", False),
        (f"{PLACE}{'x' * 6000}\nSyntaxError: x", False),  # the beginning was cut off
        (None, False),
        (3, False),
    ],
)
def test_a_traceback_says_whether_code_was_read(traceback, unread):
    report = {"first_fault": {"rung": "imports"}, "traceback": traceback}
    assert FILL.is_unread(json.dumps(report)) is unread
    report["first_fault"]["rung"] = "returned"
    assert not FILL.is_unread(json.dumps(report))


def test_a_forged_traceback_takes_no_time():
    """A pattern that looks for an end in many ways takes hours for thirty lines."""
    for part in ("x\n", "\n", '  File "x", line 1\n', ' File "', ", in "):
        traceback = (PLACE + part * 6000)[:5980] + "\nValueError: no"
        assert not FILL.is_unread(
            json.dumps({"first_fault": {"rung": "imports"}, "traceback": traceback})
        )
