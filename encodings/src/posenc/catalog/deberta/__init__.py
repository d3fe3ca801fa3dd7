"""DeBERTa's attention and its views."""

from posenc.catalog.deberta import views
from posenc.catalog.deberta.encoding import Deberta, deberta

__all__ = ["Deberta", "deberta", "views"]
