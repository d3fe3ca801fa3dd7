"""Shaw's relative vectors and what can be drawn of it."""

from posenc.catalog.shaw import views
from posenc.catalog.shaw.encoding import Shaw, shaw

__all__ = ["Shaw", "shaw", "views"]
