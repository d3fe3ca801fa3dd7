"""The styles of every page as one file, `css/base.css`, joined from the files that people edit.

A page with ten style sheets shows nothing until the last has come; over a slow line that takes
seconds. The joined file is written again when a file of it is newer, so an edit shows at once, and
lies beside the files for `url(...)`, that is in a folder css/.
"""

import os
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.contrib.staticfiles.finders import BaseFinder
from django.core.checks import CheckMessage
from django.core.files.storage import FileSystemStorage

BUNDLE = "css/base.css"
# In this order: a later file wins.
PARTS = (
    "tokens",
    "site",
    "layout",
    "frame",
    "buttons",
    "forms",
    "parts",
    "pages",
    "search",
    "small_map",
)


def _sources() -> list[Path]:
    folder = Path(settings.STATICFILES_DIRS[0]) / "css"
    return [folder / f"{part}.css" for part in PARTS]


def bundle_text() -> str:
    """Return the joined styles, each part under a line with its name."""
    parts = [f"/* {source.name} */\n{source.read_text()}" for source in _sources()]
    return "\n".join(parts)


def write_bundle() -> Path:
    """Return the path of the joined file, written where it is missing or a part of it is newer."""
    file = Path(settings.VAR) / "styles" / BUNDLE
    newest = max(source.stat().st_mtime_ns for source in (*_sources(), Path(__file__)))
    if not file.exists() or file.stat().st_mtime_ns != newest:
        file.parent.mkdir(parents=True, exist_ok=True)
        # Under another name first: another process may read the file at this moment.
        handle, beside = tempfile.mkstemp(dir=file.parent, suffix=".tmp")
        with os.fdopen(handle, "w") as written:
            written.write(bundle_text())
        Path(beside).chmod(0o644)
        os.utime(beside, ns=(newest, newest))
        Path(beside).replace(file)
    return file


class StyleBundle(BaseFinder):
    """Finds the one file, for pages in development and for `collectstatic`."""

    def check(self, **kwargs: Any) -> list[CheckMessage]:
        """Return no complaint; there is nothing to set."""
        del kwargs
        return []

    def find(self, path: str, find_all: bool = False, **kwargs: Any) -> Any:
        """Return the path of the joined file, if it is the one that is asked for."""
        del kwargs
        if path != BUNDLE:
            return []
        return [str(write_bundle())] if find_all else str(write_bundle())

    def list(
        self, ignore_patterns: Iterable[str] | None
    ) -> Iterator[tuple[str, FileSystemStorage]]:
        """Yield the one file with the storage that has it."""
        del ignore_patterns
        yield BUNDLE, FileSystemStorage(location=write_bundle().parents[1])
