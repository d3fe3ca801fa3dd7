"""What the reading pages' templates need beyond Django's own."""

import json
from typing import Any

from django import template

register = template.Library()


@register.filter
def as_json(value: Any) -> str:
    """Return a value as JSON for a data- attribute; the template escapes it."""
    return json.dumps(value, separators=(",", ":"))


@register.filter
def minutes(seconds: int) -> str:
    """Return "1 min" or "12 min", never less than one."""
    return f"{max(1, round(seconds / 60))} min"
