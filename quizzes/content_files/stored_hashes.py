"""What the applications tell the loader about a thing that is in the database already."""

import hashlib
import json
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Stored:
    """The hashes of one stored thing.

    `loaded_hash` is that of the file it was last loaded from ("" when it never was);
    `content_hash` that of the row as it is now. They differ when it was edited in the browser.
    Both are made from the parsed content, so that the layout of a file does not matter.
    `is_withdrawn`: kept for those who met it, and nobody else finds it.
    """

    loaded_hash: str
    content_hash: str
    is_withdrawn: bool = False

    @property
    def is_edited(self) -> bool:
        """Return whether the row was edited in the browser since it was loaded."""
        return self.content_hash != self.loaded_hash


def hash_of(content: Any) -> str:
    """Return the hash of parsed content, in which the layout of files does not matter."""
    text = json.dumps(content, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()
