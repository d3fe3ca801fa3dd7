"""Indexes that answer what an idle worker asks: what a pool lacks, and what is to be verified."""

from django.db import migrations, models


class Migration(migrations.Migration):
    dependencies = [("exercises", "0023_class_of_a_regrade_by_key")]

    operations = [
        migrations.AddIndex(
            "casepack",
            models.Index(
                fields=["version", "retired_at", "is_reserved", "uses"], name="packs_of_a_pool"
            ),
        ),
        migrations.RemoveIndex("casepack", "packs_in_the_pool"),
        migrations.AddIndex(
            "exerciseversion",
            models.Index(
                condition=models.Q(verification="waiting"), fields=["id"], name="versions_to_verify"
            ),
        ),
    ]
