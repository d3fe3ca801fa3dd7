"""A map is found by its course and needs no name of its own."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0002_owners"),
        ("concepts", "0002_course"),
    ]

    operations = [
        migrations.AlterField(
            "conceptmap",
            "course",
            models.OneToOneField(
                on_delete=django.db.models.deletion.CASCADE,
                related_name="concept_map",
                to="courses.course",
            ),
        ),
        migrations.RemoveField("conceptmap", "slug"),
    ]
