import json
from collections import defaultdict

from django.db import migrations
from django.db.models import TextField
from django.db.models.functions import Cast

AT_ONCE = 1000  # rows; each batch is a transaction of its own
MOST = 100_000  # cases; a report that says more was not written by the judge


def fill(apps, _schema_editor):
    """Take the counts out of the reports of what was graded; an unreadable report has none.

    The reports are read as text: some are older than the checks of today and are no JSON that
    Python reads, and one of them must not stop the upgrade.
    """
    rows = apps.get_model("exercises", "Submission").objects
    graded = rows.filter(cases_total=None, graded_at__isnull=False).exclude(verdict="not_graded")
    graded = graded.annotate(words=Cast("report", TextField()))
    last = 0
    while batch := list(
        graded.filter(pk__gt=last).order_by("pk").values_list("pk", "words")[:AT_ONCE]
    ):
        last = batch[-1][0]
        alike = defaultdict(list)
        for pk, words in batch:
            counts = _counts(words)
            if counts is not None:
                alike[counts].append(pk)
        for (passed, total), keys in alike.items():
            rows.filter(pk__in=keys).update(cases_passed=passed, cases_total=total)


def _counts(words):
    """Return (passed, total) of a report; None for one that says no such thing."""
    try:
        report = json.loads(words)
        passed, total = report["cases_passed"], report["cases_total"]
    except (ValueError, RecursionError, TypeError, KeyError):
        return None
    if type(passed) is not int or type(total) is not int or not 0 <= passed <= total <= MOST:
        return None
    return passed, total


class Migration(migrations.Migration):
    atomic = False  # what was filled before an interruption stays

    dependencies = [("exercises", "0012_cases")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
