"""Visitors who hand in at the same moment are all answered, in a test's own server too."""

import http.cookiejar
import re
import threading
import urllib.error
import urllib.parse
import urllib.request

import pytest

from tests.courses import at
from tests.exercises import making

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]

VISITORS, ROUNDS = 3, 4


def test_visitors_who_hand_in_at_once_are_all_answered(live_server):
    making.ready_exercise()
    url = f"{live_server.url}{at('/exercises/sinusoidal-table/')}"
    together, statuses = threading.Barrier(VISITORS, timeout=60), []

    def hand_in():
        cookies = http.cookiejar.CookieJar()
        ask = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies)).open
        page = ask(url).read().decode()
        fields = {
            name: re.search(rf'name="{name}"[^>]*value="([^"]+)"', page).group(1)
            for name in ("csrfmiddlewaretoken", "key")
        }
        form = urllib.parse.urlencode({**fields, "code": "x = 1", "kind": "submit"}).encode()
        together.wait()
        try:
            statuses.append(ask(url, form).status)
        except urllib.error.HTTPError as error:
            statuses.append(error.code)

    for _ in range(ROUNDS):
        threads = [threading.Thread(target=hand_in) for _ in range(VISITORS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert statuses == [200] * VISITORS * ROUNDS
