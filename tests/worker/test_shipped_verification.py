"""What the worker of a real site found out about the shipped exercises before anybody used them."""

import json

READ = """
import json
from quizzes.exercises.models import Exercise
rows = Exercise.objects.values_list("slug", "current__verification", "current__proof")
print(json.dumps([list(row) for row in rows]))
"""
TIMED = """
import json
from quizzes.exercises.models import CasePack
from quizzes.exercises.case_pack_pool import read_pack
packs = dict(CasePack.objects.values_list("version__exercise__slug", "pk"))
print(json.dumps({
    slug: [case.label for case in read_pack(pk).cases if case.probe == "time"]
    for slug, pk in packs.items()
}))
"""


def is_rounding(warning: dict[str, str]) -> bool:
    """Whether it is of a table rounded to 4 digits: off by half of the last, two tolerances."""
    return warning["message"].startswith("rounded is only 2.0 tolerances")


def test_every_shipped_exercise_has_proved_itself(site):
    rows = json.loads(site.manage("shell", "-c", READ).stdout.splitlines()[-1])
    assert len(rows) == 18
    for slug, verification, proof in rows:
        assert verification == "ok", slug
        score = proof["score"]
        assert score["caught"] == score["told_apart"] == score["total"] > 5, slug
        assert proof["examples"], f"{slug}: no worked example"
        assert all(example["ok"] for example in proof["examples"]), slug
        doubted = [one for one in proof["warnings"] if one["kind"] in ("tolerance", "dtype")]
        assert [one for one in doubted if not is_rounding(one)] == [], slug


def test_every_shipped_exercise_has_a_speed_card(site):
    timed = json.loads(site.manage("shell", "-c", TIMED).stdout.splitlines()[-1])
    assert len(timed) == 18
    assert not [slug for slug, labels in timed.items() if not labels]
