"""The place of a lesson is no part of its text any more; a course says whether it has a folder; zips that wait.

The hash of a lesson began with its place. Where a row is as it was loaded, its hash is written
again without the place, so that no lesson looks edited or changed after the upgrade.
"""

import hashlib
import json
from typing import Any

import django.db.models.deletion
import django.utils.timezone
from django.conf import settings
from django.db import migrations, models


def _hash_of(content: Any) -> str:
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _step(step: Any) -> dict[str, Any]:
    works = [[source["key"], source["where"]] for source in step.sources]
    content = {"slug": step.slug, "title": step.title, "text": step.text, "sources": works}
    return {**content, "going_deeper": True} if step.going_deeper else content


def _rewrite(apps: Any, *, with_place: bool) -> None:
    for lesson in apps.get_model("lessons", "Lesson").objects.prefetch_related("steps"):
        steps = [_step(step) for step in sorted(lesson.steps.all(), key=lambda row: row.number)]
        facts = [lesson.title, lesson.summary, lesson.form, lesson.prerequisites, steps]
        hashes = _hash_of(facts), _hash_of([lesson.number, *facts])
        now, then = hashes if with_place else reversed(hashes)
        if lesson.loaded_hash == now:
            lesson.loaded_hash = then
            lesson.save(update_fields=["loaded_hash"])


def without_place(apps: Any, schema_editor: Any) -> None:
    del schema_editor
    _rewrite(apps, with_place=False)


def with_place(apps: Any, schema_editor: Any) -> None:
    del schema_editor
    _rewrite(apps, with_place=True)


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0010_edition"),
        ("lessons", "0010_released_models"),
        migrations.swappable_dependency(settings.AUTH_USER_MODEL),
    ]

    operations = [
        migrations.AddField(
            model_name="course",
            name="has_folder",
            field=models.BooleanField(db_default=True, default=True, editable=False),
        ),
        migrations.CreateModel(
            name="PendingZip",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("slug", models.SlugField(max_length=80)),
                ("data", models.BinaryField()),
                ("at", models.DateTimeField(default=django.utils.timezone.now)),
                (
                    "by",
                    models.OneToOneField(
                        on_delete=django.db.models.deletion.CASCADE,
                        related_name="pending_zip",
                        to=settings.AUTH_USER_MODEL,
                    ),
                ),
            ],
        ),
        migrations.RunPython(without_place, with_place),
    ]
