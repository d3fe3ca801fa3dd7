"""A course as one zip: written from the database, and read without trusting anything in it.

What is written depends on the course alone: sorted names, one date, one way to compress. So a
download of an unchanged course is the same file, byte for byte, wherever zlib is the same.

What is read may come from anybody. Nothing is unpacked onto a disk; names are looked at before
contents, and of each file so much is read as a file of a course may have, whatever its header says.
"""

import io
import re
import stat
import struct
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import PurePosixPath

from quizzes.authoring.exporting import texts_of
from quizzes.content_files.characters import visible
from quizzes.content_files.plain_file import MAX_FILE_BYTES
from quizzes.courses.models import Course
from quizzes.lessons.pictures.header import MAX_BYTES, SUFFIXES
from quizzes.lessons.pictures.picture_files import FOLDER

WRITTEN_AT = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can name
PLAIN_FILE = (stat.S_IFREG | 0o644) << 16
UNIX = 3

MAX_ZIP_BYTES = 10 * 1024 * 1024
MAX_ENTRIES = 2_000
MAX_UNPACKED = 64 * 1024 * 1024
MAX_RATIO = 100  # of what is unpacked to the zip; texts have 3 to 10
MAX_NAME = 300  # characters, with the folders; two slugs have at most 160
MAX_DEPTH = 8  # folders of a course are at most 4 deep, below one that encloses it
ENTRY, NESTED = b"PK\x01\x02", b"PK\x03\x04"
ENCRYPTED = 0x1 | 0x40
FAULTS = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    OSError,
    OverflowError,
    NotImplementedError,  # a method of packing or a version that Python does not know
    RuntimeError,  # a password
    ValueError,  # also names that are not in the encoding that they say
)
JUNK = {".DS_Store", "Thumbs.db", "desktop.ini"}  # what file managers add without asking
JUNK_FOLDER = "__MACOSX"
_DRIVE = re.compile(r"[A-Za-z]:")


class ZipError(Exception):
    """A zip that is not read; the text is a sentence for who uploaded it."""


