"""Reading the fields of position in a model's config.json, each honoured or refused by name."""

from posenc.configs.reader import read_config

__all__ = ["read_config"]
