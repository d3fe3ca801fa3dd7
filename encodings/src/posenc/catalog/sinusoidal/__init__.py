"""The sinusoidal encoding and what can be drawn of it."""

from posenc.catalog.sinusoidal import scales, views, waves
from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal

__all__ = ["Sinusoidal", "scales", "sinusoidal", "views", "waves"]
