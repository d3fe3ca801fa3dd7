"""One table for the drafts of all things of a course."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0008_index_of_tokens"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ContentDraft",
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
                ("files", models.JSONField()),
                ("base", models.CharField(blank=True, editable=False, max_length=64)),
                ("edited_at", models.DateTimeField(auto_now=True)),
                ("publish_when_closed", models.BooleanField(db_default=False, default=False)),
                ("not_published_at", models.DateTimeField(editable=False, null=True)),
                (
                    "not_published_why",
                    models.CharField(
                        blank=True, db_default="", default="", editable=False, max_length=300
                    ),
                ),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="drafts",
                        to="courses.course",
                    ),
                ),
                (
                    "edited_by",
                    models.ForeignKey(
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
            options={
                "constraints": [
                    models.UniqueConstraint(
                        fields=("course", "kind", "slug"), name="one_draft_of_a_thing"
                    )
                ],
            },
        ),
    ]
