"""Progress and review cards belong to a course; `courses.0002` says which."""

import django.db.models.deletion
from django.db import migrations, models


def _course() -> models.ForeignKey:
    return models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.CASCADE,
        related_name="+",
        to="courses.course",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0001_courses"),
        ("learners", "0004_needs_work"),
    ]

    operations = [
        migrations.AddField("progress", "course", _course()),
        migrations.AddField("reviewcard", "course", _course()),
    ]
