"""Shaw's relative vectors and their views."""

from posenc.catalog.shaw import views
from posenc.catalog.shaw.encoding import Shaw, shaw

__all__ = ["Shaw", "shaw", "views"]
