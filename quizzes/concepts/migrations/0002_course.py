"""A map belongs to a course, whose name it had; `courses.0002` says which."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0001_courses"),
        ("concepts", "0001_concept_map"),
    ]

    operations = [
        migrations.AddField(
            "conceptmap",
            "course",
            models.OneToOneField(
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="concept_map",
                to="courses.course",
            ),
        ),
    ]
