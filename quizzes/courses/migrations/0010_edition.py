"""What learners got of things without a table of versions, in the course of time."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0009_content_draft"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="Edition",
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
                        choices=[("question", "Question"), ("quiz", "Quiz")], max_length=20
                    ),
                ),
                ("slug", models.SlugField(max_length=80)),
                ("number", models.PositiveIntegerField()),
                ("files", models.JSONField()),
                ("content_hash", models.CharField(editable=False, max_length=64)),
                ("from_files", models.BooleanField(default=False)),
                ("at", models.DateTimeField(null=True, default=django.utils.timezone.now)),
                (
                    "by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="editions",
                        to="courses.course",
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("course", "kind", "slug", "number"), name="one_edition_per_number"
                    )
                ],
            },
        ),
    ]
