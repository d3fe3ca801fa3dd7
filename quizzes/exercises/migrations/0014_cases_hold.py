"""Counts of cases stand in graded submissions only."""

from django.db import migrations, models
from django.db.models import F, Q


class Migration(migrations.Migration):
    dependencies = [("exercises", "0013_fill_cases")]

    operations = [
        migrations.AddConstraint(
            "submission",
            models.CheckConstraint(
                name="cases_only_when_graded",
                condition=Q(cases_passed=None, cases_total=None)
                | Q(
                    graded_at__isnull=False,
                    cases_passed__isnull=False,
                    cases_total__isnull=False,
                    cases_total__gte=F("cases_passed"),
                ),
            ),
        ),
    ]
