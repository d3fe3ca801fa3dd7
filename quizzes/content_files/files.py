"""The files of a course as its readers see them: on a disk, or in memory.

A reader names a file by its path below the course's folder, with `/`; "" is the folder itself. So
a draft or a copy, which has texts and no folder, is read by the same function as a course on disk.
"""

import errno
import os
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path, PurePosixPath
from typing import Protocol

from quizzes.content_files.plain_file import (
    MAX_FILE_BYTES,
    check_bytes,
    check_count,
    read_bytes,
    read_entries,
    read_text,
)
from quizzes.content_files.problems import ContentError, ContentProblem


@dataclass(frozen=True)
class Entry:
    """What a folder has under one name. Neither folder nor file: a device, a link to nothing."""

    name: str
    is_folder: bool
    is_file: bool


class Files(Protocol):
    """The files below one folder."""

    @property
    def name(self) -> str:
        """Return the name of the folder; of a course, its slug."""

    def has(self, path: str) -> bool:
        """Return whether anything has this path."""

    def text(self, path: str, *, max_bytes: int = MAX_FILE_BYTES) -> str:
        """Return a file's text with `\\n` line ends. Raises ContentError, as `read_text` does."""

    def content(self, path: str, *, max_bytes: int) -> bytes:
        """Return what a file holds, which may be no text. Raises ContentError."""

    def entries(self, folder: str) -> list[Entry]:
        """Return the entries of a folder by name, none without such a folder.

        Raises ContentError, as `read_entries` does.
        """


@dataclass(frozen=True)
class DiskFiles:
    """The files below a folder on disk, which no link leaves."""

    root: Path

    @cached_property
    def name(self) -> str:
        return self.root.resolve().name

    def has(self, path: str) -> bool:
        return os.path.lexists(self.root / path)

    def text(self, path: str, *, max_bytes: int = MAX_FILE_BYTES) -> str:
        return read_text(self.root / path, root=self.root, max_bytes=max_bytes)

    def content(self, path: str, *, max_bytes: int) -> bytes:
        return read_bytes(self.root / path, root=self.root, max_bytes=max_bytes)

    def entries(self, folder: str) -> list[Entry]:
        paths = read_entries(self.root / folder, root=self.root)
        return [Entry(path.name, path.is_dir(), path.is_file()) for path in paths]


@dataclass(frozen=True)
class MemoryFiles:
    """Texts and pictures by path. They are held to the same rules as files on a disk."""

    name: str
    texts: Mapping[str, str | bytes]

    @cached_property
    def _folders(self) -> dict[str, dict[str, Entry]]:
        """Return the entries of each folder by name."""
        folders: dict[str, dict[str, Entry]] = {}
        for path in self.texts:
            folder, _, name = path.rpartition("/")
            folders.setdefault(folder, {})[name] = Entry(name, is_folder=False, is_file=True)
            while folder:
                folder, _, name = folder.rpartition("/")
                folders.setdefault(folder, {})[name] = Entry(name, is_folder=True, is_file=False)
        return folders

    def has(self, path: str) -> bool:
        return path in self.texts or path in self._folders

    def text(self, path: str, *, max_bytes: int = MAX_FILE_BYTES) -> str:
        return check_bytes(self._there(path), path, max_bytes)

    def content(self, path: str, *, max_bytes: int) -> bytes:
        data = self._there(path)
        if len(data) > max_bytes:
            raise _error(path, f"is larger than {max_bytes} bytes")
        return data

    def _there(self, path: str) -> bytes:
        if path in self._folders:
            raise _error(path, "must be a plain file of the course, not a folder")
        if path not in self.texts:
            number = errno.ENOTDIR if self._is_below_file(path) else errno.ENOENT
            raise _error(path, f"cannot be read: {os.strerror(number)}")
        return self.data(path)

    def data(self, path: str) -> bytes:
        """Return what a file holds, which is there."""
        held = self.texts[path]
        return held if isinstance(held, bytes) else held.encode("utf-8", "surrogatepass")

    def entries(self, folder: str) -> list[Entry]:
        if folder in self.texts:
            raise _error(folder, "must be a folder, not something else")
        if self._is_below_file(folder):
            raise _error(folder, f"cannot be read: {os.strerror(errno.ENOTDIR)}")
        there = self._folders.get(folder, {})
        check_count(len(there), folder or ".")
        return [there[name] for name in sorted(there)]

    def _is_below_file(self, path: str) -> bool:
        return any(parent.as_posix() in self.texts for parent in PurePosixPath(path).parents)


def _error(path: str, words: str) -> ContentError:
    return ContentError([ContentProblem(path or ".", 1, words)])
