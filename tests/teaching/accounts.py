"""Signed-in browsers for the tests of this folder."""

from django.contrib.auth.models import Group
from django.test import Client

from quizzes.courses.models import CourseStaff
from quizzes.learners.models import INSTRUCTORS, User
from tests.courses import SLUG, some_course

BACKEND = "django.contrib.auth.backends.ModelBackend"


def account(name: str, *, teaches: bool, role: str = "editor", course: str = SLUG) -> Client:
    """Return the browser of a new account; one that teaches has a role in a course, "" for none."""
    user = User.objects.create_user(name)
    if teaches:
        user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
        if role:
            CourseStaff.objects.create(course=some_course(course), user=user, role=role)
    browser = Client()
    browser.force_login(user, backend=BACKEND)
    return browser


def superuser(name: str = "root") -> Client:
    """Return the browser of a new superuser."""
    browser = Client()
    browser.force_login(User.objects.create_superuser(name), backend=BACKEND)
    return browser
