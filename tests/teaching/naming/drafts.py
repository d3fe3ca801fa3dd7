"""Drafts of known mistakes as their tests make, send and read them."""

import re
from html import unescape

from django.conf import settings
from django.utils import timezone

from quizzes.classes.models import Cohort
from quizzes.courses.models import CourseStaff
from quizzes.exercises import publishing
from quizzes.exercises.models import MistakeDraft
from quizzes.exercises.proofs import leases
from quizzes.grader.definitions import read_definition
from tests.courses import SLUG, some_course
from tests.factories import (
    browser_of,
    create_member,
    create_submission,
)

FOLDER = settings.COURSE.parents[1] / "authoring/skeleton/exercises/moving-average"
CODE = "def moving_average(x, width):\n    return x\n"
FIELDS = {
    "does": "You return x.",
    "should": "It should be averaged.",
    "breaks": "2",
    "step": "basics/code-it",
    "kind": "mistake",
    "code": CODE,
    "confirmed": "on",
}
PRINT = "a" * 32


def address(draft, page=""):
    return f"/teach/courses/{SLUG}/exercises/moving-average/mistakes/{draft.pk}/{page}"


def sent(draft, **fields):
    return {**FIELDS, "mark": draft.mark, "do": "save", **fields}


def words_of(answer):
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", answer.content.decode())).split())


def now(draft):
    return MistakeDraft.objects.select_related("exercise__current").get(pk=draft.pk)


def prove(draft, problems=()):
    leased = leases.lease_proof()
    assert leased == draft
    leases.end_proof(draft=leased, problems=problems, fingerprint=PRINT)


def add_group(exercise, students, fingerprint=PRINT, code=CODE, **facts):
    for student in students:
        create_submission(
            exercise,
            student.user.learner,
            "wrong",
            fingerprint=fingerprint,
            code=code,
            **facts,
        )


def staff(name, role, of_course=""):
    member = create_member(Cohort.objects.get(), name, role=role)
    if of_course:
        CourseStaff.objects.create(course=some_course(), user=member.user, role=of_course)
    return browser_of(member.user)


WEEK = "/teach/classes/autumn/"


def begin(browser, **fields):
    page = browser.get(WEEK).content.decode()
    week = re.search(r'name="week" value="([^"]+)"', page)
    name = week[1] if week else f"{timezone.now():%G-W%V}"
    body = {"week": name, "exercise": "moving-average", "fingerprint": PRINT, **fields}
    return browser.post(f"{WEEK}week/name/", body)


def publish(browser, draft):
    browser.post(address(draft), sent(draft, do="prove"))
    prove(draft)
    return browser.post(address(draft), {"do": "publish", "mark": now(draft).mark}, follow=True)


def accept_next():
    leased = publishing.lease_unverified()
    publishing.accept(version=leased, seed=1, data=b"", outline={"shown": [], "hidden": 1})


def add_version(exercise, **texts):
    files = {**exercise.current.files, **texts}
    definition = read_definition(exercise.slug, files)
    return publishing.add_version(exercise=exercise, definition=definition, files=files)


def discard(browser, draft):
    browser.post(address(draft), {"do": "discard", "mark": draft.mark})
