"""Classes, their people and their browsers for tests."""

from datetime import date
from uuid import uuid4

from django.contrib.auth.models import Group
from django.test import Client
from django.utils import timezone

from quizzes.classes.models import Cohort, Membership
from quizzes.classes.services import open_class
from quizzes.learners.models import INSTRUCTORS, Learner, User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def browser_of(user):
    """Return a browser in which an account is signed in."""
    browser = Client()
    browser.force_login(user, backend=BACKEND)
    return browser


def new_instructor(name="ida"):
    """Return an account that may open classes."""
    user = User.objects.create_user(name)
    user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
    return user


def new_class(course, by, slug="autumn"):
    """Open a class in Vienna."""
    return open_class(
        course=course,
        by=by,
        slug=slug,
        title=f"Class {slug}",
        begins_on=date(2026, 9, 1),
        ends_on=date(2026, 12, 20),
        zone="Europe/Vienna",
    )


def new_member(cohort, name="", *, role="student", state="active", **more):
    """Return a person in a class; with an account unless they are only invited."""
    name = name or f"student-{uuid4().hex[:8]}"
    if state == "invited":
        return Membership.objects.create(
            cohort=cohort, name=name, role=role, state=state, **{"login_id": name, **more}
        )
    user = User.objects.filter(username=name).first() or User.objects.create_user(name)
    Learner.objects.get_or_create(user=user)
    more.setdefault("joined_at", timezone.now())
    return Membership.objects.create(
        cohort=cohort, user=user, name=name, role=role, state=state, **more
    )


def teach_class(path="", cohort="autumn"):
    """Return the address of a page about a class."""
    slug = cohort.slug if isinstance(cohort, Cohort) else cohort
    return f"/teach/classes/{slug}/{path}"
