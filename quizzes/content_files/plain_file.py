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
from quizzes.content_files.problems import ContentError, ContentProblem

MAX_FILE_BYTES = 256 * 1024
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


class _RefusedError(Exception):
    """A file that must not be read on: the line, and why; its name is added where it is known."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(message)
        self.line = line
        self.message = message

    def of(self, name: str) -> ContentError:
        """Return the error to raise about the file of this name."""
        return ContentError([ContentProblem(name, self.line, self.message)])


def read_text(path: Path, *, root: Path, max_bytes: int = MAX_FILE_BYTES) -> str:
    """Return a file below `root` as text with `\\n` line ends and no byte order mark.

    Raises ContentError when it is missing, a link, no plain file, outside, too large, not UTF-8,
    or holds a character that no author needs.
    """
    data = read_bytes(path, root=root, max_bytes=max_bytes)
    return check_bytes(data, _name_of(path, root), max_bytes)


def read_bytes(path: Path, *, root: Path, max_bytes: int) -> bytes:
    """Return what a file below `root` holds, by the rules of `read_text` that are not about text.

    Of one that grew meanwhile one byte more than `max_bytes`.
    """
    try:
        return _read_bytes(path, root, max_bytes)
    except _RefusedError as refused:
        raise refused.of(_name_of(path, root)) from refused


def check_bytes(data: bytes, name: str, max_bytes: int) -> str:
    """Return what a file of this name holds as text, by the rules of `read_text`."""
    try:
        _refuse_length(len(data), max_bytes)
        return _checked(_decoded(data))
    except _RefusedError as refused:
        raise refused.of(name) from refused


def read_entries(folder: Path, *, root: Path) -> list[Path]:
    """Return the entries of a folder below `root`, sorted; none where there is no such folder.

    Raises ContentError for something else than a folder under its name, and for too many files.
    """
    try:
        entries = _entries(folder, root)
    except _RefusedError as refused:
        raise refused.of(_name_of(folder, root)) from refused
    check_count(len(entries), _name_of(folder, root))
    return entries


def check_count(entries: int, name: str) -> None:
    """Raise ContentError for a folder of this name with too many entries."""
    if entries > MAX_ENTRIES:
        words = f"holds {entries} files, at most {MAX_ENTRIES} are allowed"
        raise _RefusedError(1, words).of(name)


def _name_of(path: Path, root: Path) -> str:
    """Return the file's name as its author knows it: relative to the content folder."""
    return path.relative_to(root).as_posix() if path.is_relative_to(root) else path.as_posix()


def _entries(folder: Path, root: Path) -> list[Path]:
    try:
        kind = folder.lstat().st_mode
    except FileNotFoundError:
        return []
    except (OSError, ValueError) as error:
        raise _unreadable(error) from error
    try:
        if not stat.S_ISDIR(folder.stat().st_mode):
            raise _RefusedError(1, f"must be a folder, not {_word_for(kind)}")
        _refuse_outside(folder, root)
        return sorted(folder.iterdir())
    except (OSError, RuntimeError) as error:  # a circle of links is a RuntimeError
        raise _unreadable(error) from error


def _refuse_outside(path: Path, root: Path) -> None:
    """Refuse a path that leads out of the course, through a link or dots."""
    if not path.resolve().is_relative_to(root.resolve()):
        raise _RefusedError(1, "leads out of the content folder through a link")


def _read_bytes(path: Path, root: Path, max_bytes: int) -> bytes:
    try:
        kind = path.lstat().st_mode
        if not stat.S_ISREG(kind):
            raise _RefusedError(1, f"must be a plain file of the course, not {_word_for(kind)}")
        _refuse_outside(path, root)
        descriptor = os.open(path, _FLAGS)
        with open(descriptor, "rb") as file:
            _refuse_size_and_kind(os.fstat(descriptor), max_bytes)
            data = file.read(max_bytes + 1)
    except (OSError, ValueError, RuntimeError) as error:  # a circle of links is a RuntimeError
        raise _unreadable(error) from error
    return data  # one byte too many where it has grown since it was measured


def _refuse_size_and_kind(facts: os.stat_result, max_bytes: int) -> None:
    if not stat.S_ISREG(facts.st_mode):
        raise _RefusedError(
            1, f"must be a plain file of the course, not {_word_for(facts.st_mode)}"
        )
    _refuse_length(facts.st_size, max_bytes)


def _refuse_length(length: int, max_bytes: int) -> None:
    if length > max_bytes:
        raise _RefusedError(1, f"is larger than {max_bytes} bytes")


def _decoded(data: bytes) -> str:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise _RefusedError(line, "is not UTF-8 text") from error


def _checked(text: str) -> str:
    text = text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")
    refused = line_of_refused(text)
    if refused:
        raise _RefusedError(*refused)
    return text


def _word_for(mode: int) -> str:
    return next((word for is_kind, word in _KINDS if is_kind(mode)), "something else")


def _unreadable(error: Exception) -> _RefusedError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return _RefusedError(1, f"cannot be read: {reason}")
