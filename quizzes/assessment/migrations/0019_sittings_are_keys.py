"""An attempt names its assignment by the key, practice by null; before, by "assignment:12" and ""."""

from django.db import migrations, models
from django.db.models import BigIntegerField, CharField, Q, Value
from django.db.models.functions import Cast, Concat, Substr

BEFORE_KEY = "assignment:"
OPEN = "one_open_attempt_per_sitting"
INDEX = "attempts_of_a_sitting"


def read_keys(apps, _schema_editor):
    """Write the key of each named assignment. No release has begun an attempt for anything else."""
    attempts = apps.get_model("assessment", "Attempt").objects
    named = attempts.filter(sitting_name__startswith=BEFORE_KEY)
    key = Cast(Substr("sitting_name", len(BEFORE_KEY) + 1), BigIntegerField())
    named.update(sitting=key)
    lost = attempts.filter(sitting=None).exclude(sitting_name="")
    if lost.exists():
        raise ValueError(f"attempt {lost.first().pk} was begun for {lost.first().sitting_name!r}")


def write_names(apps, _schema_editor):
    """Name each assignment by its text again."""
    attempts = apps.get_model("assessment", "Attempt").objects.filter(sitting__isnull=False)
    attempts.update(sitting_name=Concat(Value(BEFORE_KEY), Cast("sitting", CharField())))


class Migration(migrations.Migration):
    dependencies = [("assessment", "0018_plans_that_were_given_up")]

    operations = [
        migrations.RemoveConstraint("attempt", OPEN),
        migrations.RemoveIndex("attempt", INDEX),
        migrations.RenameField("attempt", "sitting", "sitting_name"),
        migrations.AddField(
            "attempt", "sitting", BigIntegerField(blank=True, editable=False, null=True)
        ),
        migrations.RunPython(read_keys, write_names),
        migrations.RemoveField("attempt", "sitting_name"),
        migrations.AddIndex("attempt", models.Index(fields=["sitting", "learner"], name=INDEX)),
        migrations.AddConstraint(
            "attempt",
            models.UniqueConstraint(
                condition=Q(submitted_at=None), fields=("learner", "quiz", "sitting"), name=OPEN
            ),
        ),
        migrations.AddConstraint(
            "attempt",
            models.UniqueConstraint(
                condition=Q(sitting=None, submitted_at=None),
                fields=("learner", "quiz"),
                name="one_open_attempt_in_practice",
            ),
        ),
    ]
