"""Every route of the site, by every method, asked by every role; no answer shows or changes what is
not theirs.

The routes are collected from `urlpatterns` by program. Those with a line of their own in the table
say whom they let in, and what they take; those of the administration, of allauth and the short
addresses have one line for all below, and are filled by program. In the gate the roles on both
sides of a rule ask each address by GET and POST; each other method of an address is the turn of two
roles, one that is let in there and one that is refused. At night each role asks each address by
every method. They ask the view itself; those whose turn it is ask the whole site, by other methods
at night alone, and the one that is refused must be answered alike by both. A second course is asked
by GET and POST, in the gate by some roles, for what it does not show to everybody.

What a person may not see is refused, a refusal changes no row, and no answer holds a mark of
somebody else's work.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache
from html.parser import HTMLParser
from typing import Any
from zlib import crc32

import pytest
from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.contrib.auth.models import Group
from django.db import transaction
from django.http import HttpResponseBase
from django.urls import URLPattern, URLResolver, get_resolver, resolve

from quizzes.assessment.models import Regrade
from quizzes.classes.models import (
    Announcement,
    Assignment,
    AssignmentException,
    Comment,
    MarkOverride,
    Membership,
)
from quizzes.courses.models import AuditEntry
from quizzes.courses.sign_in_again import WITHOUT_WORK
from quizzes.learners.models import Learner, User
from quizzes.learners.sign_on.providers import OidcProvider
from tests.learners import addresses
from tests.sweep.asking import Browser, Site
from tests.sweep.provider import answering_provider
from tests.sweep.signed_out import Visitor, sent_by_another, sent_without_session
from tests.sweep.table import ADDRESSES, BELOW, STAFF, Address, Place, Who
from tests.sweep.world import ADA, BEA, FIRST, SECOND, World, make_world

pytestmark = pytest.mark.slow

OF_CLASSES = ("assistant", "teacher", "other-teacher")  # of Ada's class, the last of Bea's
# May enter the administration, and has been given nothing there.
ADMINISTRATOR = "administrator"
OTHERS = ("elsewhere", "instructor", *OF_CLASSES, ADMINISTRATOR, "superuser")
ROLES = ("anonymous", ADA, BEA, *STAFF, *OTHERS)
# The roles that ask the second course as well: staff of one course alone and of Ada's class.
BOTH_COURSES = ("owner", "elsewhere", "teacher")
# The roles on both sides of each rule, which ask its addresses in the gate.
NEAREST = {
    Who.ALL: ("anonymous", BEA, ADMINISTRATOR),
    Who.OWN: ("anonymous", ADA, BEA, "owner", "teacher", "superuser"),
    Who.NAMED: ("anonymous", ADA, BEA, "owner", "assistant", "other-teacher"),
    Who.CLASS_STAFF: ("anonymous", ADA, "owner", "assistant", "other-teacher"),
    Who.CLASS_INSTRUCTORS: ("anonymous", "assistant", "teacher", "other-teacher", "superuser"),
    Who.CLASS_EDITORS: ("anonymous", "assistant", "teacher", "editor", "superuser"),
    Who.ACCOUNT: ("anonymous", BEA, ADMINISTRATOR),
    Who.TEACHERS: ("anonymous", BEA, "viewer", "instructor", "assistant", "other-teacher"),
    Who.GROUP: ("anonymous", BEA, "viewer", "instructor", "assistant"),
    Who.VIEWERS: ("anonymous", BEA, "viewer", "elsewhere", "teacher"),
    Who.EDITORS: ("viewer", "editor", "elsewhere", "superuser"),
    Who.OWNERS: ("editor", "owner", "instructor"),
    Who.SUPERUSERS: ("owner", ADMINISTRATOR, "superuser"),
    Who.NOBODY: ("anonymous", BEA, "superuser"),
}
# The roles that ask pages that have no line of their own; at night all do.
OF_EACH_KIND = ("anonymous", ADMINISTRATOR, "superuser")
BY_ALL = ("GET", "POST")
METHODS = (*BY_ALL, "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS")
# Of the administration, for everybody: they lead to the site's own pages, or are words of buttons.
OPEN = {"admin/login/", "admin/logout/", "admin/jsi18n/"}
# For all who may enter: what they may do there, which is nothing, and their own password.
ENTRANCE = {
    *("admin/", "admin/autocomplete/"),
    *("admin/password_change/", "admin/password_change/done/"),
}
VOID = frozenset({"area", "base", "br", "hr", "img", "input", "link", "meta", "source", "wbr"})
PARAMETER = re.compile(r"<(?:\w+:)?(\w+)>")


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
        Who.CLASS_EDITORS: False,  # the staff of Ada's class have no role in its course
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
        # An object's number alone leads to its page, whether or not there is one, which asks again.
        to_its_page = where.startswith("/admin/") and where.endswith("/change/")
        return to_its_page or "/admin/login/" in where or (anonymous and "/login/" in where)
    return answer.status_code in {403, 404}


@pytest.fixture(scope="module")
def made(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    """The world, made once: it takes longer than a role takes to ask for every page."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield make_world()
        transaction.set_rollback(True)


