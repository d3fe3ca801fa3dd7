"""Searches for a counterexample: Runs of a known mistake against the reference of a version."""

import django.db.models.deletion
from django.db import migrations, models
from django.db.models import Q


class Migration(migrations.Migration):
    dependencies = [("exercises", "0026_runs")]

    operations = [
        migrations.AddField(
            "coderun",
            "against",
            models.ForeignKey(
                editable=False,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="exercises.exerciseversion",
            ),
        ),
        migrations.AddField(
            "coderun",
            "mistake",
            models.CharField(blank=True, db_default="", default="", editable=False, max_length=64),
        ),
        migrations.AddConstraint(
            "coderun",
            models.CheckConstraint(
                condition=Q(against=None, mistake="") | (Q(against__isnull=False) & ~Q(mistake="")),
                name="mistake_of_a_version",
            ),
        ),
    ]
