"""Where a request comes from, behind as many proxies as PROXY_COUNT says."""

from allauth.account.adapter import get_adapter
from django.http import HttpRequest


def client_address(request: HttpRequest) -> str:
    """Return the visitor's address; what a visitor writes into X-Forwarded-For is not believed."""
    return str(get_adapter(request).get_client_ip(request))
