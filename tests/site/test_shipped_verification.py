"""What the worker of a real site found out about the shipped exercises before anybody used them."""

import json

from tests.course_folders import COURSES, name_of

SHIPPED = sorted(
    f"{name_of(course)}/{file.parent.name}"
    for course in COURSES
    for file in course.glob("exercises/*/exercise.yaml")
)
READ = """
import json
from quizzes.exercises.models import CasePack, Exercise
from quizzes.exercises.case_pack_pool import read_pack
rows = Exercise.objects.values_list(
    "course__slug", "slug", "current__verification", "current__proof"
)
exercise = "version__exercise"
packs = CasePack.objects.values_list(f"{exercise}__course__slug", f"{exercise}__slug", "pk")
timed = {
    f"{course}/{slug}": [case.label for case in read_pack(pk).cases if case.probe == "time"]
    for course, slug, pk in packs
}
print(json.dumps([[list(row) for row in rows], timed]))
"""


def is_rounding(warning: dict[str, str]) -> bool:
    """Whether it is of a table rounded to 4 digits: off by half of the last, two tolerances."""
    return warning["message"].startswith("rounded is only 2.0 tolerances")


def test_every_shipped_exercise_has_proved_itself_and_has_a_speed_card(site):
    rows, timed = json.loads(site.manage("shell", "-c", READ).stdout.splitlines()[-1])
    assert sorted(f"{course}/{slug}" for course, slug, _, _ in rows) == SHIPPED
    for _, slug, verification, proof in rows:
        assert verification == "ok", slug
        score = proof["score"]
        assert score["caught"] == score["told_apart"] == score["total"] > 5, slug
        assert proof["examples"], f"{slug}: no worked example"
        assert all(example["ok"] for example in proof["examples"]), slug
        doubted = [one for one in proof["warnings"] if one["kind"] in ("tolerance", "dtype")]
        assert [one for one in doubted if not is_rounding(one)] == [], slug
    assert sorted(timed) == SHIPPED
    assert not [slug for slug, labels in timed.items() if not labels]
