"""Attempts have sittings, deadlines and points; answers a score; questions two kinds more."""

from decimal import Decimal

import django.db.models.deletion
from django.db import migrations, models


def _points() -> models.DecimalField:
    return models.DecimalField(decimal_places=2, default=Decimal(1), max_digits=6)


def _sum_of_points() -> models.DecimalField:
    return models.DecimalField(
        blank=True, decimal_places=5, editable=False, max_digits=12, null=True
    )


def _no() -> models.BooleanField:
    return models.BooleanField(default=False, editable=False)


def _time() -> models.DateTimeField:
    return models.DateTimeField(blank=True, editable=False, null=True)


class Migration(migrations.Migration):
    dependencies = [("assessment", "0009_later_tries")]

    operations = [
        migrations.RemoveConstraint("attempt", "one_open_attempt_per_learner_and_quiz"),
        migrations.RemoveConstraint("response", "answered_by_a_choice_or_a_number"),
        migrations.AddField("attempt", "deadline_at", _time()),
        migrations.AddField("attempt", "earned", _sum_of_points()),
        migrations.AddField("attempt", "possible", _sum_of_points()),
        migrations.AddField(
            "attempt",
            "ended_by",
            models.CharField(
                blank=True,
                choices=[("learner", "handed in"), ("time", "ended by its time")],
                default="",
                editable=False,
                max_length=10,
            ),
        ),
        migrations.AddField(
            "attempt",
            "sitting",
            models.CharField(blank=True, default="", editable=False, max_length=40),
        ),
        migrations.AddField(
            "question",
            "numbers_missing_since",
            models.DateTimeField(editable=False, null=True),
        ),
        migrations.AddField(
            "questionversion",
            "scoring",
            models.CharField(
                blank=True,
                choices=[
                    ("all_or_nothing", "all or nothing"),
                    ("per_option", "a part for each right option"),
                ],
                default="",
                max_length=20,
            ),
        ),
        migrations.AlterField(
            "questionversion",
            "kind",
            models.CharField(
                choices=[
                    ("single", "one right option"),
                    ("numeric", "a number"),
                    ("multiple", "several right options"),
                    ("text", "a text"),
                ],
                default="single",
                max_length=20,
            ),
        ),
        migrations.AddField("quiz", "class_only", _no()),
        migrations.AddField("quiz", "shuffle", _no()),
        migrations.AddField(
            "quizquestion", "draw", models.PositiveSmallIntegerField(blank=True, null=True)
        ),
        migrations.AddField("quizquestion", "points", _points()),
        migrations.AddField(
            "quizquestion", "tag", models.CharField(blank=True, default="", max_length=80)
        ),
        migrations.AlterField(
            "quizquestion",
            "question",
            models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.PROTECT,
                related_name="places",
                to="assessment.question",
            ),
        ),
        migrations.AddField("response", "choices", models.JSONField(blank=True, null=True)),
        migrations.AddField(
            "response",
            "score",
            models.DecimalField(blank=True, decimal_places=5, max_digits=6, null=True),
        ),
        migrations.AddField("response", "points", _points()),
        migrations.AddField("response", "is_dropped", models.BooleanField(default=False)),
    ]
