"""Demo logins: made for development, renewed, never in production."""

import io
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.core import checks
from django.core.management import CommandError, call_command
from django.test import Client

from quizzes.courses.models import Course
from quizzes.learners.models import User
from tests.courses import some_course

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]


@pytest.fixture(autouse=True)
def var(settings: LazySettings, tmp_path: Path) -> Path:
    settings.VAR = tmp_path
    return tmp_path


def demo_logins(*arguments: str) -> str:
    out = io.StringIO()
    call_command("demo_logins", *arguments, stdout=out)
    return out.getvalue()


def printed(role: str) -> tuple[str, str]:
    line = next(line for line in demo_logins().splitlines() if f"as {role}:" in line)
    username, _, password = line.partition(": ")[2].partition(" / ")
    return username, password


@pytest.mark.parametrize("role", ["learner", "instructor"])
def test_the_printed_login_signs_in(role: str, client: Client) -> None:
    username, password = printed(role)
    form = {"login": username, "password": password}
    assert client.post("/accounts/login/", form).status_code == 302
    assert client.session["_auth_user_id"]


@pytest.mark.parametrize(("role", "page"), [("learner", "/"), ("instructor", "/teach/")])
def test_sign_in_leads_to_the_own_start(role: str, page: str, client: Client) -> None:
    username, password = printed(role)
    form = {"login": username, "password": password}
    assert client.post("/accounts/login/", form).url == page


def test_sign_in_leads_back_to_the_page_before(client: Client) -> None:
    username, password = printed("instructor")
    form = {"login": username, "password": password, "next": "/review/"}
    assert client.post("/accounts/login/", form).url == "/review/"


def test_only_the_instructor_is_one() -> None:
    demo_logins()
    instructors = User.objects.filter(groups__name="Instructors")
    assert [user.username for user in instructors] == ["instructor"]
    assert not User.objects.filter(is_superuser=True).exists()


@pytest.mark.both_databases
def test_the_instructor_writes_in_every_course_of_files_and_keeps_a_higher_role() -> None:
    shipped, copy = some_course(), some_course("a-copy")
    Course.objects.filter(pk=shipped.pk).update(loaded_hash="x")
    demo_logins()
    roles = User.objects.get(username="instructor").course_roles
    assert [(one.course, one.role) for one in roles.all()] == [(shipped, "editor")]
    roles.update(role="owner")
    Course.objects.filter(pk=copy.pk).update(loaded_hash="x")
    demo_logins()
    assert {one.course.slug: one.role for one in roles.all()} == {
        shipped.slug: "owner",
        copy.slug: "editor",
    }


def test_a_second_start_prints_the_same() -> None:
    assert demo_logins() == demo_logins()
    assert User.objects.count() == 2


def test_another_database_gets_the_same_passwords(client: Client) -> None:
    username, password = printed("learner")
    User.objects.all().delete()
    assert printed("learner") == (username, password)


def test_the_passwords_are_this_machines_and_private(var: Path) -> None:
    demo_logins()
    assert (var / "demo-logins.json").stat().st_mode & 0o077 == 0


def test_an_account_somebody_made_is_left_alone() -> None:
    User.objects.create_user("learner", password="my own")
    assert "as learner" not in demo_logins()
    user = User.objects.get(username="learner")
    assert user.check_password("my own")
    assert not user.is_demo


def test_production_makes_none(settings: LazySettings) -> None:
    settings.PRODUCTION = True
    with pytest.raises(CommandError, match="for development"):
        demo_logins()
    assert not User.objects.exists()


def errors() -> list[str]:
    found = checks.run_checks(include_deployment_checks=True, databases=["default"])
    return [str(message.id) for message in found if str(message.id).startswith("learners.")]


def test_production_refuses_to_start_with_them_until_they_are_deleted(
    settings: LazySettings,
) -> None:
    demo_logins()
    assert errors() == []
    settings.PRODUCTION = True
    assert errors() == ["learners.E001"]
    assert demo_logins("--delete") == "deleted: instructor, learner\n"
    assert errors() == []