@pytest.fixture(scope="module")
def sign_on_providers() -> Iterator[tuple[OidcProvider, ...]]:
    with answering_provider() as providers:
        yield providers


@pytest.fixture
def world(
    made: World, sign_on_providers: tuple[OidcProvider, ...], settings: Any, db: None
) -> World:
    settings.OIDC_PROVIDERS = sign_on_providers
    return made


def place_of(world: World, course: str = FIRST) -> Place:
    """Return where Ada's work of a course lies, and an account with a role there."""
    staff = world.users["viewer" if course == FIRST else "elsewhere"]
    account = world.users[ADA]
    learner = Learner.objects.get(user=account)
    assert world.people is not None
    key = world.work[course, ADA]
    return Place(course, key, learner.pk, account.pk, staff.pk, world.people)


def sample(route: str, line: Address, place: Place) -> str:
    """Return an address of this route, filled with names and numbers that exist."""
    values = line.fill(place) if callable(line.fill) else line.fill or {}
    facts = {"course": place.course, "cohort": place.people.cohort, **values}
    return "/" + PARAMETER.sub(lambda found: str(facts[found[1]]), route)


@cache
def site(*, whole: bool) -> Site:
    return Site(whole=whole)


def browser_of(world: World, role: str) -> Browser:
    return Browser(None if role == "anonymous" else world.users[role])


def asking(gate: Sequence[str]) -> pytest.MarkDecorator:
    """Give a test these roles in the gate, and all of them with everything at night."""
    by_day = [pytest.param(role, False, id=f"{role}-gate") for role in gate]
    at_night = [
        pytest.param(role, True, marks=pytest.mark.soak, id=f"{role}-at night") for role in ROLES
    ]
    return pytest.mark.parametrize(("role", "everything"), [*by_day, *at_night])


@asking(ROLES)
def test_nobody_sees_or_does_what_is_not_theirs(world: World, role: str, everything: bool) -> None:
    browser = browser_of(world, role)
    faults, allowed = [], 0
    places = {course: place_of(world, course) for course in (FIRST, SECOND)}
    for course, route, method in asked(role, everything=everything):
        line, place = ADDRESSES[route], places[course]
        address = sample(route, line, place)
        let_in = is_taken(method, line) and is_let_in(role, method, line, course=course)
        body = line.post(place) if callable(line.post) else line.post
        statuses = set()
        for whole in depths(
            role, method, route, let_in=let_in, course=course, everything=everything
        ):
            answer = site(whole=whole).answer(browser.request(method, address, body))
            statuses.add(answer.status_code)
            fault = judge(role, method, line, answer, course=course)
            allowed += let_in and not fault
            met = marks_in(answer, hidden_marks(role, course=course))
            if fault or met or len(statuses) > 1:
                said = f"{role}: {method} {address}: {statuses}"
                faults.append(f"{said} {fault} {met or ''}")
    assert not faults, "\n".join(faults)
    assert allowed > (30 if everything else 1)  # that a role is refused everything shows nothing


def asked(role: str, *, everything: bool) -> Iterator[tuple[str, str, str]]:
    """Yield course, route and method of what a role asks of the addresses with a line each."""
    for route in ADDRESSES:
        for method in methods(role, route, everything=everything):
            yield FIRST, route, method
    for route, line in ADDRESSES.items():
        in_both = "<slug:course>" in route and (everything or is_closed(line))
        if in_both and (everything or role in BOTH_COURSES):
            for method in BY_ALL:
                yield SECOND, route, method


def depths(
    role: str, method: str, route: str, *, let_in: bool, course: str, everything: bool
) -> tuple[bool, ...]:
    """Return whether each site to ask is whole: the view alone, or the whole one too or instead.

    At night whoever is let in asks the whole site. A HEAD is a GET whose body nobody reads.
    """
    if let_in and everything:
        return (method != "HEAD",)
    if role not in turns(method, route, course) or not (method in BY_ALL or everything):
        return (False,)
    return (True,) if let_in else (False, True)


@cache
def turns(method: str, route: str, course: str) -> list[str]:
    """Return the roles whose turn an address by a method is: one that is let in, one refused."""
    line = line_of(route)
    assert line is not None
    roles = askers(route)
    let_in = [role for role in roles if is_let_in(role, method, line, course=course)]
    refused = [role for role in roles if role not in let_in]
    number = crc32(f"{method} {route}".encode())
    return [some[number % len(some)] for some in (let_in, refused) if some]


