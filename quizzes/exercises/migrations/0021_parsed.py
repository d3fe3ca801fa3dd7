import json
import re

from django.db import migrations, models
from django.db.models import TextField
from django.db.models.functions import Cast

AT_ONCE = 1000  # rows; each batch is a transaction of its own
# What Python says of code that it cannot read has a place and no function or module around it. Code
# that ran and raised such an error has.
UNREAD = re.compile(
    r' *File "[^"]*", line \d+\n(?!.*^ *File .*, in )(?:.*\n)*(?:Syntax|Indentation|Tab)Error\b',
    re.MULTILINE | re.DOTALL,
)


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
    try:
        report = json.loads(words)
        fault, traceback = report["first_fault"], report["traceback"]
        return fault["rung"] == "imports" and bool(UNREAD.match(traceback))
    except (ValueError, RecursionError, TypeError, KeyError):
        return False


class Migration(migrations.Migration):
    atomic = False  # what was filled before an interruption stays

    dependencies = [("exercises", "0020_reserved_packs")]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="parsed",
            field=models.BooleanField(
                db_default=True,
                default=True,
                editable=False,
                help_text="Off where grading found no program that Python reads; as in the report.",
            ),
        ),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
