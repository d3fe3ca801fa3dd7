"""The model of courses has moved to its own room; the table and its rows stay as they are."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0001_courses"),
        ("lessons", "0002_form_of_lessons"),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.AlterField(
                    "lesson",
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="lessons",
                        to="courses.course",
                    ),
                ),
                migrations.DeleteModel("course"),
            ],
        ),
        migrations.AlterModelOptions(
            "lesson", options={"ordering": ["course__place", "course", "number"]}
        ),
        migrations.AlterField("lesson", "slug", models.SlugField(max_length=80)),
        migrations.AddConstraint(
            "lesson", models.UniqueConstraint(fields=("course", "slug"), name="one_lesson_per_slug")
        ),
        migrations.AddField(
            "lesson", "withdrawn_at", models.DateTimeField(editable=False, null=True)
        ),
    ]
