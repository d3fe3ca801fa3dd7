"""A picture as a course keeps it: decoded once, and written again if it held anything else.

Decoders are where pictures attack, so none runs in a web process: a child with bounds of memory and
time decodes, one at a time in each process. A file that is clean already keeps its bytes. So what
was cleaned once is never changed again, and stored, exported and loaded it is the same file.
"""

import subprocess
import sys
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path
from threading import Lock

from quizzes.lessons.pictures.cleaning_process import REFUSED
from quizzes.lessons.pictures.header import MAX_PIXELS, Header, PictureError, read_header

PROGRAM = Path(__file__).with_name("cleaning_process.py")
SECONDS = 20
_one_at_a_time = Lock()


@dataclass(frozen=True)
class CleanPicture:
    """A picture without anything else in its file."""

    header: Header
    data: bytes

    @property
    def sha256(self) -> str:
        return sha256(self.data).hexdigest()


def clean(data: bytes) -> CleanPicture:
    """Return a picture without metadata, decoded once. Raises PictureError."""
    header = read_header(data)
    if not header.extras:
        _decoded(data, header, "check")
        return CleanPicture(header, data)
    written = _decoded(data, header, "clean")
    try:
        again = read_header(written)
    except PictureError as error:
        raise PictureError(f"written again without {', '.join(header.extras)}: {error}") from error
    if again.extras or again.kind != header.kind:
        raise RuntimeError(f"a cleaned {header.kind} holds {again.extras}")
    return CleanPicture(again, written)


def _decoded(data: bytes, header: Header, act: str) -> bytes:
    """Return what the child writes of a picture. Raises PictureError."""
    command = [sys.executable, "-I", str(PROGRAM), header.kind, str(MAX_PIXELS), act]
    with _one_at_a_time:
        try:
            done = subprocess.run(  # noqa: S603 -- no word of it comes from outside
                command, input=data, capture_output=True, timeout=SECONDS, check=False, env={}
            )
        except subprocess.TimeoutExpired as error:
            raise PictureError(f"not decoded within {SECONDS} s; try again in a while") from error
    if done.returncode == REFUSED or done.returncode < 0:  # or it met a bound
        raise PictureError("the picture cannot be decoded: it is damaged or cut off")
    if done.returncode:
        raise RuntimeError(done.stderr.decode(errors="replace")[-2000:])
    return done.stdout
