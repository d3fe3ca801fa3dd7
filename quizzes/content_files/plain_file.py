"""Opening an author's file: plain files inside the course only, and never more than a bound.

A folder of somebody else can hold anything under a file's name. Opening a FIFO waits for a writer
that never comes, a device has no end, and a link shows a file of this machine to all learners. So
the descriptor is opened without waiting and without following a link, and what it turned out to be
is asked of the descriptor, which nobody can exchange any more.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from quizzes.content_files.characters import line_of_refused
from quizzes.content_files.errors import RefusedFileError

MAX_ENTRIES = 2_000  # of one folder
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_NOFOLLOW | os.O_CLOEXEC
_KINDS = (
    (stat.S_ISDIR, "a folder"),
    (stat.S_ISFIFO, "a FIFO"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
    (stat.S_ISLNK, "a link"),
)


def read_plain_text(path: Path, *, root: Path, max_bytes: int) -> str:
    """Return a file below `root` as text with `\\n` line ends and no byte order mark.

    Raises RefusedFileError when it is missing, a link, no plain file, outside, too large, not
    UTF-8, or holds a character that no author needs.
    """
    text = _decoded(_read_bytes(path, root, max_bytes))
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    refused = line_of_refused(text)
    if refused:
        raise RefusedFileError(*refused)
    return text


def list_folder(path: Path, *, root: Path) -> list[Path]:
    """Return what stands in a folder below `root`, sorted; nothing where there is no such folder.

    Raises RefusedFileError for something else than a folder under its name, and for too many files.
    """
    try:
        kind = path.lstat().st_mode
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error
    try:
        if not stat.S_ISDIR(path.stat().st_mode):
            raise RefusedFileError(1, f"must be a folder, not {_word_for(kind)}")
        refuse_outside(path, root)
        entries = sorted(path.iterdir())
    except OSError as error:
        raise _unreadable(error) from error
    if len(entries) > MAX_ENTRIES:
        raise RefusedFileError(1, f"holds {len(entries)} files, at most {MAX_ENTRIES} are allowed")
    return entries


def refuse_outside(path: Path, root: Path) -> None:
    """Refuse a path that leads out of the course, through a link or dots."""
    if not path.resolve().is_relative_to(root.resolve()):
        raise RefusedFileError(1, "leads out of the content folder through a link")


def _read_bytes(path: Path, root: Path, max_bytes: int) -> bytes:
    try:
        kind = path.lstat().st_mode
        if not stat.S_ISREG(kind):
            raise RefusedFileError(1, f"must be a plain file of the course, not {_word_for(kind)}")
        refuse_outside(path, root)
        descriptor = os.open(path, _FLAGS)
        with open(descriptor, "rb") as file:
            _refuse_size_and_kind(os.fstat(descriptor), max_bytes)
            data = file.read(max_bytes + 1)
    except (OSError, ValueError, RuntimeError) as error:  # a circle of links is a RuntimeError
        raise _unreadable(error) from error
    _refuse_length(len(data), max_bytes)  # it may have grown since it was measured
    return data


def _refuse_size_and_kind(facts: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise RefusedFileError(
            1, f"must be a plain file of the course, not {_word_for(facts.st_mode)}"
        )
    _refuse_length(facts.st_size, max_bytes)


def _refuse_length(length: int, max_bytes: int) -> None:
    if length > max_bytes:
        raise RefusedFileError(1, f"is larger than {max_bytes} bytes")


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise RefusedFileError(line, "is not UTF-8 text") from error


def _word_for(mode: int) -> str:
    return next((word for is_kind, word in _KINDS if is_kind(mode)), "something else")


def _unreadable(error: Exception) -> RefusedFileError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return RefusedFileError(1, f"cannot be read: {reason}")
