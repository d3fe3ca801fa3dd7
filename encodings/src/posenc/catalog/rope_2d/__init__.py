"""RoPE for pictures and films and its views."""

from posenc.catalog.rope_2d import views
from posenc.catalog.rope_2d.encoding import Rope2d, rope_2d

__all__ = ["Rope2d", "rope_2d", "views"]
