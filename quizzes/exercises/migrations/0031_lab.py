"""The lab: numbers that learners share, and drafts that belong to no exercise.

On the way back these drafts are deleted: the version before has no place for them.
"""

import django.core.validators
import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models
from django.db.models import Q

import quizzes.exercises.models.shared_numbers


def delete_lab_drafts(apps, editor):
    """Delete the drafts without an exercise, so that each has one again."""
    if editor.connection.vendor == "postgresql":  # or the table could not be altered after it
        editor.execute("SET CONSTRAINTS ALL IMMEDIATE")
    apps.get_model("exercises", "Draft").objects.filter(exercise=None).delete()


class Migration(migrations.Migration):
    dependencies = [("exercises", "0030_mistake_drafts"), ("learners", "0013_session_signatures")]

    operations = [
        migrations.AlterField(
            "draft",
            "exercise",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="drafts",
                to="exercises.exercise",
            ),
        ),
        migrations.CreateModel(
            name="SharedNumbers",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "token",
                    models.CharField(
                        default=quizzes.exercises.models.shared_numbers.new_token,
                        editable=False,
                        max_length=32,
                        unique=True,
                    ),
                ),
                (
                    "name",
                    models.CharField(
                        max_length=60,
                        validators=[django.core.validators.MinLengthValidator(1)],
                    ),
                ),
                ("n", models.PositiveIntegerField(editable=False)),
                ("d", models.PositiveIntegerField(editable=False)),
                ("numbers", models.BinaryField(editable=False)),
                ("made_at", models.DateTimeField(editable=False)),
                (
                    "shared_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "learner",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="shared_numbers",
                        to="learners.learner",
                    ),
                ),
            ],
            options={
                "verbose_name": "shared numbers",
                "verbose_name_plural": "shared numbers",
                "ordering": ["-shared_at", "-pk"],
                "constraints": [
                    models.CheckConstraint(
                        condition=Q(n__gte=1, d__gte=1) & ~Q(name=""),
                        name="shared_numbers_are_some",
                    )
                ],
            },
        ),
        migrations.RunPython(migrations.RunPython.noop, delete_lab_drafts, elidable=True),
    ]
