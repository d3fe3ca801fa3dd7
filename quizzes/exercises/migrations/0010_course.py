"""Exercises belong to a course; `courses.0002` says which."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0001_courses"),
        ("exercises", "0009_retire_packs_without_pairs"),
    ]

    operations = [
        migrations.AddField(
            "exercise",
            "course",
            models.ForeignKey(
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="exercises",
                to="courses.course",
            ),
        ),
        migrations.AddField(
            "exercise", "withdrawn_at", models.DateTimeField(editable=False, null=True)
        ),
    ]