def write_zip(course: Course) -> bytes:
    """Return the files of a course as a zip with one folder, which has the course's name."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in sorted(texts_of(course).items()):
            entry = zipfile.ZipInfo(f"{course.slug}/{path}", WRITTEN_AT)
            entry.external_attr, entry.create_system = PLAIN_FILE, UNIX
            if isinstance(text, bytes):
                packed.writestr(entry, text, zipfile.ZIP_STORED)  # a picture is packed already
            else:
                packed.writestr(entry, text.encode(), zipfile.ZIP_DEFLATED, 9)
    return held.getvalue()


def read_zip(data: bytes) -> dict[str, bytes]:
    """Return the files of a zip by their paths below the course's folder. Raises ZipError.

    A file that is longer than a course may have is cut behind that length: its reader refuses it by
    its name. What file managers add is left out, and so is one folder that encloses everything.
    """
    if len(data) > MAX_ZIP_BYTES:
        raise ZipError(f"The zip has {len(data)} bytes; the limit is {MAX_ZIP_BYTES}.")
    # Each entry has this mark, so nothing is built of a directory of hundreds of thousands.
    if data.count(ENTRY) > MAX_ENTRIES:
        raise ZipError(f"The zip has more than {MAX_ENTRIES} entries, which is the limit.")
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            return _without_folder(dict(_unpacked(packed, _entries(packed), len(data))))
    except FAULTS as error:
        words = visible(str(error), MAX_NAME) or type(error).__name__
        raise ZipError(f"This is not a zip that can be read: {words}.") from error


def _entries(packed: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """Return the plain files by name, after a look at every name. Raises ZipError."""
    entries = packed.infolist()
    if len(entries) > MAX_ENTRIES:
        raise ZipError(f"The zip has {len(entries)} entries; the limit is {MAX_ENTRIES}.")
    files: dict[str, zipfile.ZipInfo] = {}
    folded: set[str] = set()
    for entry in entries:
        name = entry.orig_filename  # `filename` ends at a NUL in some releases of Python
        if why := _refusal(entry, name):
            raise ZipError(f"{visible(name, MAX_NAME)}: {why}.")
        path = name.removesuffix("/")
        if path.casefold() in folded:
            raise ZipError(f"{visible(name, MAX_NAME)}: there are two entries with this name.")
        folded.add(path.casefold())
        if not name.endswith("/") and not _is_junk(path):
            files[path] = entry
    names = {path.casefold() for path in files}
    for path in files:
        if inside := [
            folder for folder in PurePosixPath(path.casefold()).parents if str(folder) in names
        ]:
            raise ZipError(f"{visible(path, MAX_NAME)}: {inside[0]} is a file, and not a folder.")
    return files


def _refusal(entry: zipfile.ZipInfo, name: str) -> str:
    """Return why an entry is refused, "" for no reason. Its length is asked first: all else reads.

    The name is the one that stands in the zip.
    """
    if len(name) > MAX_NAME:
        return f"a name must have at most {MAX_NAME} characters, this one has {len(name)}"
    is_absolute = name.startswith("/") or bool(_DRIVE.match(name)) or "\\" in name
    parts = name.removesuffix("/").split("/")
    reasons = {
        f"a file must be at most {MAX_DEPTH} folders deep": len(parts) > MAX_DEPTH,
        "a name must not have characters that cannot be seen": not name.isprintable(),
        "a name must be a path below the course's folder, with / between parts": is_absolute,
        "a name must not have empty parts, `.` or `..`": not {"", ".", ".."}.isdisjoint(parts),
    }
    return next((words for words, holds in reasons.items() if holds), _refused_kind(entry, name))


def _refused_kind(entry: zipfile.ZipInfo, name: str) -> str:
    kind = stat.S_IFMT(entry.external_attr >> 16)
    plain = {0, stat.S_IFDIR if name.endswith("/") else stat.S_IFREG}
    methods = {zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED}
    reasons = {
        "it is encrypted; pack the files without a password": entry.flag_bits & ENCRYPTED,
        "it must be a plain file or a folder, not a link or a device": kind not in plain,
        "it must be stored or deflated, as all programs do": entry.compress_type not in methods,
    }
    return next((words for words, holds in reasons.items() if holds), "")


def _is_junk(path: str) -> bool:
    parts = path.split("/")
    return JUNK_FOLDER in parts or parts[-1] in JUNK or parts[-1].startswith("._")


def _unpacked(
    packed: zipfile.ZipFile, entries: dict[str, zipfile.ZipInfo], size: int
) -> Iterator[tuple[str, bytes]]:
    """Yield the files with what they hold, at most one byte more than a file may have."""
    whole, most = 0, min(MAX_UNPACKED, MAX_RATIO * size)
    for path, entry in entries.items():
        with packed.open(entry) as file:
            held = file.read(_most_bytes(path) + 1)
        whole += len(held)
        if whole > most:
            raise ZipError(
                f"The files have more than {most} bytes when they are unpacked: the limit is"
                f" {MAX_UNPACKED}, and {MAX_RATIO} times the zip."
            )
        if held.startswith(NESTED):
            raise ZipError(f"{visible(path, MAX_NAME)}: a zip within the zip is not read.")
        yield path, held


def _most_bytes(path: str) -> int:
    """Return how long the file of a course may be; of a picture, whose name says that it is one."""
    folder, _, name = path.rpartition("/")
    is_picture = name.endswith(tuple(SUFFIXES.values())) and folder.rpartition("/")[2] == FOLDER
    return MAX_BYTES if is_picture else MAX_FILE_BYTES


def _without_folder(files: dict[str, bytes]) -> dict[str, bytes]:
    """Return the files below the one folder that has all of them, if there is one."""
    folders = {path.partition("/")[0] for path in files if "/" in path}
    if len(folders) != 1 or "course.yaml" in files:
        return files
    start = f"{folders.pop()}/"
    if f"{start}course.yaml" not in files:
        return files
    return {
        path.removeprefix(start): held for path, held in files.items() if path.startswith(start)
    }
