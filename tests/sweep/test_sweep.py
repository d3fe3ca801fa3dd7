"""Every route of the site, asked by every role; no answer shows what is not theirs.

The routes are collected from `urlpatterns` by program. Those with a line of their own in the table
are asked by all methods; HEAD is left out where GET was answered, and a second course is asked by
GET and POST. Those of the administration, of allauth and the short addresses are filled by program
and asked by every role with GET, the short addresses with POST, PUT and DELETE too. Below
/accounts/ only a visitor, a learner and a superuser send these, below /admin/ also an instructor
and a teacher of a class: to those pages the other roles are one of them. What a person may not see
is refused, and no answer that they get holds a mark of somebody else's work.
"""

import re
from collections.abc import Iterator
from time import time
from typing import Any

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpResponseBase
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from quizzes.learners.models import Learner, User
from tests.learners import addresses
from tests.sweep.table import ADDRESSES, BELOW, STAFF, Address, Place, Who
from tests.sweep.world import ADA, BEA, FIRST, SECOND, World, make_world

pytestmark = pytest.mark.slow

OF_CLASSES = ("assistant", "teacher", "other-teacher")  # of Ada's class, the last of Bea's
ROLES = ("anonymous", ADA, BEA, *STAFF, "elsewhere", "instructor", *OF_CLASSES, "superuser")
# The roles that ask the second course as well: visitors, learners with work there, its own staff,
# and those that may do most in the first; at night all do.
BOTH_COURSES = ("anonymous", ADA, BEA, "owner", "elsewhere", "teacher", "superuser")
METHODS = ("GET", "HEAD", "POST", "PUT", "DELETE")
DIFFERENT_TO_ADMIN = {"anonymous", ADA, "instructor", "teacher", "superuser"}
# Of the administration, for everybody: they lead to the site's own pages, or are words of buttons.
OPEN = {"admin/login/", "admin/logout/", "admin/jsi18n/"}
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")
BACKEND = "django.contrib.auth.backends.ModelBackend"


def routes(resolver: URLResolver, before: str = "") -> Iterator[str]:
    """Yield the route of every page."""
    for one in resolver.url_patterns:
        route = f"{before}{one.pattern}"
        if isinstance(one, URLPattern):
            yield route
        else:
            yield from routes(one, route)


def line_of(route: str) -> Address | None:
    """Return what the table says of a route."""
    below = (line for prefix, line in BELOW.items() if route.startswith(prefix))
    return ADDRESSES.get(route) or next(below, None)


ROUTES = sorted(set(routes(get_resolver())))


def test_every_address_has_a_line_in_the_table_and_every_line_an_address() -> None:
    assert [route for route in ROUTES if line_of(route) is None] == []
    assert sorted(set(ADDRESSES) - set(ROUTES)) == []
    assert [one for one in BELOW if not any(route.startswith(one) for route in ROUTES)] == []


def may(role: str, who: Who, *, course: str) -> bool:
    """Say whether a person of this role is let in to an address of a course; the work is Ada's."""
    of_course = role if role in STAFF and course == FIRST else ""
    of_course = "editor" if role == "elsewhere" and course == SECOND else of_course
    rank = STAFF.index(of_course) if of_course else -1
    if who is Who.ALL or role == "superuser":
        return who not in {Who.OWN, Who.NOBODY}
    return {
        Who.OWN: role == ADA,
        Who.NAMED: role == ADA or (role in {"assistant", "teacher"} and course == FIRST),
        Who.CLASS_STAFF: role in {"assistant", "teacher"},
        Who.CLASS_INSTRUCTORS: role == "teacher",
        Who.ACCOUNT: role != "anonymous",
        Who.TEACHERS: role in {*STAFF, "elsewhere", "instructor", *OF_CLASSES},
        Who.GROUP: role in {*STAFF, "elsewhere", "instructor"},
        Who.VIEWERS: rank >= 0,
        Who.EDITORS: rank >= 1,
        Who.OWNERS: rank >= 2,
        Who.SUPERUSERS: False,
        Who.NOBODY: False,
    }[who]


