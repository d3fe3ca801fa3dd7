"""Proofs of exercises that are written in the browser."""

import django.db.models.deletion
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0032_shared_figures"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.CreateModel(
            name="ExerciseProof",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                (
                    "state",
                    models.CharField(
                        choices=[
                            ("edited", "not proved yet"),
                            ("waiting", "waiting to be proved"),
                            ("proved", "proved"),
                            ("refused", "not proved: there are problems"),
                            ("failed", "not proved: we failed"),
                        ],
                        default="edited",
                        editable=False,
                        max_length=10,
                    ),
                ),
                ("asked_at", models.DateTimeField(editable=False, null=True)),
                ("tries_used", models.PositiveSmallIntegerField(default=0, editable=False)),
                ("leased_until", models.DateTimeField(editable=False, null=True)),
                ("stage", models.CharField(blank=True, editable=False, max_length=100)),
                ("problems", models.JSONField(default=list, editable=False)),
                ("proved_hash", models.CharField(blank=True, editable=False, max_length=64)),
                ("files", models.JSONField(editable=False)),
                ("content_hash", models.CharField(editable=False, max_length=64)),
                ("report", models.JSONField(editable=False, null=True)),
                (
                    "asked_by",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
                (
                    "exercise",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="draft_proof",
                        to="exercises.exercise",
                    ),
                ),
            ],
            options={
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["asked_at"],
                        name="exercise_proofs_waiting",
                    )
                ],
                "constraints": [
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["edited", "waiting", "proved", "refused", "failed"])
                        ),
                        name="exercise_proof_state_is_known",
                    )
                ],
            },
        ),
    ]
