"""A submission says how many cases it passed, without its report being read."""

from django.db import migrations, models


def _count() -> models.PositiveIntegerField:
    return models.PositiveIntegerField(editable=False, null=True)


class Migration(migrations.Migration):
    dependencies = [("exercises", "0011_names_within_a_course")]

    operations = [
        migrations.AddField("submission", "cases_passed", _count()),
        migrations.AddField("submission", "cases_total", _count()),
    ]
