"""Reading the fields of position in a model's config.json, each honoured or refused by name."""

from posenc.configs.clocks import clocks
from posenc.configs.findings import Turning, findings, rope_in, turning_of
from posenc.configs.json_text import read_json
from posenc.configs.ladder import frequencies_in, ladder
from posenc.configs.reader import read_config

__all__ = [
    "Turning",
    "clocks",
    "findings",
    "frequencies_in",
    "ladder",
    "read_config",
    "read_json",
    "rope_in",
    "turning_of",
]
