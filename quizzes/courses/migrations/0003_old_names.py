"""The names that things had before, so that old addresses lead on."""

import django.db.models.deletion
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0002_owners"),
    ]

    operations = [
        migrations.CreateModel(
            name="OldName",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "kind",
                    models.CharField(
                        choices=[
                            ("lesson", "Lesson"),
                            ("step", "Step"),
                            ("question", "Question"),
                            ("quiz", "Quiz"),
                            ("exercise", "Exercise"),
                        ],
                        max_length=10,
                    ),
                ),
                ("old", models.CharField(max_length=161)),
                ("new", models.CharField(max_length=161)),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="old_names",
                        to="courses.course",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "constraints": [
                    models.UniqueConstraint(
                        fields=("course", "kind", "old"), name="one_new_name_for_an_old_one"
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("kind__in", ["lesson", "step", "question", "quiz", "exercise"])
                        ),
                        name="old_name_kind_is_known",
                    ),
                ],
            },
        ),
    ]
