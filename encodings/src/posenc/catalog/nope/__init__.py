"""No positional encoding and its views; what layers do besides: windows, sinks, temperatures."""

from posenc.catalog.nope import layers
from posenc.catalog.nope.encoding import CLASSIC, NoPE, nope

__all__ = ["CLASSIC", "NoPE", "layers", "nope"]
