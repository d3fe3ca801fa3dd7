"""How much of a step's time is for its exercises; lists tell it beside the time for reading."""

import re
from typing import Any

from django.db import migrations, models

EXERCISE = re.compile(r"^(?:```|~~~)+[ \t]*exercise\b", re.MULTILINE)
SECONDS = 900  # of one exercise, as `lesson_files` has it


def fill(apps: Any, schema_editor: Any) -> None:
    """Count the exercises of steps that are stored: files that did not change are not read again."""
    del schema_editor
    steps = apps.get_model("lessons", "Step").objects.filter(text__contains="exercise")
    for step in steps.iterator():
        step.code_seconds = SECONDS * len(EXERCISE.findall(step.text))
        if step.code_seconds:
            step.save(update_fields=["code_seconds"])


class Migration(migrations.Migration):
    dependencies = [("lessons", "0003_courses_moved")]

    operations = [
        migrations.AddField("step", "code_seconds", models.PositiveIntegerField(default=0)),
        migrations.RunPython(fill, migrations.RunPython.noop),
    ]
