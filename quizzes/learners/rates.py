"""How often one address may ask for something: a bucket of tokens each, in this process's memory.

Made to stop floods, not to count exactly: each web process counts for itself, and a restart
forgets. What must hold exactly (Check, Submit) is counted on rows instead. An address stands for
as many people as share it, so the limits suit a class behind one router.
"""

import ipaddress
import math
import threading
import time
from collections import OrderedDict
from collections.abc import Callable

from django.http import HttpRequest, HttpResponse

from quizzes.learners.client_address import client_address

KEPT_ADDRESSES = 10_000  # of each rate; the one asked longest ago goes first
IPV6_PREFIX = 64  # what one visitor has


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
        """Count this request; return 0, or after how many seconds the next one may come.

        This machine itself is not limited: it is the operator, or a proxy that PROXY_COUNT
        does not know of and that stands for everybody.
        """
        source = _source(client_address(request))
        return 0 if source is None else self._take(source)

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
    """Answer 429 in plain text, for what is not a page: a picture, a script's request."""
    answer = HttpResponse(
        f"Too many requests came from your address. Try again in {wait_seconds} s.\n",
        status=429,
        content_type="text/plain; charset=utf-8",
    )
    answer["Retry-After"] = str(wait_seconds)
    answer["Cache-Control"] = "no-store"
    return answer


def _source(address: str | None) -> str | None:
    """Return what is counted as one visitor, None for what is not limited."""
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
