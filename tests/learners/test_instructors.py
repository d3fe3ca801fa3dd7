"""`make_instructor`: which account a name means, what is done, and how it refuses."""

import io
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from quizzes.learners.models import User
from tests.courses import some_course
from tests.factories import create_account

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases(postgresql="soak")]

ADDRESS = "ada@uni.example"
BACKEND = "quizzes.learners.account_backends.AccountBackend"


def make_instructor(*arguments: str) -> str:
    out = io.StringIO()
    call_command("make_instructor", *arguments, stdout=out)
    return out.getvalue().strip()


def refusal(*arguments: str) -> tuple[int, str]:
    with pytest.raises(CommandError) as refused:
        make_instructor(*arguments)
    return refused.value.returncode, str(refused.value)


def instructors() -> list[str]:
    members = User.objects.filter(groups__name="Instructors").order_by("username")
    return list(members.values_list("username", flat=True))


def test_an_account_is_made_an_instructor_and_unmade() -> None:
    user = create_account("ada")
    assert make_instructor("ada") == "ada is now an instructor."
    assert User.objects.get(pk=user.pk).is_instructor
    assert make_instructor("ada") == "ada is already an instructor. Nothing was changed."
    assert instructors() == ["ada"]
    assert make_instructor("\ufeffada\u200b", "--off") == "ada is no longer an instructor."
    assert not User.objects.get(pk=user.pk).is_instructor
    assert make_instructor("ada", "--off") == "ada is not an instructor. Nothing was changed."


@pytest.mark.both_databases
def test_with_a_course_it_also_gives_a_role_there() -> None:
    user, course = create_account("ada"), some_course()
    said = make_instructor("ada", "--course", course.slug).splitlines()
    assert said == ["ada is now an instructor.", f"ada now has the role editor in {course.title}."]
    make_instructor("ada", "--course", course.slug, "--role", "owner")
    assert user.course_roles.get().role == "owner"
    off = make_instructor("ada", "--course", course.slug, "--off")
    assert off == f"ada no longer has a role in {course.title}."
    assert instructors() == ["ada"]
    make_instructor("ada", "--course", course.slug)
    assert "no longer has a role in" in make_instructor("ada", "--off")
    assert not user.course_roles.exists()


def test_without_a_role_the_way_to_one_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    create_account("ada")
    course = some_course()
    make_instructor("ada")
    assert "ada has no role in a course yet: give one with --course" in capsys.readouterr().err
    make_instructor("ada", "--course", course.slug)
    assert not capsys.readouterr().err


@pytest.mark.parametrize("name", ["Ada", "ada", "ADA", " ada ", ADDRESS, "ADA@Uni.Example"])
def test_capitals_do_not_matter_as_at_sign_in(name: str) -> None:
    create_account("Ada", email=ADDRESS, verified=True)
    assert make_instructor(name) == "Ada is now an instructor."


@pytest.mark.parametrize("name", ["Ada", "ada"])
def test_of_names_that_differ_in_capitals_the_exact_one_is_meant(name: str) -> None:
    create_account("Ada")
    create_account("ada")
    assert make_instructor(name) == f"{name} is now an instructor."
    assert refusal("ADA") == (
        3,
        "'ADA' may be any of the accounts 'Ada', 'ada': give the exact user name",
    )


UNKNOWN = ("nobody", "", "%", "ad", ADDRESS)
NOBODY = "no account has this user name or e-mail address"
BARE = {"email": ADDRESS}
TYPED = {"email": ADDRESS, "verified": False}
VERIFIED = {"email": ADDRESS, "verified": True}


@pytest.mark.both_databases
@pytest.mark.parametrize(
    ("accounts", "arguments", "code", "words"),
    [
        *(
            ({"ada": {}}, [name], 1, f"{name!r}: {NOBODY}")
            for name in ("nobody", "", "%", "ad", ADDRESS)
        ),
        ({"ada": {}}, ["ada", "--course", "attentoin"], 1, "'attentoin'; courses: attention"),
        ({"ada": BARE, "eve": BARE}, [ADDRESS], 3, "'ada', 'eve'"),
        ({"eve": TYPED}, [ADDRESS], 3, "'eve'"),
        ({"eve": TYPED}, [ADDRESS], 3, "never verified"),
        ({"ada": VERIFIED, ADDRESS: {}}, [ADDRESS], 3, f"'ada', '{ADDRESS}'"),
    ],
)
def test_refusal_names_its_reason_and_changes_nothing(
    accounts: dict[str, dict[str, Any]], arguments: list[str], code: int, words: str
) -> None:
    some_course("attention")
    for name, facts in accounts.items():
        create_account(name, **facts)
    refused = refusal(*arguments)
    assert refused[0] == code
    assert words in refused[1]
    assert instructors() == []


def test_an_address_that_the_operator_gave_is_enough() -> None:
    User.objects.create_superuser("root", email="Root@uni.example")
    assert make_instructor("root@uni.example").startswith(
        "root can teach because the account is a superuser."
    )
    User.objects.create_user("ada", email=ADDRESS)
    assert make_instructor(ADDRESS) == "ada is now an instructor."


def test_capitals_in_the_address_of_a_superuser_do_not_keep_them_out(client: Client) -> None:
    User.objects.create_superuser("root", email="Root@uni.example", password="turnips-at-dawn")
    form = {"login": "Root@uni.example", "password": "turnips-at-dawn"}
    assert client.post("/accounts/login/", form).status_code == 302


def test_an_account_that_typed_an_address_does_not_hide_its_holder() -> None:
    create_account("eve", email=ADDRESS, verified=False)
    create_account("ada", email=ADDRESS, verified=True)
    assert make_instructor(ADDRESS) == "ada is now an instructor."


@pytest.mark.both_databases
def test_an_account_that_cannot_sign_in_is_not_made_one() -> None:
    user = create_account("ada")
    make_instructor("ada")
    User.objects.filter(pk=user.pk).update(is_active=False)
    make_instructor("ada", "--off")
    code, words = refusal("ada")
    assert (code, "not active" in words) == (1, True)


@pytest.mark.both_databases
def test_a_superuser_teaches_without_it(client: Client) -> None:
    client.force_login(User.objects.create_superuser("root"), backend=BACKEND)
    assert (
        make_instructor("root")
        == "root can teach because the account is a superuser. Nothing was changed."
    )
    assert (
        make_instructor("root", "--off")
        == "root can teach because the account is a superuser. Nothing was changed."
    )
    assert client.get("/teach/").status_code == 200
