"""Fingerprints of wrong results without a name, and drafts of known mistakes made from them."""

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [
        ("exercises", "0029_xrays"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="submission",
            name="fingerprint",
            field=models.CharField(
                blank=True,
                db_default="",
                default="",
                editable=False,
                help_text="The same for all wrong code that makes one mistake without a name.",
                max_length=32,
            ),
        ),
        migrations.AddField(
            model_name="trialverdict",
            name="fingerprint",
            field=models.CharField(
                blank=True, db_default="", default="", editable=False, max_length=32
            ),
        ),
        migrations.CreateModel(
            name="MistakeDraft",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("fingerprint", models.CharField(editable=False, max_length=32)),
                ("files", models.JSONField(editable=False)),
                (
                    "begun_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
                ),
                (
                    "edited_at",
                    models.DateTimeField(default=django.utils.timezone.now, editable=False),
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
                ("names_group", models.BooleanField(default=False, editable=False)),
                ("proved_hash", models.CharField(blank=True, editable=False, max_length=64)),
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
                    "edited_by",
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
                    models.ForeignKey(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="mistake_drafts",
                        to="exercises.exercise",
                    ),
                ),
                (
                    "sample",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="exercises.submission",
                    ),
                ),
                (
                    "published",
                    models.ForeignKey(
                        editable=False,
                        null=True,
                        on_delete=django.db.models.deletion.SET_NULL,
                        related_name="+",
                        to="exercises.exerciseversion",
                    ),
                ),
            ],
            options={
                "ordering": ["-pk"],
                "indexes": [
                    models.Index(
                        condition=models.Q(("state", "waiting")),
                        fields=["asked_at"],
                        name="proofs_waiting",
                    )
                ],
                "constraints": [
                    models.UniqueConstraint(
                        condition=models.Q(("published", None)),
                        fields=("exercise", "fingerprint"),
                        name="one_mistake_draft_per_group",
                    ),
                    models.CheckConstraint(
                        condition=models.Q(
                            ("state__in", ["edited", "waiting", "proved", "refused", "failed"])
                        ),
                        name="mistake_draft_state_is_known",
                    ),
                ],
            },
        ),
    ]
