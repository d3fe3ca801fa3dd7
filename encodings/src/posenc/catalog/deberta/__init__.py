"""DeBERTa's attention and what can be drawn of it."""

from posenc.catalog.deberta import views
from posenc.catalog.deberta.encoding import Deberta, deberta

__all__ = ["Deberta", "deberta", "views"]
