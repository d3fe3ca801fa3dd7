"""What a course's pages count over all of its answers: counted anew, or kept where that is slow.

Counting grows with every answer that was ever given (docs/scaling.md has seconds). A course
of any usual size is counted at each view, and shows what happened a moment ago. Where it took
longer than a second, the result is kept for ten minutes in the site's cache, for every process of
every host, and the page says when it was counted.
"""

import time
from collections.abc import Callable
from datetime import datetime
from hashlib import blake2b
from typing import Any

from django.core.cache import cache
from django.utils import timezone

SLOW_SECONDS = 1.0
KEPT_SECONDS = 600


def counted(name: str, count: Callable[[], Any]) -> tuple[Any, datetime | None]:
    """Return what `count()` gives, and when it was counted where that is not now.

    `name` says of what, with everything on which the result depends.
    """
    key = f"counts-{blake2b(name.encode(), digest_size=16).hexdigest()}"  # it may name anything
    kept: tuple[Any, datetime] | None = cache.get(key)
    if kept is not None:
        return kept
    began = time.monotonic()
    found = count()
    if time.monotonic() - began > SLOW_SECONDS:
        cache.set(key, (found, timezone.now()), KEPT_SECONDS)
    return found, None
