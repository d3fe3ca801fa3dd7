"""A course as one zip: written from the database, and read without trusting anything in it.

What is written depends on the course alone: sorted names, one date, one way to compress. So a
download of an unchanged course is the same file, byte for byte, on every machine with this zlib.
"""

import io
import zipfile

from quizzes.authoring.exporting import texts_of
from quizzes.courses.models import Course

WRITTEN_AT = (1980, 1, 1, 0, 0, 0)  # the first date that a zip can name
PLAIN_FILE = 0o100644 << 16
UNIX = 3


def write_zip(course: Course) -> bytes:
    """Return the files of a course as a zip with one folder, which has the course's name."""
    held = io.BytesIO()
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as packed:
        for path, text in sorted(texts_of(course).items()):
            entry = zipfile.ZipInfo(f"{course.slug}/{path}", WRITTEN_AT)
            entry.external_attr, entry.create_system = PLAIN_FILE, UNIX
            packed.writestr(entry, text.encode(), zipfile.ZIP_DEFLATED, 9)
    return held.getvalue()
