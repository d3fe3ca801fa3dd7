"""One row of progress, and one review card, for a thing of a course."""

import django.db.models.deletion
from django.db import migrations, models


def _course() -> models.ForeignKey:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.CASCADE, related_name="+", to="courses.course"
    )


def _unique(name: str) -> models.UniqueConstraint:
    return models.UniqueConstraint(fields=("learner", "course", "kind", "slug"), name=name)


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0002_owners"),
        ("learners", "0005_course"),
    ]

    operations = [
        migrations.AlterField("progress", "course", _course()),
        migrations.AlterField("reviewcard", "course", _course()),
        migrations.RemoveConstraint("progress", "one_progress_row_per_thing"),
        migrations.RemoveConstraint("reviewcard", "one_review_card_per_thing"),
        migrations.AddConstraint("progress", _unique("one_progress_row_per_thing")),
        migrations.AddConstraint("reviewcard", _unique("one_review_card_per_thing")),
    ]