def hidden_marks(role: str, *, course: str) -> set[str]:
    """Return the marks of work that this person must not meet in a course's pages."""
    if role == "superuser":
        return set()
    taught = {"assistant": {ADA}, "teacher": {ADA}, "other-teacher": {BEA}}
    seen = taught.get(role, set()) if course == FIRST else set()
    return {ADA, BEA} - {role} - seen


def is_refused(answer: HttpResponseBase, *, anonymous: bool) -> bool:
    """Say whether an answer shows nothing: not there, not allowed, or first sign in."""
    if answer.status_code in {301, 302}:
        where = answer.headers["Location"]
        return "/admin/login/" in where or (anonymous and "/login/" in where)
    return answer.status_code in {403, 404}


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The world, made once: it takes longer than a role takes to ask for every page."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture
def world(made: World, db: None) -> World:
    return made


def sample(route: str, line: Address, place: Place) -> str:
    """Return an address of this route, filled with names and numbers that exist."""
    values = line.fill(place) if callable(line.fill) else line.fill or {}
    facts = {"course": place.course, "cohort": place.people.cohort, **values}
    return "/" + PARAMETER.sub(lambda found: str(facts[found[1]]), route)


def signed_in(world: World, role: str) -> Client:
    """Return a browser of a person of this role, whose password was typed a moment ago."""
    browser = Client(raise_request_exception=True)
    if role != "anonymous":
        browser.force_login(world.users[role], backend=BACKEND)
        session = browser.session
        session["account_authentication_methods"] = [{"method": "password", "at": time()}]
        session.save()
    return browser


@pytest.mark.parametrize("every_course", [False, pytest.param(True, marks=pytest.mark.soak)])
@pytest.mark.parametrize("role", ROLES)
def test_nobody_sees_or_does_what_is_not_theirs(
    world: World, role: str, every_course: bool
) -> None:
    browser = signed_in(world, role)
    cookies = browser.cookies.copy()
    ada = Learner.objects.get(user__username=ADA)
    account = User.objects.get(username=ADA)
    faults, allowed = [], 0
    people = world.people
    assert people is not None
    for course in (FIRST, SECOND) if role in BOTH_COURSES or every_course else (FIRST,):
        staff = world.users["viewer" if course == FIRST else "elsewhere"].pk
        place = Place(course, world.work[course, ADA], ada.pk, account.pk, staff, people)
        for route, line in ADDRESSES.items():
            if course != FIRST and "<slug:course>" not in route:
                continue
            address = sample(route, line, place)
            for method in methods(role, line, course=course):
                browser.cookies = cookies.copy()
                with transaction.atomic():
                    answer = ask(browser, method, address, line, place)
                    transaction.set_rollback(True)
                said = f"{role}: {method} {address}: {answer.status_code}"
                fault, is_allowed = judge(role, method, line, answer, course=course)
                allowed += is_allowed
                body = b"".join(answer) if answer.streaming else answer.content
                met = {mark for mark in hidden_marks(role, course=course) if mark.encode() in body}
                if fault or met:
                    faults.append(f"{said} {fault} {sorted(met) or ''}")
    assert not faults, "\n".join(faults)
    assert allowed > 30  # that a role is refused everything shows nothing


def methods(role: str, line: Address, *, course: str) -> tuple[str, ...]:
    """Return what to ask: HEAD is a GET without its body, so of pages that are shown one asks."""
    if course != FIRST:
        return "GET", "POST"
    shown = line.get and line.head and may(role, line.who, course=course)
    return tuple(one for one in METHODS if one != "HEAD" or not shown or role == "superuser")


def others() -> list[addresses.Address]:
    """Return the routes that have no line of their own."""
    return [one for one in addresses.addresses() if one.route not in ADDRESSES]