def methods(role: str, route: str, *, everything: bool) -> list[str]:
    """Return the methods by which a role asks an address of the first course."""
    if everything:
        return list(METHODS)
    by_all = BY_ALL if role in askers(route) else ()
    return [one for one in METHODS if one in by_all or role in turns(one, route, FIRST)]


@cache
def askers(route: str) -> Sequence[str]:
    """Return the roles that ask an address by GET and POST in the gate."""
    if (line := ADDRESSES.get(route)) is None:
        return OF_EACH_KIND
    return sorted({*NEAREST[line.who], *NEAREST[line.posts or line.who]})


def is_closed(line: Address) -> bool:
    """Say whether an address is closed to some, by one of the methods that it takes."""
    return {line.who, line.posts} - {None} != {Who.ALL}


def marks_in(answer: HttpResponseBase, marks: set[str]) -> list[str]:
    body = b"".join(answer) if answer.streaming else answer.content
    return sorted(mark for mark in marks if mark.encode() in body)


def others() -> list[addresses.Address]:
    """Return the routes that have no line of their own."""
    return [one for one in addresses.addresses() if one.route not in ADDRESSES]


def path_of(address: addresses.Address, account: User) -> str:
    """Return an address of an object that exists, where the route names one: see `world`."""
    return address.path(str(account.pk), "learners")


def test_every_route_is_asked(world: World) -> None:
    """An address that another route answers would leave its own asked by nobody."""
    place = place_of(world)
    asked = {route: sample(route, line, place) for route, line in ADDRESSES.items()}
    asked |= {one.route: path_of(one, world.users[ADA]) for one in others()}
    assert sorted(set(ROUTES) - set(asked)) == []
    strayed = {
        route: path
        for route, path in asked.items()
        if resolve(path).route != route.replace("/^", "/")
    }
    assert strayed == {}


@asking(OF_EACH_KIND)
def test_pages_that_others_wrote_show_nothing_of_learners(
    world: World, role: str, everything: bool
) -> None:
    browser = browser_of(world, role)
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
        closed = line.who is Who.SUPERUSERS and role != "superuser" and one.route not in OPEN
        closed = closed and not (role == ADMINISTRATOR and one.route in ENTRANCE)
        for method in methods(role, one.route, everything=everything):
            let_in = not closed and method in BY_ALL
            statuses = set()
            for whole in depths(
                role, method, one.route, let_in=let_in, course=FIRST, everything=everything
            ):
                answer = site(whole=whole).answer(browser.request(method, path))
                statuses.add(answer.status_code)
                refused = is_refused(answer, anonymous=role == "anonymous")
                met = marks_in(answer, hidden_marks(role, course=FIRST))
                shown += answer.status_code == 200
                changes = vars(answer)["changes"]
                wrong = max(statuses) >= 500 or len(statuses) > 1
                if wrong or met or (closed and (not refused or changes)):
                    faults.append(f"{role}: {method} {path}: {statuses} {met} {changes}")
    assert not faults, "\n".join(faults)
    assert shown > (60 if role == "superuser" else 3)


def is_taken(method: str, line: Address) -> bool:
    """Say whether an address answers to this method, by the table."""
    taken = {"GET": line.get, "HEAD": line.get and line.head, "POST": line.post is not None}
    return taken.get(method, False)


def is_let_in(role: str, method: str, line: Address, *, course: str) -> bool:
    who = (line.posts or line.who) if method == "POST" else line.who
    return may(role, who, course=course)


def judge(role: str, method: str, line: Address, answer: HttpResponseBase, *, course: str) -> str:
    """Return what is wrong with an answer, "" for nothing."""
    let_in = is_let_in(role, method, line, course=course)
    refused = is_refused(answer, anonymous=role == "anonymous")
    if answer.status_code >= 500:
        return "it fails"
    if is_taken(method, line) and let_in:
        return "must be let in" if refused or answer.status_code == 405 else ""
    if vars(answer)["changes"]:
        return f"changed {vars(answer)['changes']} rows"
    if not is_taken(method, line):
        fine = answer.status_code == 405 or (refused and not let_in)
        return "" if fine else "a method that is not taken must be refused"
    return "" if refused else "must be refused"


class _Loose(HTMLParser):
    """The Hebrew text of a page that nothing keeps apart from the text around it."""

    APART = frozenset({"bdi", "title", "option", "textarea", "pre", "code", "script"})
    HEBREW = re.compile(r"[^\n]*[\u05d0-\u05ea][^\n]*")

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: set[str] = set()
        self._open: list[tuple[str, bool]] = []
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in VOID:
            self._open.append((tag, tag in self.APART or dict(attrs).get("dir") == "auto"))

    def handle_endtag(self, tag: str) -> None:
        while self._open and self._open.pop()[0] != tag:
            pass

    def handle_data(self, data: str) -> None:
        if not any(apart for _, apart in self._open):
            inside = self._open[-1][0] if self._open else ""
            self.found |= {f"<{inside}> {line.strip()}" for line in self.HEBREW.findall(data)}


