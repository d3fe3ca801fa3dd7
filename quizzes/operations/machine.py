"""What this machine has left: room on its disks, and open files for this process.

Without room or files every part of the site fails in words of its own. Here they are named for what
they are, and looking costs neither: `statvfs` opens nothing, and that no file can be opened any
more is itself the answer.
"""

import contextlib
import errno
import os
import resource
import time
from dataclasses import dataclass
from pathlib import Path

from django.conf import settings
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

LEAST_FREE_BYTES = 200_000_000
RECENT_SECONDS = 20  # for which a monitor is told what a page has met
LEAST_FREE_FILES = 32
DISK_FULL = "the disk is full"
NO_FILES = "no file can be opened any more: the process has used all of its descriptors"
READ_ONLY = "the database cannot be written: it is read-only"
WORDS = {
    "database or disk is full": DISK_FULL,
    "no space left on device": DISK_FULL,
    "too many open files": NO_FILES,
    "unable to open database file": "the database file cannot be opened",
    "attempt to write a readonly database": READ_ONLY,
    "read-only transaction": READ_ONLY,
    "too many clients": "the database accepts no more connections",
    "too many connections": "the database accepts no more connections",
    "remaining connection slots": "the database accepts no more connections",
    "connection refused": "no database answers at DATABASE_URL",
    "is the server running": "no database answers at DATABASE_URL",
    "timeout expired": "no database answers at DATABASE_URL",
    "the database system is": "the database is starting or stopping",
    "terminating connection": "the database has ended the connection",
    "server closed the connection": "the database has ended the connection",
    "connection is closed": "the database has ended the connection",
    "password authentication failed": "the database refuses the password of DATABASE_URL",
    "disk i/o error": "the disk under the database fails",
    "malformed": "the database file is damaged",
}


# Of the machine of a PostgreSQL server nothing is known here until something is to be stored: one
# whose disk is full goes on answering questions, and takes what fits into the pages that it has.
REPORTED_FAULTS = {DISK_FULL, READ_ONLY}


@dataclass(frozen=True)
class Disk:
    """A folder that the site writes to, and what its file system has left for it."""

    path: Path
    free_bytes: int
    free_share: float

    @property
    def is_full(self) -> bool:
        return self.free_bytes < LEAST_FREE_BYTES


def disks() -> list[Disk]:
    """Return the file systems that the site writes to, each once."""
    folders = [Path(settings.VAR), Path("/tmp")]  # noqa: S108 -- large answers wait there
    if connection.vendor == "sqlite" and Path(str(connection.settings_dict["NAME"])).is_file():
        folders.insert(0, Path(str(connection.settings_dict["NAME"])).parent)
    found: dict[int, Disk] = {}
    for folder in folders:
        try:
            stat, device = os.statvfs(folder), folder.stat().st_dev
        except OSError:
            continue
        free = stat.f_bavail * stat.f_frsize
        share = stat.f_bavail / max(1, stat.f_blocks)
        found.setdefault(device, Disk(folder, free, share))
    return list(found.values())


def keep_no_read_only_connection(*, connection: BaseDatabaseWrapper, **_: object) -> None:
    """Receive `connection_created`: what was opened without the right to write never gets it.

    Kept as others are, it would refuse changes for minutes after somebody gave the right back.
    """
    if connection.vendor != "sqlite":
        return
    file = Path(str(connection.settings_dict["NAME"]))
    beside = [file.with_name(f"{file.name}{ending}") for ending in ("", "-wal", "-shm")]
    there = [file.parent, *(one for one in beside if one.exists())]
    if not all(os.access(one, os.W_OK) for one in there):
        connection.close_at = 0.0


@dataclass(frozen=True)
class OpenFiles:
    """How many files this process has open (None: not even that can be found out), of how many."""

    count: int | None
    limit: int

    @property
    def are_used_up(self) -> bool:
        return self.count is None or self.limit - self.count < LEAST_FREE_FILES


def open_files() -> OpenFiles:
    """Count the descriptors of this process."""
    limit = resource.getrlimit(resource.RLIMIT_NOFILE)[0]
    try:
        return OpenFiles(len(os.listdir("/proc/self/fd")), limit)
    except OSError as error:
        if error.errno in {errno.EMFILE, errno.ENFILE}:
            return OpenFiles(None, limit)
        return OpenFiles(0, limit)  # not Linux


def name_fault(error: BaseException) -> str:
    """Return in words why the database failed, "" where its own words say all that is known."""
    seen: BaseException | None = error
    while seen is not None:
        if isinstance(seen, OSError) and seen.errno in {errno.EMFILE, errno.ENFILE}:
            return NO_FILES
        if isinstance(seen, OSError) and seen.errno == errno.ENOSPC:
            return DISK_FULL
        said = str(seen).lower()
        if found := next((words for part, words in WORDS.items() if part in said), ""):
            # SQLite says only that it cannot open its file, whatever the reason.
            return NO_FILES if "cannot be opened" in found and open_files().are_used_up else found
        seen = seen.__cause__ or seen.__context__
    return ""


def note_fault(words: str) -> None:
    """Keep what a page has met, for `/healthz`, whichever process of this machine is asked."""
    if words in REPORTED_FAULTS and connection.vendor != "sqlite":
        with contextlib.suppress(OSError):  # our own disk is full too: `disks` tells
            _fault_file().write_text(words)


def recent_fault() -> str:
    """Return the fault that a page met within the last `RECENT_SECONDS`, "" for none."""
    try:
        age = time.time() - _fault_file().stat().st_mtime
        words = _fault_file().read_text()
    except (OSError, UnicodeDecodeError):
        return ""
    return words if 0 <= age < RECENT_SECONDS and words in REPORTED_FAULTS else ""


def _fault_file() -> Path:
    return Path(settings.VAR) / "recent-fault"
