"""Names of exercises are unique within their course."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0002_owners"),
        ("exercises", "0010_course"),
    ]

    operations = [
        migrations.AlterField(
            "exercise",
            "course",
            models.ForeignKey(
                on_delete=django.db.models.deletion.PROTECT,
                related_name="exercises",
                to="courses.course",
            ),
        ),
        migrations.AlterField("exercise", "slug", models.SlugField(max_length=80)),
        migrations.AddConstraint(
            "exercise",
            models.UniqueConstraint(fields=("course", "slug"), name="one_exercise_per_slug"),
        ),
    ]
