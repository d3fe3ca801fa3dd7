"""Courses get a room of their own. The table stays: only the state of models says where it is."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    initial = True

    dependencies = [
        ("lessons", "0002_form_of_lessons"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.SeparateDatabaseAndState(
            state_operations=[
                migrations.CreateModel(
                    name="Course",
                    fields=[
                        (
                            "id",
                            models.BigAutoField(
                                auto_created=True,
                                primary_key=True,
                                serialize=False,
                                verbose_name="ID",
                            ),
                        ),
                        ("slug", models.SlugField(max_length=80, unique=True)),
                        ("title", models.CharField(max_length=200)),
                        ("summary", models.TextField()),
                        ("sources", models.JSONField(default=dict)),
                        ("lesson_order", models.JSONField(default=list)),
                        (
                            "loaded_hash",
                            models.CharField(blank=True, editable=False, max_length=64),
                        ),
                    ],
                    options={"db_table": "lessons_course"},
                ),
            ],
        ),
        migrations.AddField("course", "place", models.PositiveIntegerField(default=0)),
        migrations.AddField("course", "is_listed", models.BooleanField(default=True)),
        migrations.AlterModelOptions("course", options={"ordering": ["place", "pk"]}),
        migrations.CreateModel(
            name="CourseStaff",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "role",
                    models.CharField(
                        choices=[("viewer", "Viewer"), ("editor", "Editor"), ("owner", "Owner")],
                        max_length=10,
                    ),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="staff",
                        to="courses.course",
                    ),
                ),
                (
                    "user",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="course_roles",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "verbose_name_plural": "course staff",
                "constraints": [
                    models.UniqueConstraint(fields=("course", "user"), name="one_role_in_a_course"),
                    models.CheckConstraint(
                        condition=Q(role__in=["viewer", "editor", "owner"]),
                        name="course_role_is_known",
                    ),
                ],
            },
        ),
    ]
