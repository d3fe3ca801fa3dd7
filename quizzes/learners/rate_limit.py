"""How often one address may ask for a thing: a token bucket each, in this process's memory.

These limits stop floods and do not count exactly: each web process counts for itself, and a restart
forgets. Limits that must be exact (Check, Submit) are counted on rows instead. An address stands
for as many people as share it, so the limits suit a class behind one router.
"""

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from allauth.account.adapter import get_adapter
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse

KEPT_ADDRESSES = 10_000  # of each rate; the address that asked longest ago goes first
IPV6_PREFIX = 64  # the network of one visitor


class Rate:
    """`per_second` in the long run and `burst` at once, for each address."""

    def __init__(
        self, *, per_second: float, burst: int, clock: Callable[[], float] = time.monotonic
    ) -> None:
        self.per_second, self.burst = per_second, burst
        self._clock = clock
        self._buckets: OrderedDict[str, tuple[float, float]] = OrderedDict()
        self._lock = threading.Lock()

    def wait_seconds(self, request: HttpRequest) -> int:
        """Count this request; return 0, or the seconds until the next request may come.

        This machine itself is not limited: it is the operator, or a proxy that PROXY_COUNT
        does not know of and that stands for everybody.
        """
        source = _source(client_address(request))
        return 0 if source is None else self._take(source)

    def spent_seconds(self, request: HttpRequest) -> int:
        """Return the seconds until the next request may come, 0 for none; count nothing."""
        source = _source(client_address(request))
        if source is None:
            return 0
        with self._lock:
            tokens, at = self._buckets.get(source, (float(self.burst), self._clock()))
            tokens = min(float(self.burst), tokens + (self._clock() - at) * self.per_second)
        return 0 if tokens >= 1 else max(1, math.ceil((1 - tokens) / self.per_second))

    def _take(self, source: str) -> int:
        now = self._clock()
        with self._lock:
            tokens, at = self._buckets.pop(source, (float(self.burst), now))
            tokens = min(float(self.burst), tokens + (now - at) * self.per_second)
            allowed = tokens >= 1
            self._buckets[source] = (tokens - allowed, now)
            if len(self._buckets) > KEPT_ADDRESSES:
                self._buckets.popitem(last=False)
        return 0 if allowed else max(1, math.ceil((1 - tokens) / self.per_second))


def too_many(wait_seconds: int) -> HttpResponse:
    """Answer 429 in plain text, for addresses that are no pages: pictures, scripts' requests."""
    answer = HttpResponse(
        f"Too many requests came from your address. Try again in {wait_seconds} s.\n",
        status=429,
        content_type="text/plain; charset=utf-8",
    )
    answer["Retry-After"] = str(wait_seconds)
    answer["Cache-Control"] = "no-store"
    return answer


def _source(address: str | None) -> str | None:
    """Return the network that counts as one visitor, None for addresses without a limit."""
    try:
        found = ipaddress.ip_address(address or "")
    except ValueError:
        return address
    found = getattr(found, "ipv4_mapped", None) or found  # ::ffff:203.0.113.7, of a dual socket
    if found.is_loopback:
        return None
    if isinstance(found, ipaddress.IPv6Address):
        return str(ipaddress.ip_network(f"{found}/{IPV6_PREFIX}", strict=False))
    return str(found)


def client_address(request: HttpRequest) -> str | None:
    """Return the visitor's address; entries that a visitor adds to X-Forwarded-For are ignored.

    None for a request that did not come over a network, such as a test's or a socket's.
    """
    try:
        return str(get_adapter(request).get_client_ip(request))
    except PermissionDenied:
        return None
