"""Forms that are sent when their session is gone, from every address of the table.

A form is sent as a browser sends it, from the page that has it; its session is gone. Then somebody
else signs in, who must not get it, or the person whose page it was, who finds all of it where it
was typed, or to be copied where the page has no form for it any more.
"""

import re
from collections.abc import Iterator, Mapping
from html import unescape

from django.contrib.sessions.models import Session
from django.test import Client

from quizzes.courses.sign_in_again import KEPT
from quizzes.learners.models import User
from quizzes.pages.form_placeholders import OPENED_BY

TYPED = "what <somebody> typed & meant"
FORM = re.compile(r"<form\b[^>]*>.*?</form>", re.DOTALL)
ACTION = re.compile(r'action="([^"]*)"')
POSTS = re.compile(r'method="post"', re.IGNORECASE)
MARK = re.compile(rf'name="{OPENED_BY}" value="([^"]+)"')


class Visitor:
    """The browser of somebody who signed in: its pages, and the mark that they bear."""

    def __init__(self, user: User, cookie: str) -> None:
        self.user = user
        self._cookie = cookie
        self.pages: dict[str, str] = {}  # of each form, by the address that it is sent to
        found = MARK.search(self.client().get("/accessibility/").content.decode())
        assert found is not None
        self.mark = found[1]

    def client(self) -> Client:
        client = Client(HTTP_ACCEPT="text/html")
        client.cookies.load(self._cookie)
        return client

    def look_at(self, address: str, client: Client) -> None:
        """Note the forms of a page. All of them say whose page it is."""
        answer = client.get(address)
        if answer.status_code != 200 or "text/html" not in answer.headers["Content-Type"]:
            return
        for form in filter(POSTS.search, FORM.findall(answer.content.decode())):
            assert f'name="{OPENED_BY}"' in form, f"{address}: a form without {OPENED_BY}"
            action = ACTION.search(form)
            self.pages.setdefault(unescape(action[1]) if action else address, address)


def sent_without_session(
    visitor: Visitor, other: User, address: str, body: Mapping[str, object]
) -> Iterator[str]:
    """Send a form without its session; yield what is wrong when others and its owner sign in."""
    client, page = visitor.client(), visitor.pages.get(address, address)
    for user in (other, visitor.user):
        Session.objects.all().delete()
        sent = {**body, OPENED_BY: visitor.mark, "typed": TYPED}
        answer = client.post(address, sent, headers={"referer": f"http://testserver{page}"})
        if answer.status_code != 302 or "/accounts/login/" not in answer.headers["Location"]:
            yield f"answers {answer.status_code} without a way to sign in"
            return
        client.force_login(user)
        if user == other:
            if KEPT in client.session:
                yield "somebody else gets it"
            continue
        text = unescape(client.get(page, follow=True).content.decode())
        # The button is pressed again.
        typed = {"typed": TYPED, **{name: one for name, one in body.items() if name != "do"}}
        if lost := [name for name, value in typed.items() if str(value) not in text]:
            yield f"lost of it: {lost}"


def sent_by_another(
    visitor: Visitor, mark: str, address: str, body: Mapping[str, object]
) -> Iterator[str]:
    """Send a form of another account's page; yield what is wrong."""
    client = visitor.client()
    answer = client.post(address, {**body, OPENED_BY: mark, "typed": TYPED})
    if answer.status_code != 403 or "opened with another account" not in answer.content.decode():
        yield f"another account: {answer.status_code}"
    if KEPT in client.session:
        yield "kept for somebody else"
