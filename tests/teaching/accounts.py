"""Signed-in browsers for the tests of this folder."""

from django.contrib.auth.models import Group
from django.test import Client

from quizzes.learners.models import INSTRUCTORS, User

BACKEND = "django.contrib.auth.backends.ModelBackend"


def account(name: str, *, teaches: bool) -> Client:
    """Return the browser of a new account, in the group of instructors or not."""
    user = User.objects.create_user(name)
    if teaches:
        user.groups.add(Group.objects.get_or_create(name=INSTRUCTORS)[0])
    browser = Client()
    browser.force_login(user, backend=BACKEND)
    return browser
