"""A visitor's address is what our proxies say, never what the visitor says."""

import pytest
from django.conf import LazySettings
from django.test import RequestFactory

from quizzes.limits.client_address import client_address


@pytest.mark.parametrize(
    ("proxies", "forwarded", "address"),
    [
        (0, "", "192.0.2.1"),
        (0, "203.0.113.9", "192.0.2.1"),
        (1, "203.0.113.9", "203.0.113.9"),
        (1, "198.51.100.66, 203.0.113.9", "203.0.113.9"),
        (2, "198.51.100.66, 203.0.113.9, 10.0.0.2", "203.0.113.9"),
    ],
)
def test_only_our_own_proxies_are_believed(
    proxies: int, forwarded: str, address: str, rf: RequestFactory, settings: LazySettings
) -> None:
    settings.ALLAUTH_TRUSTED_PROXY_COUNT = proxies
    headers = {"X-Forwarded-For": forwarded} if forwarded else {}
    request = rf.get("/", headers=headers, REMOTE_ADDR="192.0.2.1")
    assert client_address(request) == address


def test_a_request_without_a_network_has_no_address(rf: RequestFactory) -> None:
    request = rf.get("/")
    del request.META["REMOTE_ADDR"]
    assert client_address(request) is None
