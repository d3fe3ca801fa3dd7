"""Give every row the course that it belongs to.

Until now a name was a name of the whole site, and a site had one course worth the name: the shipped
one. So everything goes to it, but for maps, which bore the name of their course. Whoever was an
instructor wrote in that course and saw its learners' work, and stays its editor.
"""

from collections.abc import Callable
from typing import Any

from django.db import migrations

SHIPPED = "positional-encodings"
INSTRUCTORS = "Instructors"
OWNED = (
    ("assessment", "Question"),
    ("assessment", "Quiz"),
    ("exercises", "Exercise"),
    ("learners", "Progress"),
    ("learners", "ReviewCard"),
)
Get = Callable[[str, str], Any]


def give_owners(apps: Any, _schema_editor: Any) -> None:
    get: Get = apps.get_model
    owner = _shipped_course(get)
    if owner is None:
        return
    for app, name in OWNED:
        get(app, name).objects.update(course=owner)
    _give_maps(get, owner)
    _place_first(get, owner)
    _make_editors(get, owner)


def take_owners(apps: Any, _schema_editor: Any) -> None:
    """On the way back, name the maps again; the columns themselves go."""
    for found in apps.get_model("concepts", "ConceptMap").objects.select_related("course"):
        found.slug = found.course.slug
        found.save(update_fields=["slug"])


def _shipped_course(get: Get) -> Any:
    """Return the course of all rows; one is made where rows were stored without any course."""
    courses = get("courses", "Course").objects.order_by("pk")
    found = courses.filter(slug=SHIPPED).first() or courses.first()
    rows = any(get(app, name).objects.exists() for app, name in OWNED)
    maps = get("concepts", "ConceptMap").objects.exists()
    if found is None and (rows or maps):
        title = "Positional encodings"
        found = get("courses", "Course").objects.create(slug=SHIPPED, title=title, summary="")
    return found


def _give_maps(get: Get, owner: Any) -> None:
    """Give a map to the course whose name it has; what no course can have goes."""
    by_name = {course.slug: course for course in get("courses", "Course").objects.all()}
    taken = set()
    for found in get("concepts", "ConceptMap").objects.order_by("pk"):
        course = by_name.get(found.slug, owner)
        if course.pk in taken:
            found.delete()
            continue
        taken.add(course.pk)
        found.course = course
        found.save(update_fields=["course"])


def _place_first(get: Get, owner: Any) -> None:
    others = get("courses", "Course").objects.exclude(pk=owner.pk).order_by("pk")
    for place, course in enumerate(others, start=1):
        course.place = place
        course.save(update_fields=["place"])


def _make_editors(get: Get, owner: Any) -> None:
    staff = get("courses", "CourseStaff")
    for user in get("learners", "User").objects.filter(groups__name=INSTRUCTORS).distinct():
        staff.objects.get_or_create(course=owner, user=user, defaults={"role": "editor"})


def move_permissions(apps: Any, _schema_editor: Any) -> None:
    """Permissions of courses that somebody was given move with the model."""
    apps.get_model("contenttypes", "ContentType").objects.filter(
        app_label="lessons", model="course"
    ).update(app_label="courses")


def move_permissions_back(apps: Any, _schema_editor: Any) -> None:
    apps.get_model("contenttypes", "ContentType").objects.filter(
        app_label="courses", model="course"
    ).update(app_label="lessons")


class Migration(migrations.Migration):
    dependencies = [
        ("courses", "0001_courses"),
        ("contenttypes", "0002_remove_content_type_name"),
        ("lessons", "0003_courses_moved"),
        ("assessment", "0007_course"),
        ("exercises", "0010_course"),
        ("concepts", "0002_course"),
        ("learners", "0005_course"),
    ]

    operations = [
        migrations.RunPython(give_owners, take_owners),
        migrations.RunPython(move_permissions, move_permissions_back),
    ]
