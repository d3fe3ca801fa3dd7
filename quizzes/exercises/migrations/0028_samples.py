"""Batches of calls for a figure: Runs that have the places of a slider, with the reference or not.

On the way back they are deleted: the version before does not know them.
"""

from django.db import migrations, models
from django.db.models import Q


def delete_samples(apps, editor):
    """Delete all batches, so that the constraint from before holds again."""
    if editor.connection.vendor == "postgresql":  # or the tables could not be altered after it
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    runs = apps.get_model("exercises", "CodeRun").objects.filter(sample__isnull=False)
    submissions = list(runs.values_list("pk", flat=True))
    runs.delete()
    apps.get_model("exercises", "Submission").objects.filter(pk__in=submissions).delete()


class Migration(migrations.Migration):
    dependencies = [("exercises", "0027_counterexamples")]

    operations = [
        migrations.RemoveConstraint("coderun", "mistake_of_a_version"),
        migrations.AddField("coderun", "sample", models.JSONField(editable=False, null=True)),
        migrations.AddField(
            "coderun",
            "with_reference",
            models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddConstraint(
            "coderun",
            models.CheckConstraint(
                condition=Q(against=None, mistake="")
                | Q(against__isnull=False, mistake="", sample__isnull=False)
                | (Q(against__isnull=False, sample__isnull=True) & ~Q(mistake="")),
                name="mistake_of_a_version",
            ),
        ),
        migrations.AddConstraint(
            "coderun",
            models.CheckConstraint(
                condition=Q(with_reference=False) | Q(against__isnull=False, sample__isnull=False),
                name="reference_of_a_version",
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_samples, elidable=True),
    ]
