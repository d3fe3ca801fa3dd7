"""Questions and quizzes belong to a course; `courses.0002` says which."""

import django.db.models.deletion
from django.db import migrations, models


def _course(name: str) -> models.ForeignKey:
    return models.ForeignKey(
        null=True,
        on_delete=django.db.models.deletion.PROTECT,
        related_name=name,
        to="courses.course",
    )


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0001_courses"),
        ("assessment", "0006_order_of_the_course"),
    ]

    operations = [
        migrations.AddField("question", "course", _course("questions")),
        migrations.AddField("quiz", "course", _course("quizzes")),
        migrations.AddField(
            "question", "withdrawn_at", models.DateTimeField(editable=False, null=True)
        ),
        migrations.AddField(
            "quiz", "withdrawn_at", models.DateTimeField(editable=False, null=True)
        ),
    ]
