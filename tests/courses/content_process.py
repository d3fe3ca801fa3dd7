"""A process that writes and reads a site's content, as its standard input says.

Each line is a JSON list: the name of a function below and its arguments. Each is answered by a
line: what the function returned. Transactions stay open between the lines.
"""

import json
import re
import sys
from difflib import unified_diff
from uuid import uuid4

import django

django.setup()

from django.db import transaction  # noqa: E402
from django.test import Client  # noqa: E402

from quizzes.assessment.models import Instance, Option, Question, QuestionVersion, Quiz  # noqa: E402
from quizzes.concepts.models import ConceptMap  # noqa: E402
from quizzes.courses import content  # noqa: E402
from quizzes.courses.models import Course  # noqa: E402
from quizzes.courses.withdrawal import restore, withdraw  # noqa: E402
from quizzes.exercises.models import Exercise, ExerciseVersion  # noqa: E402
from quizzes.lessons.models import Lesson, ReleasedModels, Step, Thumbnail  # noqa: E402
from quizzes.worker.question_pool import store_instance  # noqa: E402
from tests.assessment.drawn import made, made_number  # noqa: E402
from tests.study.twin_courses import ONE, load_twins  # noqa: E402

OF_ONE_ANSWER = re.compile(
    r'name="(csrfmiddlewaretoken|opened_by|key)"[^>]*value="[^"]*"|nonce="[^"]*"'
)
READ_CONTENT_TOKEN = content.content_token
blocks: list[transaction.Atomic] = []
client = Client(headers={"host": "127.0.0.1"})


def load() -> tuple[list[str], int]:
    """Fill an empty database; return the addresses of its pages, and in how many ways to write."""
    course, _ = load_twins()
    steps = Step.objects.filter(lesson__course=course).select_related("lesson__course")
    exercise = Exercise.objects.filter(course=course).select_related("course")[0]
    quiz = Quiz.objects.filter(course=course).select_related("course")[0]
    rows = [*steps.filter(text__contains="```question")[:2], exercise, quiz]
    pages = [
        "/",
        course.get_absolute_url(),
        *(address for name, address in course.lists.items() if name != "card"),
        f"{course.lists['search']}?q=exercise",
        f"{course.get_absolute_url()}models/",
        *(row.get_absolute_url() for row in rows),
    ]
    return pages, len(WRITES)


def begin() -> None:
    """Open a transaction, or a savepoint in one."""
    blocks.append(transaction.atomic())
    blocks[-1].__enter__()


def commit() -> None:
    """End the last block."""
    blocks.pop().__exit__(None, None, None)


def roll_back() -> None:
    """Undo the last block."""
    transaction.set_rollback(True)
    commit()


def compare(address: str) -> str:
    """Return how a page differs from the same without a cache, "" where it does not."""
    cached = _page(address)
    content.content_token = lambda _course: uuid4()  # no value is found, and none is stored
    try:
        fresh = _page(address)
    finally:
        content.content_token = READ_CONTENT_TOKEN
    return "\n".join(unified_diff(cached.split("\n"), fresh.split("\n"), "cached", address))


def _page(address: str) -> str:
    answer = client.get(address, follow=True)
    return f"{answer.status_code} {OF_ONE_ANSWER.sub('', answer.content.decode())}"


def write(number: int, word: str) -> None:
    """Write content that says this word."""
    WRITES[number % len(WRITES)](word)


def _rename_lesson(word: str) -> None:
    Lesson.objects.filter(course__slug=ONE, number=1).update(title=f"Lesson {word}")


def _withdraw_lesson(word: str) -> None:
    lesson = Lesson.objects.filter(course__slug=ONE).order_by("number")[1]
    lesson.withdrawn_at = "2026-01-01T00:00Z" if word == "a" else None
    lesson.save(update_fields=["withdrawn_at"])


