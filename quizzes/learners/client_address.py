"""Where a request comes from, behind as many proxies as PROXY_COUNT says."""

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str | None:
    """Return the visitor's address; what a visitor writes into X-Forwarded-For is not believed.

    None for a request that did not come over a network, such as a test's or a socket's.
    """
    try:
        return str(get_adapter(request).get_client_ip(request))
    except PermissionDenied:
        return None
