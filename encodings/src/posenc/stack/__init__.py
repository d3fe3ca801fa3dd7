"""The attention layers of a model, and what differs between them."""

from posenc.stack.layers import MOST_LAYERS, MOST_TOKENS, Layer, Stack
from posenc.stack.temperature import Temperature
from posenc.stack.words import as_runs, describe_encoding

__all__ = [
    "MOST_LAYERS",
    "MOST_TOKENS",
    "Layer",
    "Stack",
    "Temperature",
    "as_runs",
    "describe_encoding",
]
