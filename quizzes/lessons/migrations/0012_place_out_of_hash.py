"""The place of a lesson is no part of its hash any more: a lesson that moves is not edited.

The hash of what was loaded is written again where a lesson is as it was loaded. Where it is not, it
stays: file and row differ then as before.
"""

import hashlib
import json
from operator import attrgetter
from typing import Any

from django.db import migrations


def _hash_of(*parts: Any) -> str:
    text = json.dumps(parts, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _step(step: Any) -> dict[str, Any]:
    content: dict[str, Any] = {
        "slug": step.slug,
        "title": step.title,
        "text": step.text,
        "sources": [[source["key"], source["where"]] for source in step.sources],
    }
    if step.going_deeper:
        content["going_deeper"] = True
    if step.as_of:
        content["as_of"] = step.as_of.isoformat()
    return content


def _rewrite(apps: Any, *, has_place: bool) -> None:
    lessons = apps.get_model("lessons", "Lesson").objects
    for lesson in lessons.exclude(loaded_hash="").prefetch_related("steps"):
        steps = [_step(step) for step in sorted(lesson.steps.all(), key=attrgetter("number"))]
        facts = (lesson.title, lesson.summary, lesson.form, lesson.prerequisites, steps)
        without, within = _hash_of(*facts), _hash_of(lesson.number, *facts)
        old, new = (without, within) if has_place else (within, without)
        if lesson.loaded_hash == old:
            lessons.filter(pk=lesson.pk).update(loaded_hash=new)


def take_out(apps: Any, _editor: Any) -> None:
    _rewrite(apps, has_place=False)


def put_in(apps: Any, _editor: Any) -> None:
    _rewrite(apps, has_place=True)


class Migration(migrations.Migration):
    dependencies = [("lessons", "0011_step_as_of")]

    operations = [migrations.RunPython(take_out, put_in)]
