"""What the worker of a real site found out about the shipped exercises before anybody used them."""

import json

import pytest

from tests.course_folders import COURSES, name_of
from tests.settled_site import VERIFIED_BY_DAY

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
packs = CasePack.objects.exclude(data=b"").values_list(
    f"{exercise}__course__slug", f"{exercise}__slug", "pk"
)
timed = {
    f"{course}/{slug}": [case.label for case in read_pack(pk).cases if case.probe == "time"]
    for course, slug, pk in packs
}
print(json.dumps([[list(row) for row in rows], timed]))
"""


def is_rounding(warning: dict[str, str]) -> bool:
    """Whether it is of a table rounded to 4 digits: off by half of the last, two tolerances."""
    return warning["message"].startswith("rounded differs from the right result by only 2.0 times")


@pytest.mark.parametrize("when", ["by day", pytest.param("at night", marks=pytest.mark.soak)])
def test_every_shipped_exercise_has_proved_itself_and_has_a_speed_card(site, when):
    """By day those that the settled site verifies, at night all."""
    rows, timed = json.loads(site.manage("shell", "-c", READ).stdout.splitlines()[-1])
    assert sorted(f"{course}/{slug}" for course, slug, _, _ in rows) == SHIPPED
    if when == "by day":
        rows = [row for row in rows if row[1] in VERIFIED_BY_DAY]
        assert len(rows) == len(VERIFIED_BY_DAY)
    for _, slug, verification, proof in rows:
        assert verification == "ok", slug
        score = proof["score"]
        assert score["caught"] == score["told_apart"] == score["total"] > 5, slug
        assert proof["examples"], f"{slug}: no worked example"
        assert all(example["ok"] for example in proof["examples"]), slug
        doubted = [one for one in proof["warnings"] if one["kind"] in ("tolerance", "dtype")]
        assert [one for one in doubted if not is_rounding(one)] == [], slug
    assert sorted(timed) == sorted(f"{course}/{slug}" for course, slug, _, _ in rows)
    assert not [slug for slug, labels in timed.items() if not labels]
