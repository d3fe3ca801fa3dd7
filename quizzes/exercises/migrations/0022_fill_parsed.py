import json

from django.db import migrations
from django.db.models import TextField
from django.db.models.functions import Cast

AT_ONCE = 1000  # rows; each batch is a transaction of its own
MOST = 6000  # characters of a traceback; of a longer one the beginning was cut off
UNREAD = {"SyntaxError", "IndentationError", "TabError"}


def fill(apps, _schema_editor):
    """Note of what was graded before where Python could not read the code, by the report.

    The reports are read as text: some are older than the checks of today and are no JSON that
    Python reads, and one of them must not stop the upgrade.
    """
    rows = apps.get_model("exercises", "Submission").objects
    stopped = rows.filter(verdict="could_not_run").annotate(words=Cast("report", TextField()))
    last = 0
    while batch := list(
        stopped.filter(pk__gt=last).order_by("pk").values_list("pk", "words")[:AT_ONCE]
    ):
        last = batch[-1][0]
        rows.filter(pk__in=[pk for pk, words in batch if is_unread(words)]).update(parsed=False)


def is_unread(words):
    """Return whether a report, as text, says that Python could not read the code."""
    try:
        report = json.loads(words)
        fault, traceback = report["first_fault"], report["traceback"]
        return fault["rung"] == "imports" and _ends_unread(traceback)
    except (ValueError, RecursionError, TypeError, KeyError, AttributeError):
        return False


def _ends_unread(traceback):
    """Return whether a traceback is of code that Python could not read.

    It begins with a place and has no function or module around it, which code that ran has. The
    text is the code's to write: each of its lines is looked at once.
    """
    if len(traceback) >= MOST:
        return False
    first, *others = traceback.rstrip().split("\n")
    if not first.lstrip().startswith('File "') or ", in " in first or not others:
        return False
    # A frame is indented by two spaces; the code that is quoted, which may look like one, by four.
    if any(line.startswith('  File "') and ", in " in line for line in others):
        return False
    return others[-1].partition(":")[0] in UNREAD


class Migration(migrations.Migration):
    atomic = False  # what was filled before an interruption stays

    dependencies = [("exercises", "0021_parsed")]

    operations = [migrations.RunPython(fill, migrations.RunPython.noop)]