def path_of(address: addresses.Address, account: User) -> str:
    """Return an address of an object that exists, where the route names one: see `world`."""
    return address.path(str(account.pk), "learners")


def other_methods(role: str, route: str) -> tuple[str, ...]:
    """Return what to ask: of roles that are one and the same to these pages, one asks all."""
    apart = {"accounts/": {"anonymous", ADA, "superuser"}, "admin/": DIFFERENT_TO_ADMIN}
    asks = next((roles for prefix, roles in apart.items() if route.startswith(prefix)), {role})
    return ("GET", "POST", "PUT", "DELETE") if role in asks else ("GET",)


def test_every_route_is_asked(world: World) -> None:
    """An address that another route answers would leave its own asked by nobody."""
    ada, account = Learner.objects.get(user__username=ADA), User.objects.get(username=ADA)
    assert world.people is not None
    staff = world.users["viewer"].pk
    place = Place(FIRST, world.work[FIRST, ADA], ada.pk, account.pk, staff, world.people)
    asked = {route: sample(route, line, place) for route, line in ADDRESSES.items()}
    asked |= {one.route: path_of(one, account) for one in others()}
    assert sorted(set(ROUTES) - set(asked)) == []
    strayed = {
        route: path
        for route, path in asked.items()
        if resolve(path).route != route.replace("/^", "/")
    }
    assert strayed == {}


@pytest.mark.parametrize("role", ROLES)
def test_pages_that_others_wrote_show_nothing_of_learners(world: World, role: str) -> None:
    browser = signed_in(world, role)
    cookies = browser.cookies.copy()
    account = User.objects.get(username=ADA)
    # Of the number of Ada's account, so that one number fills every route.
    AccessAttempt.objects.create(pk=account.pk, failures_since_start=1)
    for log in (AccessLog, AccessFailureLog):
        log.objects.get_or_create(pk=account.pk)
    Group.objects.get_or_create(pk=account.pk, defaults={"name": "some"})
    faults, shown = [], 0
    for one in others():
        line, path = line_of(one.route), path_of(one, account)
        assert line is not None
        for method in other_methods(role, one.route):
            browser.cookies = cookies.copy()
            with transaction.atomic():
                answer = browser.generic(method, path)
                transaction.set_rollback(True)
            refused = is_refused(answer, anonymous=role == "anonymous")
            closed = line.who is Who.SUPERUSERS and role != "superuser" and one.route not in OPEN
            body = b"".join(answer) if answer.streaming else answer.content
            met = [mark for mark in hidden_marks(role, course=FIRST) if mark.encode() in body]
            shown += answer.status_code == 200
            if answer.status_code >= 500 or met or (closed and not refused):
                faults.append(f"{role}: {method} {path}: {answer.status_code} {met}")
    assert not faults, "\n".join(faults)
    assert shown > (60 if role == "superuser" else 3)


def ask(
    browser: Client, method: str, address: str, line: Address, place: Place
) -> HttpResponseBase:
    """Ask as a browser does; a POST brings the valid body of the table."""
    body = line.post(place) if callable(line.post) else line.post or {}
    if method == "POST":
        return browser.post(address, body)
    return browser.generic(method, address)


def judge(
    role: str, method: str, line: Address, answer: HttpResponseBase, *, course: str
) -> tuple[str, bool]:
    """Return what is wrong with an answer, "" for nothing, and whether it let the person in."""
    taken = {"GET": line.get, "HEAD": line.get and line.head, "POST": line.post is not None}.get(
        method, False
    )
    who = (line.posts or line.who) if method == "POST" else line.who
    let_in = may(role, who, course=course)
    refused = is_refused(answer, anonymous=role == "anonymous")
    if answer.status_code >= 500:
        return "it fails", False
    if not taken:
        fine = answer.status_code == 405 or (refused and not let_in)
        return ("" if fine else "a method that is not taken must be refused"), False
    if not let_in:
        return ("" if refused else "must be refused"), False
    return ("must be let in" if refused or answer.status_code == 405 else ""), not refused
