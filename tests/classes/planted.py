"""A class whose quiz has one wrong key, made by a skill for each student and no chance of today."""

import random
from datetime import timedelta
from decimal import Decimal

from django.db import connection
from django.utils import timezone

from quizzes.assessment.models import (
    Attempt,
    Option,
    Question,
    QuestionVersion,
    Response,
)
from quizzes.classes.models import Membership
from quizzes.learners.models import Learner, User
from tests.factories import create_members, create_quiz

WRONG_KEY = 4  # the question whose key is wrong
HARDNESS = (-1.0, -0.6, -0.3, 0.0, 0.0, 0.3, 0.5, 0.8)


def add_students(cohort, number, *, section="", start=0):
    """Return the learners of so many new students."""
    names = [f"{cohort.slug}-{start + place:04}" for place in range(number)]
    return [row.user.learner for row in create_members(cohort, names, section=section)]


def add_question(course, slug, *, options=4, key=1, step="sums/adding", mistakes=None):
    """Return a question in its first version; option `key` is the key."""
    question = Question.objects.create(course=course, slug=slug)
    question.current = QuestionVersion.objects.create(
        question=question, number=1, prompt=f"What of {slug}?", step=step
    )
    question.save()
    Option.objects.bulk_create(
        Option(
            version=question.current,
            order=order,
            text=f"option {order}",
            is_key=order == key,
            reason=f"Because of {order}.",
            mistake=(mistakes or {}).get(order, ""),
        )
        for order in range(1, options + 1)
    )
    return question


def hand_in(quiz, learners, chosen, at=None):
    """Store an attempt for each learner; `chosen`: by question the place of an option, or None."""
    at = at or timezone.now()
    places = list(quiz.places.select_related("question__current").order_by("order"))
    options = {place.pk: list(place.question.current.options.order_by("order")) for place in places}
    rights = [
        [
            which is not None and options[place.pk][which - 1].is_key
            for place, which in zip(places, row, strict=True)
        ]
        for row in chosen
    ]
    attempts = Attempt.objects.bulk_create(
        Attempt(
            learner=learner,
            quiz=quiz,
            submitted_at=at,
            ended_by="learner",
            earned=Decimal(sum(right)),
            possible=Decimal(len(places)),
        )
        for learner, right in zip(learners, rights, strict=True)
    )
    Attempt.objects.filter(pk__in=[one.pk for one in attempts]).update(
        started_at=at - timedelta(minutes=5)
    )
    rows = []
    for attempt, row, right in zip(attempts, chosen, rights, strict=True):
        for place, which, is_key in zip(places, row, right, strict=True):
            response = Response(
                attempt=attempt,
                order=place.order,
                version=place.question.current,
                option_order=[one.pk for one in options[place.pk]],
                points=place.points,
            )
            if which is not None:
                response.choice = options[place.pk][which - 1]
                response.answered_at = at
                response.mark(Decimal(is_key))
            rows.append(response)
    Response.objects.bulk_create(rows)
    _count_rows(Attempt, Learner, Membership, Response, User)
    return attempts


def _count_rows(*models):
    """Have PostgreSQL plan by how many rows there are, as a site's own does within a minute.

    A test is one transaction, which nobody else sees: a page of 200 members then takes a minute.
    """
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE " + ", ".join(one._meta.db_table for one in models))


def plant(cohort, number=163, seed=7):
    """Return the quiz of a class in which the key of question `WRONG_KEY` is a distractor's.

    Its option 2 stands as the key: the better ones choose option 1.
    """
    draw = random.Random(seed)
    questions = [
        add_question(cohort.course, f"item-{place}", key=2 if place == WRONG_KEY else 1)
        for place in range(1, len(HARDNESS) + 1)
    ]
    quiz = create_quiz("planted", questions)
    chosen = []
    for _ in range(number):
        skill = draw.gauss(0, 1.4)
        row = []
        for place, hardness in enumerate(HARDNESS, start=1):
            if draw.random() < 0.03:
                row.append(None)
            elif draw.random() < 1 / (1 + 2.718 ** -(skill - hardness)):
                row.append(1)
            else:
                row.append(
                    2 if place == WRONG_KEY and draw.random() < 0.9 else draw.choice((2, 3, 4))
                )
        chosen.append(row)
    learners = add_students(cohort, number)
    hand_in(quiz, learners, chosen)
    return quiz, learners, chosen
