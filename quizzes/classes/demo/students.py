"""The made-up people of a demo class, and their removal with all their work."""

import random
from collections.abc import Sequence
from datetime import datetime

from django.db import transaction

from quizzes.classes.models import Cohort, Membership
from quizzes.learners.models import Learner, User

FIRST = (
    "Ada Alan Amara Anna Bao Beatriz Björn Carla Chidi Chloé Daniel Dmitri Elif Emma Farid Fatima "
    "Grace Hana Hugo Ingrid Ivan Jana João Kenji Lena Liam Lucía Mei Mira Noah Nora Olga Omar "
    "Priya Quentin Rosa Sara Seán Sofía Tariq Uma Viktor Wanjiru Yara Yusuf Zoë"
)
LAST = (
    "Adeyemi Ahmed Bauer Costa Černý Dubois Eriksson Fischer García Gruber Haddad Hoffmann Ito "
    "Ivanova Jensen Kaya Kim Kowalski Lindqvist Mbeki Moreau Müller Nakamura Novák Nguyen O'Brien "
    "Okafor Papadopoulos Petrov Rossi Schmidt Sharma Silva Suzuki Tanaka Varga Wagner Wang Yılmaz"
)
SECTIONS = ("Monday", "Tuesday", "Thursday")
PEOPLE_AT_ONCE = 20  # deleted, each with all their work


def user_name(cohort: Cohort, place: int) -> str:
    """Return the user name of the student in this place, counted from 1."""
    return f"{cohort.slug}-{place:03}"


@transaction.atomic
def add_students(
    cohort: Cohort, draw: random.Random, number: int, joined: datetime
) -> list[Membership]:
    first, last = FIRST.split(), LAST.split()
    users, rows = [], []
    for place in range(1, number + 1):
        name = f"{draw.choice(first)} {draw.choice(last)}"
        user = User(username=user_name(cohort, place), is_active=True)
        user.first_name, _, user.last_name = name.partition(" ")
        user.set_unusable_password()
        users.append(user)
        rows.append((name, draw.choice(SECTIONS), 50 if draw.random() < 0.03 else 0))
    for user in users:
        user.save()
    Learner.objects.bulk_create([Learner(user=user) for user in users], batch_size=200)
    members = [
        Membership(
            cohort=cohort,
            user=user,
            name=name,
            email=f"{user.username}@uni.example",
            external_id=f"{place:08}",
            login_id=user.username,
            section=section,
            extra_time_percent=extra,
            state="active",
            joined_at=joined,
        )
        for place, (user, (name, section, extra)) in enumerate(zip(users, rows, strict=True), 1)
    ]
    return Membership.objects.bulk_create(members, batch_size=200)


def delete_people(users: Sequence[int]) -> None:
    """Delete these accounts with their work, a few at a time."""
    for start in range(0, len(users), PEOPLE_AT_ONCE):
        some = users[start : start + PEOPLE_AT_ONCE]
        with transaction.atomic():
            Learner.objects.filter(user__in=some).delete()
            User.objects.filter(pk__in=some).delete()
