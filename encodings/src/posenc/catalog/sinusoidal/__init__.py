"""The sinusoidal encoding and what can be drawn of it."""

from posenc.catalog.sinusoidal import views, waves
from posenc.catalog.sinusoidal.encoding import Sinusoidal, sinusoidal

__all__ = ["Sinusoidal", "sinusoidal", "views", "waves"]
