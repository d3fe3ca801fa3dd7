"""RoPE for pictures and films, its views, and axial RoPE."""

from posenc.catalog.rope_2d import views
from posenc.catalog.rope_2d.axial import AxialRope
from posenc.catalog.rope_2d.encoding import Rope2d, rope_2d
from posenc.catalog.rope_2d.parts import positions_of

__all__ = ["AxialRope", "Rope2d", "positions_of", "rope_2d", "views"]
