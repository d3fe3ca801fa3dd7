"""Programs of listings that a worker runs for an author, before their lesson is published."""

import django.db.models.deletion
import django.utils.timezone
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0012_folder_and_zip"),
        ("lessons", "0012_place_out_of_hash"),
    ]

    operations = [
        migrations.CreateModel(
            name="ListingRun",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("digest", models.CharField(max_length=64)),
                ("code", models.TextField()),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("waiting", "Waiting"),
                            ("printed", "Printed"),
                            ("stopped", "Stopped"),
                            ("left_out", "Left Out"),
                            ("failed", "Failed"),
                        ],
                        default="waiting",
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField(default=django.utils.timezone.now)),
                ("tries_used", models.PositiveSmallIntegerField(default=0)),
                ("leased_until", models.DateTimeField(null=True)),
                ("printed", models.TextField(blank=True)),
                ("fault", models.TextField(blank=True)),
                ("line", models.PositiveIntegerField(default=1)),
                (
                    "course",
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="+",
                        to="courses.course",
                    ),
                ),
            ],
            options={
                "ordering": ["pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["asked_at"],
                        name="listings_waiting",
                    ),
                    models.Index(fields=["asked_at"], name="old_listing_runs"),
                ],
                "constraints": [
                    models.UniqueConstraint(fields=("course", "digest"), name="one_run_per_program")
                ],
            },
        ),
    ]
