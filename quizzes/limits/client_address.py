"""Where a visitor comes from, as limits count it. The limits themselves: `limits`."""

import ipaddress

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest

IPV6_PREFIX = 64  # the network of one visitor


def network_of(address: str | None) -> str | None:
    """Return the network that counts as one visitor, None for addresses without a limit.

    This machine itself is not limited: it is the operator, or a proxy that PROXY_COUNT does not
    know of and that stands for everybody.
    """
    try:
        parsed = ipaddress.ip_address(address or "")
    except ValueError:
        return address
    parsed = getattr(parsed, "ipv4_mapped", None) or parsed  # ::ffff:203.0.113.7, of a dual socket
    if parsed.is_loopback:
        return None
    if isinstance(parsed, ipaddress.IPv6Address):
        return str(ipaddress.ip_network(f"{parsed}/{IPV6_PREFIX}", strict=False))
    return str(parsed)


def client_address(request: HttpRequest) -> str | None:
    """Return the visitor's address; entries that a visitor adds to X-Forwarded-For are ignored.

    None for a request that did not come over a network, such as a test's or a socket's.
    """
    try:
        return str(get_adapter(request).get_client_ip(request))
    except PermissionDenied:
        return None
