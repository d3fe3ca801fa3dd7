"""The first edition of each quiz: what is published, or was until it was withdrawn.

The log of the course says who published it in the browser, and when. When a quiz was loaded, nobody
has noted.

Files and hashes are made as this release does it, by functions of this module.
"""

from django.db import migrations

from quizzes.content_files.canonical_yaml import Line, write_yaml
from quizzes.content_files.stored_hashes import hash_of


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
    questions = [Line(one) if isinstance(one, dict) else one for one in content["questions"]]
    return write_yaml({**named, **flags, "questions": questions})


def _published(apps, quiz):
    """Return by whom and when a quiz was published last, as far as the log says so."""
    entries = apps.get_model("courses", "AuditEntry").objects.order_by("-at", "-pk")
    for entry in entries.filter(course_id=quiz.course_id, act="published"):
        if any(subject[:2] == ["quiz", quiz.slug] for subject in entry.subjects):
            return {"by_id": entry.by_id, "at": entry.at}
    return {"at": None}


def write_editions(apps, _schema_editor):
    editions = apps.get_model("courses", "Edition").objects
    places = apps.get_model("assessment", "QuizQuestion").objects.select_related("question")
    for quiz in apps.get_model("assessment", "Quiz").objects.order_by("pk"):
        rows = list(places.filter(quiz_id=quiz.pk).order_by("order"))
        thing = {"course_id": quiz.course_id, "kind": "quiz", "slug": quiz.slug}
        if not rows or editions.filter(**thing).exists():
            continue  # never published; or this was done before
        content, flags = _content(quiz, rows)
        content_hash = hash_of([*content.values()] + ([flags] if flags else []))
        if quiz.loaded_hash == content_hash:
            facts = {"from_files": True, "at": None}
        else:
            facts = _published(apps, quiz)
        files = {"quiz.yaml": _file(content, flags)}
        editions.create(**thing, number=1, files=files, content_hash=content_hash, **facts)


class Migration(migrations.Migration):
    dependencies = [
        ("assessment", "0022_drafts_are_files"),
        ("courses", "0010_edition"),
    ]

    # The way back leaves what is noted; the table goes with the migration that made it.
    operations = [migrations.RunPython(write_editions, migrations.RunPython.noop)]
