"""How a case pack stands in the database: compressed.

What variants and other conventions give is, for most of its bytes, the reference's own numbers in
another order or with another sign: compressed, the packs of 18 exercises take 1439 kB instead of
6368 (benchmarks/case_packs.py at 264b0d0c). A worker reads a pack once and keeps it.
"""

import lzma
from typing import Any

from django.db import models

PRESET = 1  # the quickest
MAGIC = b"\xfd7zXZ\0"


def compressed(data: bytes) -> bytes:
    """Return what is stored of a pack's bytes, which may be that already.

    Call it before a transaction that stores a pack begins, or all who write to SQLite meanwhile
    wait for it (docs/benchmarks.md).
    """
    return data if data.startswith(MAGIC) else lzma.compress(data, preset=PRESET)


def plain(stored: bytes) -> bytes:
    """Return a pack's bytes; as they are where an older version stored them, or damage did."""
    if not stored.startswith(MAGIC):
        return stored
    try:
        return lzma.decompress(stored)
    except lzma.LZMAError:
        return stored  # who reads the pack says that it is none


class PackField(models.BinaryField):  # type: ignore[type-arg]  # generic in the stubs alone
    """Bytes that are compressed in their column."""

    def get_prep_value(self, value: Any) -> Any:
        return None if value is None else compressed(bytes(value))

    def from_db_value(self, value: Any, _expression: Any, _connection: Any) -> Any:
        return None if value is None else plain(bytes(value))

    def deconstruct(self) -> Any:
        """Be a BinaryField for migrations: the column is the same."""
        name, _, args, kwargs = super().deconstruct()
        return name, "django.db.models.BinaryField", args, kwargs
