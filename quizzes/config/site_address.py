"""The address of the site in links that no request leads to, such as those of mail."""

from collections.abc import Sequence
from urllib.parse import urlsplit

from django.core.exceptions import ImproperlyConfigured
from django.http.request import validate_host


def read_site_address(typed: str, *, hosts: Sequence[str], https: bool, port: str) -> str:
    """Return the scheme and host of the site; without a setting, those of the first host.

    "" if the first host is a pattern, such as ".example.org". `hosts`: `ALLOWED_HOSTS`. `port`: of
    a development site, which no proxy stands in front of. Raises ImproperlyConfigured.
    """
    if not typed:
        name = hosts[0] if port == "" or hosts[0] != "*" else "localhost"
        if name.startswith(".") or "*" in name:
            return ""
        return f"{'https' if https else 'http'}://{name}{f':{port}' if port else ''}"
    problem = f"SITE_ADDRESS={typed}: must be like https://ordinal.example.org"
    try:
        parts = urlsplit(typed)
        _ = parts.port
    except ValueError as error:
        raise ImproperlyConfigured(f"{problem}: {error}") from error
    extras = (parts.path.strip("/"), parts.query, parts.fragment, parts.username, parts.password)
    if parts.scheme not in {"http", "https"} or not parts.hostname or any(extras):
        raise ImproperlyConfigured(problem)
    host = f"[{parts.hostname}]" if ":" in parts.hostname else parts.hostname
    if not validate_host(host, hosts):
        raise ImproperlyConfigured(f"SITE_ADDRESS={typed}: ALLOWED_HOSTS does not list {host}")
    return f"{parts.scheme}://{parts.netloc}"
