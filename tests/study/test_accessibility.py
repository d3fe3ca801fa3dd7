"""`/accessibility/` is there, linked from every page, and its links lead somewhere."""

import re

import pytest

pytestmark = pytest.mark.django_db


def test_every_page_links_to_it(client):
    assert 'href="/accessibility/"' in client.get("/").content.decode()
    assert 'href="/accessibility/"' in client.get("/nowhere/").content.decode()


def test_it_says_the_target_and_what_falls_short(client):
    page = client.get("/accessibility/")
    words = page.content.decode()
    assert page.status_code == 200
    assert "level AA" in words
    assert "Known limitations" in words


def test_its_own_links_lead_somewhere(client):
    words = client.get("/accessibility/").content.decode()
    for path in set(re.findall(r'href="(/[a-z/]+/)"', words)):
        assert client.get(path).status_code in {200, 302}, path