def _write_steps(word: str) -> None:
    steps = Step.objects.filter(lesson__course__slug=ONE)
    rows = list(steps.filter(lesson=steps.order_by("lesson__number")[0].lesson))
    rows[0].lesson.steps.all().delete()
    for row in rows:
        row.title = f"Step {row.number} {word}"
    Step.objects.bulk_create(rows)


def _write_text(word: str) -> None:
    for step in Step.objects.filter(lesson__course__slug=ONE, slug="notation")[:1]:
        step.text = f"| term | meaning |\n|---|---|\n| {word} | a letter |\n"
        step.save()


def _write_sources(word: str) -> None:
    course = Course.objects.get(slug=ONE)
    course.sources = {key: {**work, "text": word} for key, work in course.sources.items()}
    course.save()


def _ask(word: str) -> None:
    QuestionVersion.objects.filter(question__course__slug=ONE).update(prompt=f"What is {word}?")


def _offer(word: str) -> None:
    for option in Option.objects.filter(version__question__course__slug=ONE, instance=None)[:8]:
        option.text = f"Option {option.pk} {word}"
        option.save()


def _withdraw_questions(word: str) -> None:
    for question in Question.objects.filter(course__slug=ONE):
        (withdraw if word == "a" else restore)(question)


def _change_quiz(word: str) -> None:
    quizzes = Quiz.objects.filter(course__slug=ONE)
    quizzes.update(title=f"Quiz {word}", is_published=word == "a")
    place = quizzes[0].places.filter(draw=None).first()
    if word == "a" and place:
        place.delete()


def _withdraw_exercise(word: str) -> None:
    for exercise in Exercise.objects.filter(course__slug=ONE):
        (withdraw if word == "a" else restore)(exercise)


def _rename_exercise(word: str) -> None:
    ExerciseVersion.objects.filter(exercise__course__slug=ONE).update(title=f"Exercise {word}")


def _draw_map(word: str) -> None:
    for row in ConceptMap.objects.filter(course__slug=ONE):
        row.concepts = [{**row.concepts[0], "title": word, "family": word}, *row.concepts[1:]]
        row.save()


def _list_models(word: str) -> None:
    for row in ReleasedModels.objects.filter(course__slug=ONE):
        row.facts = [{**row.facts[0], "name": word}, *row.facts[1:]]
        row.save()


def _draw_pictures(word: str) -> None:
    for lesson in Lesson.objects.filter(course__slug=ONE):
        Thumbnail.objects.update_or_create(
            lesson=lesson, scheme="light", defaults={"made_of": word, "png": word.encode()}
        )


def _draw_numbers(word: str) -> None:
    """Take a question's numbers away, or store some, as the worker does."""
    Instance.objects.filter(version__question__course__slug=ONE).delete()
    for question in Question.objects.filter(course__slug=ONE).exclude(current__generator={}):
        make = made_number if question.current.kind == "numeric" else made
        for seed in range("abc".index(word)):
            store_instance(question.current, make(seed))


def _move_courses(word: str) -> None:
    Course.objects.order_by("slug" if word == "a" else "-slug")[0].make_home()


def _change_courses(word: str) -> None:
    Course.objects.exclude(slug=ONE).update(title=f"Another {word}", is_listed=word == "a")
    if not Course.objects.filter(slug="third").delete()[0]:
        Course.objects.create(slug="third", title="The third", summary=word)


WRITES = [
    *(_rename_lesson, _withdraw_lesson, _write_steps, _write_text, _write_sources),
    *(_ask, _offer, _withdraw_questions, _change_quiz, _withdraw_exercise, _rename_exercise),
    *(_draw_map, _list_models, _draw_numbers, _draw_pictures, _move_courses, _change_courses),
]
FUNCTIONS = {one.__name__: one for one in (load, begin, commit, roll_back, compare, write)}

for line in sys.stdin:
    name, *values = json.loads(line)
    print(json.dumps(FUNCTIONS[name](*values)), flush=True)
