"""The first edition of each quiz: what is published, or was until it was withdrawn.

The log of the course says who published it in the browser, and when. When a quiz was loaded, nobody
has noted.

Files and hashes are made as this release does it, by functions of this module.
"""

import hashlib
import json

import yaml
from django.db import migrations


class _Quoted(yaml.SafeDumper):
    """Quotes every text, so that no reader takes one for a number or another value."""


def _text(dumper, text):
    return dumper.represent_scalar("tag:yaml.org,2002:str", text, style='"')


_Quoted.add_representer(str, _text)


def _hash_of(content):
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()


def _place(place):
    points = place.points
    number = int(points) if points == points.to_integral_value() else float(points)
    worth = {} if points == 1 else {"points": number}
    if place.draw:
        return {"draw": place.draw, "tag": place.tag, **worth}
    return {"slug": place.question.slug, **worth} if worth else place.question.slug


def _content(quiz, places):
    flags = {name: True for name in ("class_only", "shuffle") if getattr(quiz, name)}
    questions = [_place(place) for place in places]
    return {"title": quiz.title, "summary": quiz.summary, "questions": questions}, flags


def _file(content, flags):
    named = {name: content[name] for name in ("title", "summary") if content[name]}
    flags = {name: True for name in ("shuffle", "class_only") if name in flags}
    fields = {**named, **flags, "questions": content["questions"]}
    return yaml.dump(fields, Dumper=_Quoted, sort_keys=False, allow_unicode=True)


def _publications(apps):
    """Return by whom and when each quiz was published last, by course and the name it has now."""
    entries = apps.get_model("courses", "AuditEntry").objects.filter(act="published")
    facts = entries.order_by("at", "pk").values_list("course_id", "subjects", "by_id", "at")
    latest = {}
    for course, subjects, by, at in facts.iterator():
        for kind, slug, *_ in subjects:
            if kind == "quiz":
                latest[course, slug] = {"by_id": by, "at": at}
    for name in apps.get_model("courses", "OldName").objects.filter(kind="quiz"):
        known = [latest.get((name.course_id, slug)) for slug in (name.old, name.new)]
        if any(known):
            latest[name.course_id, name.new] = max(filter(None, known), key=lambda fact: fact["at"])
    return latest


def write_editions(apps, _schema_editor):
    editions = apps.get_model("courses", "Edition").objects
    places = apps.get_model("assessment", "QuizQuestion").objects.select_related("question")
    publications = _publications(apps)
    for quiz in apps.get_model("assessment", "Quiz").objects.order_by("pk"):
        rows = list(places.filter(quiz_id=quiz.pk).order_by("order"))
        thing = {"course_id": quiz.course_id, "kind": "quiz", "slug": quiz.slug}
        if not rows or editions.filter(**thing).exists():
            continue  # never published; or this was done before
        content, flags = _content(quiz, rows)
        content_hash = _hash_of([*content.values()] + ([flags] if flags else []))
        if quiz.loaded_hash == content_hash:
            facts = {"from_files": True, "at": None}
        else:
            facts = publications.get((quiz.course_id, quiz.slug), {"at": None})
        files = {"quiz.yaml": _file(content, flags)}
        editions.create(**thing, number=1, files=files, content_hash=content_hash, **facts)


class Migration(migrations.Migration):
    dependencies = [
        ("assessment", "0022_drafts_are_files"),
        ("courses", "0010_edition"),
    ]

    # The way back leaves what is noted; the table goes with the migration that made it.
    operations = [migrations.RunPython(write_editions, migrations.RunPython.noop)]
