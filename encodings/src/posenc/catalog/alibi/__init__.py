"""ALiBi and its views."""

from posenc.catalog.alibi import biases, views
from posenc.catalog.alibi.encoding import Alibi, alibi

__all__ = ["Alibi", "alibi", "biases", "views"]
