"""Names of questions and quizzes are unique within their course."""

import django.db.models.deletion
from django.db import migrations, models


def _course(name: str) -> models.ForeignKey:
    return models.ForeignKey(
        on_delete=django.db.models.deletion.PROTECT, related_name=name, to="courses.course"
    )


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0002_owners"),
        ("assessment", "0007_course"),
    ]

    operations = [
        migrations.AlterField("question", "course", _course("questions")),
        migrations.AlterField("quiz", "course", _course("quizzes")),
        migrations.AlterField("question", "slug", models.SlugField(max_length=80)),
        migrations.AlterField("quiz", "slug", models.SlugField(max_length=80)),
        migrations.AddConstraint(
            "question",
            models.UniqueConstraint(fields=("course", "slug"), name="one_question_per_slug"),
        ),
        migrations.AddConstraint(
            "quiz", models.UniqueConstraint(fields=("course", "slug"), name="one_quiz_per_slug")
        ),
    ]
