"""T5's relative bias and its views."""

from posenc.catalog.t5_bias import views
from posenc.catalog.t5_bias.encoding import T5Bias, t5_bias

__all__ = ["T5Bias", "t5_bias", "views"]
