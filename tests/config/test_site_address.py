"""The address of the site in mail: the setting, or the first host."""

import pytest
from django.core.exceptions import ImproperlyConfigured

from quizzes.config.site_address import read_site_address

HOSTS = ["ordinal.example.org", ".uni.example", "127.0.0.1", "[::1]"]


@pytest.mark.parametrize(
    ("typed", "hosts", "https", "port", "address"),
    [
        ("", HOSTS, True, "", "https://ordinal.example.org"),
        ("", HOSTS, False, "", "http://ordinal.example.org"),
        ("", [".uni.example"], True, "", ""),
        ("", ["*"], True, "", ""),
        ("", ["*"], False, "8000", "http://localhost:8000"),
        ("", ["localhost"], False, "8123", "http://localhost:8123"),
        ("https://a.uni.example/", HOSTS, True, "", "https://a.uni.example"),
        ("http://127.0.0.1:8080", HOSTS, False, "8000", "http://127.0.0.1:8080"),
        ("http://[::1]:8080", HOSTS, False, "", "http://[::1]:8080"),
    ],
)
def test_setting_or_first_host_is_the_address(typed, hosts, https, port, address):
    assert read_site_address(typed, hosts=hosts, https=https, port=port) == address


@pytest.mark.parametrize(
    ("typed", "problem"),
    [
        ("ordinal.example.org", "must be like https://"),
        ("ftp://ordinal.example.org", "must be like https://"),
        ("https://ordinal.example.org/path", "must be like https://"),
        ("https://me:secret@ordinal.example.org", "must be like https://"),
        ("https://ordinal.example.org:x", "must be like https://"),
        ("https://", "must be like https://"),
        ("https://other.example", "ALLOWED_HOSTS does not list other.example"),
    ],
)
def test_address_that_leads_elsewhere_stops_the_start(typed, problem):
    with pytest.raises(ImproperlyConfigured, match=problem):
        read_site_address(typed, hosts=HOSTS, https=True, port="")
