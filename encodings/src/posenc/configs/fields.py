"""The fields of a config: typed, bounded, and each either read or refused.

A config is text that somebody wrote. Every number is checked before it becomes a size, and a field
of position that nobody has read is an error: it would be ignored, and the answer would be wrong.
"""

import math
import re
from collections.abc import Mapping
from typing import Any

from posenc.errors import ParameterError
from posenc.stack import MOST_TOKENS

MOST_DIMENSIONS = 65_536
MOST_FIELDS = 4096

# Names that are about position, whatever library wrote them: one that nothing reads is refused.
OF_POSITION = re.compile(
    r"rope|rotary|rotation|alibi|position_(embedding_type|bias|encoding)|yarn|window|sliding|"
    r"no_rope|nope|chunk_size|temperature_tuning|floor_scale|^attn_scale$|local_attention|"
    r"global_attn_every|compress_r|^layer_types$|layers_block_type|full_attention_interval|"
    r"dual_chunk|bidirectional|is_causal|relative_attention|max_relative|logn|ntk|mrope|partial_r|rel_pos|"
    r"sink|softmax|pos_emb|absolute_pos|attn_type|attention_type|attn_config|"
    r"interleaved_layers"
)
# Names that match and say nothing of position.
NOT_OF_POSITION = frozenset(
    {
        "qk_nope_head_dim",
        "mamba_chunk_size",
        "chunk_size_feed_forward",
        "attention_softmax_in_fp32",
        "scale_attention_softmax_in_fp32",
    }
)
# Switches of something that a model then lacks: their false says no more than a missing field.
# That of `is_causal`, `use_rope` or `rotary` is a statement, and counts as any other value.
ABSENT_IF_FALSE = frozenset(
    {
        "alibi",
        "attn_temperature_tuning",
        "relative_attention",
        "scalable_softmax",
        "use_absolute_position_embeddings",
        "use_alibi",
        "use_attention_sinks",
        "use_bidirectional_attention",
        "use_dynamic_ntk",
        "use_logn_attn",
        "use_mrope",
        "use_sliding_window",
    }
)


class Fields:
    """A mapping whose fields are counted as they are read; `path` names it in errors."""

    def __init__(self, mapping: object, path: str = "") -> None:
        if not isinstance(mapping, Mapping):
            expected = "must be a dictionary of fields, as json.load returns"
            raise ParameterError(path or "config", mapping, expected)
        if len(mapping) > MOST_FIELDS or not all(isinstance(name, str) for name in mapping):
            expected = f"must have at most {MOST_FIELDS} fields, whose names are texts"
            raise ParameterError(path or "config", f"{len(mapping)} fields", expected)
        self._mapping, self.path = mapping, path
        self._read: set[str] = set()
        self.notes: list[str] = []

    def name(self, field: str) -> str:
        """Return how an error names a field: rope_scaling["factor"]."""
        return f'{self.path}["{field}"]' if self.path else field

    def has(self, field: str) -> bool:
        """Return whether a field is there and not null."""
        return self._mapping.get(field) is not None

    def is_null(self, field: str) -> bool:
        """Return whether a field is there and says null: it was left out on purpose."""
        return field in self._mapping and self._mapping[field] is None

    def names(self) -> tuple[str, ...]:
        """Return the names of the fields that are not null."""
        return tuple(name for name in self._mapping if self.has(name))

    def get(self, field: str) -> Any:
        """Return the value of a field, None without it; it counts as read."""
        self._read.add(field)
        return self._mapping.get(field)

    def refuse(self, field: str, expected: str) -> ParameterError:
        """Return the error that names a field with its value."""
        return ParameterError(self.name(field), self._mapping.get(field), expected)

    def missing(self, field: str, why: str) -> ParameterError:
        """Return the error that names a field which the file must have."""
        return ParameterError(self.name(field), None, f"must be in the file: {why}")

    def whole(self, field: str, *, low: int = 1, high: int = MOST_TOKENS) -> int | None:
        """Return a whole number, None without the field. Raises ParameterError."""
        value = self.get(field)
        if value is None:
            return None
        whole = isinstance(value, int) or (isinstance(value, float) and value.is_integer())
        if isinstance(value, bool) or not whole or not low <= value <= high:
            raise self.refuse(field, f"must be a whole number between {low} and {high}")
        return int(value)

    def number(self, field: str, *, low: float, high: float) -> float | None:
        """Return a finite number, None without the field. Raises ParameterError."""
        value = self.get(field)
        if value is None:
            return None
        real = isinstance(value, int | float) and not isinstance(value, bool)
        if not real or not low <= value <= high or not math.isfinite(value):
            raise self.refuse(field, f"must be a number between {low:g} and {high:g}")
        return float(value)

    def flag(self, field: str) -> bool | None:
        """Return True or False, None without the field. Raises ParameterError."""
        value = self.get(field)
        if value is not None and not isinstance(value, bool):
            raise self.refuse(field, "must be true or false")
        return value

    def word(self, field: str) -> str | None:
        """Return a text, None without the field. Raises ParameterError."""
        value = self.get(field)
        if value is not None and not isinstance(value, str):
            raise self.refuse(field, "must be a text")
        return value

    def listed(self, field: str, *, length: int | None = None) -> list[Any] | None:
        """Return a list of at most as many values as there may be dimensions. Raises."""
        value = self.get(field)
        if value is None:
            return None
        if not isinstance(value, list | tuple) or len(value) > MOST_DIMENSIONS:
            raise self.refuse(field, "must be a list")
        if length is not None and len(value) != length:
            raise self.refuse(field, f"must have {length} entries, not {len(value)}")
        return list(value)

    def same(self, field: str, other: "Fields", its: str, **bounds: float) -> float | None:
        """Return a number that may be here or there, and must be equal if it is in both."""
        here, there = self.number(field, **bounds), other.number(its, **bounds)
        if here is not None and there is not None and here != there:
            raise self.refuse(field, f"must agree with {other.name(its)}={there:g}")
        return there if here is None else here

    def note(self, sentence: str) -> None:
        """Keep a sentence about what the file leaves open."""
        if sentence not in self.notes:
            self.notes.append(sentence)

    def forget(self, *fields: str) -> None:
        """Count fields as read that change nothing here."""
        self._read.update(fields)

    def refuse_unread(self, *, every: bool = False) -> None:
        """Raise ParameterError for a field of position, or for `every` field, that nobody read."""
        for name in self.names():
            about = every or (OF_POSITION.search(name) and name not in NOT_OF_POSITION)
            absent = self._mapping[name] is False and name in ABSENT_IF_FALSE
            if about and name not in self._read and not absent:
                raise self.refuse(name, "is about position and cannot be honoured here")
