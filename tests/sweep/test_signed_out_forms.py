"""Every address that takes a form: the session ends, the form is sent, and nothing of it is lost.

The addresses are those of the sweep's table. A form is sent as a browser sends it, from the page
that has it; its session is gone. Then somebody else signs in, who must not meet it, or the person
whose page it was, who finds all of it where it was typed, or to be copied where the page has no
form for it any more.
"""

import re
from collections.abc import Iterator
from html import unescape

import pytest
from django.contrib.sessions.models import Session
from django.db import transaction
from django.test import Client
from django.urls import resolve

from quizzes.courses.sign_in_again import KEPT, WITHOUT_WORK
from quizzes.learners.models import Learner, User
from quizzes.pages.kept_forms import OPENED_BY
from tests.sweep.table import ADDRESSES, Place
from tests.sweep.test_sweep import ROLES, browser_of, is_let_in, is_taken, line_of, sample
from tests.sweep.world import ADA, FIRST, World

pytestmark = pytest.mark.slow

TYPED = "what <somebody> typed & meant"
FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
ACTION = re.compile(r'action="([^"]*)"')
POSTS = re.compile(r'method="post"', re.IGNORECASE)


def place_in(world: World) -> Place:
    ada, account = Learner.objects.get(user__username=ADA), User.objects.get(username=ADA)
    assert world.people is not None
    staff = world.users["viewer"].pk
    return Place(FIRST, world.work[FIRST, ADA], ada.pk, account.pk, staff, world.people)


def who_posts(route: str) -> str:
    """Return a role that may post to an address; the work is Ada's."""
    line = line_of(route)
    roles = [one for one in ROLES if one != "anonymous"]
    return next(one for one in roles if is_let_in(one, "POST", line, course=FIRST))


def routes_with_forms() -> list[str]:
    return [route for route, line in ADDRESSES.items() if is_taken("POST", line)]


def forms_of(client: Client, role: str, place: Place) -> dict[str, str]:
    """Return the page of each form that a role finds, by the address that it is sent to."""
    found: dict[str, str] = {}
    for route, line in ADDRESSES.items():
        if not is_taken("GET", line) or not is_let_in(role, "GET", line, course=FIRST):
            continue
        address = sample(route, line, place)
        answer = client.get(address, HTTP_ACCEPT="text/html")
        if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
            continue
        for form in filter(POSTS.search, FORM.findall(answer.content.decode())):
            assert f'name="{OPENED_BY}"' in form, f"{address}: a form without {OPENED_BY}"
            action = ACTION.search(form)
            found.setdefault(unescape(action[1]) if action else address, address)
    return found


def signed_in(world: World, role: str) -> Client:
    client = Client(HTTP_ACCEPT="text/html")
    client.cookies.load(browser_of(world, role)._cookie["HTTP_COOKIE"])
    return client


def test_no_form_is_lost_with_its_session(world: World) -> None:
    place, faults, tried = place_in(world), [], 0
    pages: dict[str, dict[str, str]] = {}
    for route in routes_with_forms():
        line, role = ADDRESSES[route], who_posts(route)
        address = sample(route, line, place)
        if resolve(address).view_name.startswith(WITHOUT_WORK):
            continue
        body = line.post(place) if callable(line.post) else dict(line.post)
        with transaction.atomic():
            if role not in pages:
                pages[role] = forms_of(signed_in(world, role), role, place)
            page = pages[role].get(address, address)
            wrong = tried_by(world, role, address, page, body)
            faults += [f"{role}: {address}: {one}" for one in wrong]
            transaction.set_rollback(True)
        tried += 1
    assert not faults, "\n".join(faults)
    assert tried > 40


def tried_by(
    world: World, role: str, address: str, page: str, body: dict[str, object]
) -> Iterator[str]:
    """Send a form without its session; yield what is wrong when others and its owner sign in."""
    client, user = signed_in(world, role), world.users[role]
    mark = re.search(
        rf'name="{OPENED_BY}" value="([^"]+)"', client.get("/accessibility/").content.decode()
    )
    assert mark is not None
    other = world.users["viewer" if role != "viewer" else "editor"]
    for signs_in in (other, user):
        Session.objects.all().delete()
        sent = {**body, OPENED_BY: mark[1], "typed": TYPED}
        answer = client.post(address, sent, headers={"referer": f"http://testserver{page}"})
        if answer.status_code != 302 or "/accounts/login/" not in answer.headers["Location"]:
            yield f"answers {answer.status_code} without a way to sign in"
            return
        client.force_login(signs_in)
        back = client.get(page, follow=True)
        text = unescape(back.content.decode())
        if signs_in is other:
            if TYPED in text or KEPT in client.session:
                yield "somebody else gets it"
        elif TYPED not in text:
            yield f"it is lost: {back.status_code}"
        else:
            # The button is pressed again; a form says whose page it is once more.
            typed = {name: str(value) for name, value in body.items() if name != "do"}
            gone = [name for name, value in typed.items() if value not in text]
            if gone:
                yield f"lost of it: {gone}"


def test_form_of_another_account_is_not_sent(world: World) -> None:
    """The page was opened by somebody who signed out; somebody else signed in, in another tab."""
    place, faults = place_in(world), []
    for route in routes_with_forms():
        line, role = ADDRESSES[route], who_posts(route)
        address = sample(route, line, place)
        if resolve(address).view_name.startswith(WITHOUT_WORK):
            continue
        page = signed_in(world, "viewer").get("/accessibility/").content.decode()
        mark = re.search(rf'name="{OPENED_BY}" value="([^"]+)"', page)
        assert mark is not None
        who = role if role != "viewer" else "owner"
        body = line.post(place) if callable(line.post) else dict(line.post)
        client = signed_in(world, who)
        answer = client.post(address, {**body, OPENED_BY: mark[1], "typed": TYPED})
        if answer.status_code != 403 or "Another account opened" not in answer.content.decode():
            faults.append(f"{who}: {address}: {answer.status_code}")
        if KEPT in client.session:
            faults.append(f"{who}: {address}: kept for somebody else")
    assert not faults, "\n".join(faults)