def name_all_in_hebrew() -> None:
    """Give everybody names from right to left, and all that people wrote to each other."""
    for user in User.objects.all():
        names = {"username": f"שם{user.pk}", "first_name": "אדה", "last_name": f"כהן {user.pk}"}
        User.objects.filter(pk=user.pk).update(**names)
    for member in Membership.objects.all():
        Membership.objects.filter(pk=member.pk).update(
            name=f"מרים {member.pk}", section="קבוצה", external_id=f"ז{member.pk}"
        )
    Comment.objects.update(text="הערה")
    Announcement.objects.update(title="שלום", text="ברוכים הבאים")
    Regrade.objects.update(note="סיבה")
    AuditEntry.objects.update(about="מי")
    assigned, anybody = Assignment.objects.get(), User.objects.first()
    student = Membership.objects.filter(cohort=assigned.cohort, role="student").first()
    key = {"assignment": assigned, "membership": student}
    MarkOverride.objects.create(**key, points=1, reason="נימוק", by=anybody)
    AssignmentException.objects.create(**key, attempts=3, note="חולה", made_by=anybody)


@pytest.mark.parametrize("role", [pytest.param(ADA, marks=pytest.mark.soak), "superuser"])
def test_names_and_words_of_people_are_kept_apart(world: World, role: str) -> None:
    """A name from right to left would else turn the marks and numbers beside it around."""
    name_all_in_hebrew()
    place, browser = place_of(world), browser_of(world, role)
    loose, named = {}, 0
    for route, line in ADDRESSES.items():
        if not is_taken("GET", line) or not is_let_in(role, "GET", line, course=FIRST):
            continue
        if line.who is Who.ALL and role != ADA:
            continue  # for all alike
        answer = site(whole=True).answer(browser.request("GET", sample(route, line, place)))
        if answer.status_code != 200 or "html" not in answer.headers["Content-Type"]:
            continue
        page = answer.content.decode()
        named += bool(_Loose.HEBREW.search(page))
        if found := _Loose(page).found:
            loose[route] = sorted(found)
    assert not loose, "\n".join(f"{route} {words}" for route, words in loose.items())
    assert named > 5


@pytest.mark.parametrize("every", [16, pytest.param(1, marks=pytest.mark.soak)])
def test_no_form_is_lost_with_its_session(world: World, every: int) -> None:
    """Addresses that take a form, by somebody who may post there: see `signed_out`."""
    place = place_of(world)
    visitors: dict[str, Visitor] = {}
    stranger = visitor_of(world, BEA, place)
    faults, tried = [], 0
    for route, line in ADDRESSES.items():
        address = sample(route, line, place)
        if not is_taken("POST", line) or resolve(address).view_name.startswith(WITHOUT_WORK):
            continue
        tried += 1
        if tried % every:
            continue
        role = next(
            one for one in ROLES[1:] if is_let_in(one, "POST", line, course=FIRST) and one != BEA
        )
        if role not in visitors:
            visitors[role] = visitor_of(world, role, place)
        visitor, body = visitors[role], line.post(place) if callable(line.post) else line.post
        assert body is not None
        with transaction.atomic():
            wrong = [
                *sent_by_another(visitor, stranger.mark, address, body),
                *sent_without_session(visitor, stranger.user, address, body),
            ]
            transaction.set_rollback(True)
        faults += [f"{role}: {address}: {one}" for one in wrong]
    assert not faults, "\n".join(faults)
    assert tried > 40


def test_no_post_is_taken_without_its_token(world: World) -> None:
    place = place_of(world)
    browser, faults = browser_of(world, "superuser"), {}
    for route, line in ADDRESSES.items():
        if line.post is not None:
            body = line.post(place) if callable(line.post) else line.post
            request = browser.request("POST", sample(route, line, place), body)
            del vars(request)["_dont_enforce_csrf_checks"]
            answer = site(whole=True).answer(request)
            if answer.status_code != 403 or vars(answer)["changes"]:
                faults[route] = answer.status_code
    assert faults == {}


def visitor_of(world: World, role: str, place: Place) -> Visitor:
    """Return somebody of a role, who looks at all pages that this role alone has."""
    visitor = Visitor(world.users[role], browser_of(world, role).cookie)
    client = visitor.client()
    for route, line in ADDRESSES.items():
        is_own = role == ADA or line.who not in {Who.ALL, Who.ACCOUNT}
        is_seen = is_taken("GET", line) and is_let_in(role, "GET", line, course=FIRST)
        if role != BEA and is_own and is_seen:
            visitor.look_at(sample(route, line, place), client)
    return visitor
