"""Reading the fields of position in a model's config.json, without anything assumed in silence."""

from posenc.configs.reader import read_config

__all__ = ["read_config"]
