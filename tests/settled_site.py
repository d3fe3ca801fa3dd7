"""A site that has run for a while: courses are loaded, every exercise verified, pools filled.

Made once for all processes of a run; the sites of most tests begin as copies of it. To verify all
twenty exercises takes a minute of the processor. So by day one of each kind is verified, and the
others are noted as such without a proof: no test submits code to them. At night all are.

Where the gate has settled a site on SQLite, PostgreSQL's is a copy of that, by the command that
operators use.
"""

import shutil
import time
from pathlib import Path

import hypothesis

from tests.databases import MIGRATED, SQLITE, made_once, migrated_database, on_postgresql
from tests.examples import NIGHT
from tests.whole_site import Site

# Most tests ask for no torch, and a learner may meet the same pack again.
SPARING = {"CASE_PACKS": "1", "MOST_CASE_PACKS": "1", "WARM_TORCH": "0"}
# For each library and each kind of call: functions, modules, random numbers, whole numbers; and the
# exercise that prepared readers have solved, whose page asks for what verifying it found out.
VERIFIED_BY_DAY = ("sinusoidal-table", "learned-positions", "apply-rope", "t5-bucket", "inv-freq")
# As `prepare_site` does, except for the listings of lessons, which need torch in a sandbox.
PREPARE = f"""
from django.conf import settings
from django.core.management import call_command
from quizzes.content_files.files import DiskFiles
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.loading import load
from quizzes.content_files.course_folders import course_folders
from quizzes.exercises.publishing import accept, give_back_version, lease_unverified
for folder in course_folders(settings.COURSE):
    load(read_course_files(DiskFiles(folder)))
call_command("demo_logins")
verified = []
while version := lease_unverified():
    if version.exercise.slug in {VERIFIED_BY_DAY}:
        verified.append(version)
    else:
        accept(version=version, seed=1, data=b"", outline={{"shown": [], "hidden": 6}})
for version in verified:
    give_back_version(version=version)
"""
WAIT = """
import time
from quizzes.worker.question_pool import question_to_fill
from quizzes.exercises.models import ExerciseVersion
from quizzes.exercises.case_pack_pool import version_with_low_pool
waiting = ExerciseVersion.objects.filter(verification=ExerciseVersion.Verification.WAITING)
deadline = time.monotonic() + 600
while waiting.exists() or version_with_low_pool() or question_to_fill():
    assert time.monotonic() < deadline, [waiting, version_with_low_pool(), question_to_fill()]
    time.sleep(0.5)
"""


def settled_site(shared: Path) -> Path:
    """Return the folder of a stopped site to copy, whose database is named by `said`."""
    folder = shared / "settled"
    made_once(folder, _settle)
    return folder


def _settle(folder: Path) -> str:
    migrated_database(folder.parent)
    site = Site(folder, SPARING, like=folder.parent / MIGRATED)
    settled = folder.parents[1] / SQLITE / folder.name
    if on_postgresql() and _is_settled(settled):
        site.manage("copy_database", (settled / "said").read_text())
        shutil.copytree(settled / "var", folder / "var", dirs_exist_ok=True)
        return site.environment["DATABASE_URL"]
    if hypothesis.settings.get_current_profile_name() != NIGHT:
        site.manage("shell", "-c", PREPARE)
        site.command.append("--prepared")  # to read the courses again would take 4 s
    site.start()
    try:
        site.manage("shell", "-c", WAIT, seconds=660)  # it gives up itself after 600
    finally:
        site.stop()
    return site.environment["DATABASE_URL"]


def _is_settled(site: Path) -> bool:
    """Wait while the gate's lanes on SQLite make theirs; without such lanes there is none."""
    deadline = time.monotonic() + 300
    while site.parent.exists() and time.monotonic() < deadline:
        if (site / "said").exists():
            return True
        time.sleep(1)
    return False
