from datetime import UTC, datetime

from django.core.validators import MaxValueValidator
from django.db import migrations, models
from django.db.models import F, Q
from django.db.models.functions import Now

ALWAYS = datetime(9999, 1, 1, tzinfo=UTC)  # as `quizzes.classes.rules.NEVER`


def keep(apps, _schema_editor):
    """Keep late days of 24 hours for work that is over, and exceptions that give less, for all."""
    rows = apps.get_model("classes", "Assignment").objects
    rows.filter(cohort__archived_at=None).update(elapsed_days_until=Now())
    rows.exclude(cohort__archived_at=None).update(elapsed_days_until=ALWAYS)
    less = Q()
    for name in ("opens_at", "due_at", "closes_at", "attempts", "minutes"):
        common = f"assignment__{name}"
        below = Q(**{f"{name}__lt": F(common)}) | Q(**{common: None, f"{name}__isnull": False})
        less |= below
    exceptions = apps.get_model("classes", "AssignmentException").objects
    exceptions.filter(less).update(earlier_on_purpose=True)


class Migration(migrations.Migration):
    dependencies = [("classes", "0005_roster_names")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="elapsed_days_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.AddField(
            model_name="assignment",
            name="grace_minutes",
            field=models.PositiveSmallIntegerField(
                db_default=0, default=0, validators=[MaxValueValidator(1440)]
            ),
        ),
        migrations.AddField(
            model_name="assignmentexception",
            name="earlier_on_purpose",
            field=models.BooleanField(db_default=False, default=False),
        ),
        migrations.AddConstraint(
            model_name="assignment",
            constraint=models.CheckConstraint(
                condition=Q(("grace_minutes__lte", 1440)), name="grace_is_a_day_at_most"
            ),
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
