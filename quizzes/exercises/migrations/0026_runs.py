"""Runs: rows of the queue without a version of an exercise, kept for an hour.

On the way back they are deleted: the version before does not know them.
"""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


def delete_runs(apps, editor):
    """Delete all Runs, so that the constraints from before hold again."""
    if editor.connection.vendor == "postgresql":  # or the tables could not be altered after it
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    apps.get_model("exercises", "CodeRun").objects.all().delete()
    apps.get_model("exercises", "Submission").objects.filter(kind="run").delete()


class Migration(migrations.Migration):
    dependencies = [("exercises", "0025_seconds_of_slow_code")]

    operations = [
        migrations.CreateModel(
            name="CodeRun",
            fields=[
                (
                    "submission",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        primary_key=True,
                        related_name="run",
                        serialize=False,
                        to="exercises.submission",
                    ),
                ),
                ("call", models.CharField(blank=True, editable=False, max_length=1000)),
                ("outcome", models.JSONField(editable=False, null=True)),
                ("picture", models.BinaryField(null=True)),
            ],
        ),
        migrations.RemoveConstraint("submission", "verdict_exactly_when_graded"),
        migrations.RemoveConstraint("submission", "submission_kind_is_known"),
        migrations.AlterField(
            "submission",
            "exercise_version",
            models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="submissions",
                to="exercises.exerciseversion",
            ),
        ),
        migrations.AlterField(
            "submission",
            "kind",
            models.CharField(
                choices=[("check", "Check"), ("submit", "Submit"), ("run", "Run")],
                editable=False,
                max_length=10,
            ),
        ),
        migrations.AddConstraint(
            "submission",
            models.CheckConstraint(
                condition=Q(graded_at=None, verdict="", report__isnull=True)
                | Q(kind="run", verdict="", report__isnull=True)
                | (Q(graded_at__isnull=False, report__isnull=False) & ~Q(verdict="")),
                name="verdict_exactly_when_graded",
            ),
        ),
        migrations.AddConstraint(
            "submission",
            models.CheckConstraint(
                condition=Q(kind="run", exercise_version=None, pack=None)
                | (Q(exercise_version__isnull=False) & ~Q(kind="run")),
                name="version_unless_run",
            ),
        ),
        migrations.AddConstraint(
            "submission",
            models.CheckConstraint(
                condition=Q(kind__in=["check", "submit", "run"]), name="submission_kind_is_known"
            ),
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_runs, elidable=True),
    ]
