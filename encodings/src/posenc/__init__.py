"""Positional encodings of transformers: exact, with their sources, for numpy and torch.

>>> from posenc.catalog.sinusoidal import Sinusoidal
>>> Sinusoidal(d_model=4).table(2).round(4).tolist()
[[0.0, 1.0, 0.0, 1.0], [0.8415, 0.5403, 0.01, 1.0]]
"""

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from posenc.configs import read_config as read_config

__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    """Return `read_config`, whose module is loaded when it is first used."""
    if name == "read_config":
        from posenc.configs import read_config

        return read_config
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
