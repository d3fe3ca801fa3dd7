"""Rotary position embedding and what can be drawn of it."""

from posenc.catalog.rope import views
from posenc.catalog.rope.encoding import Rope, rope

__all__ = ["Rope", "rope", "views"]
