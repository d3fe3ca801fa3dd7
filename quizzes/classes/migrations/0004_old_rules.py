from datetime import UTC, datetime

from django.db import migrations, models
from django.db.models.functions import Now

ALWAYS = datetime(9999, 1, 1, tzinfo=UTC)  # as `quizzes.classes.rules.NEVER`


def keep(apps, _schema_editor):
    """Keep the rules of before for work that is over by now: all that of an archived class is."""
    rows = apps.get_model("classes", "Assignment").objects
    rows.filter(cohort__archived_at=None).update(old_rules_until=Now())
    rows.exclude(cohort__archived_at=None).update(old_rules_until=ALWAYS)


class Migration(migrations.Migration):
    dependencies = [("classes", "0003_deeds")]

    operations = [
        migrations.AddField(
            model_name="assignment",
            name="old_rules_until",
            field=models.DateTimeField(blank=True, editable=False, null=True),
        ),
        migrations.RunPython(keep, migrations.RunPython.noop),
    ]
