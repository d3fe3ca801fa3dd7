"""Rotary position embedding and its views."""

from posenc.catalog.rope import arcs, batches, views
from posenc.catalog.rope.encoding import Rope, rope

__all__ = ["Rope", "arcs", "batches", "rope", "views"]
