"""A class behind one address that reads a lesson, answers, writes and checks code, all at once."""

from dataclasses import replace
from pathlib import Path
from typing import Any
from uuid import uuid4

from django.conf import settings
from django.test import Client
from django.utils import timezone

from quizzes.assessment.models import Question
from quizzes.exercises.models import ExerciseVersion
from quizzes.learners.models import User
from quizzes.lessons.models import Step
from quizzes.limits.bucket import Bucket
from quizzes.limits.limits import Limit
from tests.courses import at

LESSON, QUESTION = "rope", "adds-or-multiplies"
PASSWORD = "a long word of theirs"


def for_a_smaller_class(limit: Limit, share: float) -> Limit:
    """Return a limit of an address and a site with fewer people, each of whom may do as much."""

    def part(bucket: Bucket) -> Bucket:
        return replace(bucket, per_second=bucket.per_second * share, at_once=bucket.at_once * share)

    newcomers = part(limit.newcomers) if limit.newcomers else None
    return Limit(limit.person, part(limit.address), newcomers)


def longest_code() -> tuple[str, str]:
    """Return the slug and the right code of the exercise of the course whose code is longest."""
    files = Path(settings.COURSE).glob("exercises/*/reference.py")
    longest = max(files, key=lambda file: file.stat().st_size)
    return longest.parent.name, longest.read_text()


def verify_everything() -> None:
    """Let every exercise take code."""
    ExerciseVersion.objects.update(verification="ok", verified_at=timezone.now())


def sign_in(browser: Client, name: str, **sender: Any) -> list[tuple[str, int]]:
    """Make an account, and sign in to it as its learner does; return all answers."""
    User.objects.create_user(name, password=PASSWORD)
    form = {"login": name, "password": PASSWORD}
    path = "/accounts/login/"
    answers = [browser.get(path, **sender), browser.post(path, form, **sender)]
    assert "_auth_user_id" in browser.session, "not signed in"
    return [(path, answer.status_code) for answer in answers]


def work_through(browser: Client, **sender: Any) -> list[tuple[str, int]]:
    """Read and do what a learner does in a lesson, send a draft and a Check; return all answers."""
    slug, code = longest_code()
    exercise = at(f"/exercises/{slug}/")
    question = Question.objects.select_related("current").get(slug=QUESTION)
    assert question.current is not None
    option = question.current.options.get(is_key=True).pk
    answer = {"step": question.current.step, "option": option}
    steps = Step.objects.filter(lesson__slug=LESSON).values_list("slug", flat=True)
    posts: list[tuple[str, dict[str, object]]] = [
        *[(at(f"/learn/{LESSON}/{step}/"), {}) for step in steps],
        (at(f"/questions/{QUESTION}/answer/"), answer),
        (f"{exercise}draft/", {"code": code}),
        (exercise, {"code": code, "kind": "check", "key": uuid4()}),
    ]
    pages = ["/", at(f"/learn/{LESSON}/"), exercise]
    read = [(path, browser.get(path, **sender).status_code) for path in pages]
    return read + [(path, browser.post(path, body, **sender).status_code) for path, body in posts]
