"""Rotary position embedding and its views."""

from posenc.catalog.rope import arcs, views
from posenc.catalog.rope.encoding import Rope, rope

__all__ = ["Rope", "arcs", "rope", "views"]
