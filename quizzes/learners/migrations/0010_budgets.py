"""Budgets on rows; learners that no browser came back for; a table for the site's cache."""

from django.core.management import call_command
from django.db import migrations, models


def make_cache_table(_apps, schema_editor):
    """Limits of sign-in and codes that were used are counted there, by all processes together."""
    call_command("createcachetable", database=schema_editor.connection.alias, verbosity=0)


def claim_all(apps, _schema_editor):
    apps.get_model("learners", "Learner").objects.update(is_claimed=True)


class Migration(migrations.Migration):
    dependencies = [("learners", "0009_fill_done_at")]

    operations = [
        migrations.CreateModel(
            name="Budget",
            fields=[
                ("key", models.BigIntegerField(primary_key=True, serialize=False)),
                ("full_at", models.FloatField(db_index=True)),
            ],
        ),
        migrations.AddField("learner", "is_claimed", models.BooleanField(default=False)),
        migrations.RunPython(claim_all, migrations.RunPython.noop),
        migrations.AddIndex(
            "learner",
            models.Index(
                name="unclaimed_learners",
                fields=["created_at"],
                condition=models.Q(is_claimed=False, user=None),
            ),
        ),
        migrations.RunPython(make_cache_table, migrations.RunPython.noop),
    ]
