"""X-rays: Runs that note what the expressions of a learner's code were, on a case of a version."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("exercises", "0028_samples")]

    operations = [
        migrations.AddField(
            "coderun",
            "looks_into",
            models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="exercises.exerciseversion",
            ),
        ),
        migrations.AddField(
            "coderun",
            "shown_case",
            models.PositiveSmallIntegerField(editable=False, null=True),
        ),
        migrations.AddField(
            "coderun",
            "compares",
            models.BooleanField(db_default=False, default=False, editable=False),
        ),
        migrations.AddConstraint(
            "coderun",
            models.CheckConstraint(
                condition=Q(looks_into__isnull=False) | Q(shown_case=None, compares=False),
                name="looks_into_a_version",
            ),
        ),
    ]
