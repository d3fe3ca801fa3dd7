"""Read the pictures of a course folder, with every fault, and keep them with the course.

pictures/<slug>.png, .jpg or .webp    at most MAX_BYTES and MAX_PIXELS, without metadata

A file that holds more than its picture is refused here, and not cleaned in silence: then the file
and what learners get would be two things. `clean_pictures` writes such files again. So what is
stored is the file, byte for byte, and so is what is exported.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import PurePosixPath

from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.files import Entry, Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.models import Course
from quizzes.lessons.models import Picture
from quizzes.lessons.pictures.cleaning import CleanPicture
from quizzes.lessons.pictures.header import (
    MAX_BYTES,
    NAMES,
    NO_SVG,
    SUFFIXES,
    Header,
    PictureError,
    read_header,
)

FOLDER = "pictures"
MAX_PICTURES = 500  # of a course
MAX_ALL_BYTES = 50 * 1024 * 1024  # of a course, which is held in memory as a zip or a copy
EXPECTED = "expected a name such as two-cells.png, with .png, .jpg or .webp"


@dataclass(frozen=True)
class PictureSource:
    """One picture as read."""

    slug: str
    path: str
    header: Header
    data: bytes = field(repr=False)

    @property
    def content_hash(self) -> str:
        return sha256(self.data).hexdigest()


def picture_file(slug: str, kind: str) -> str:
    """Return the path of a picture below the course's folder."""
    return f"{FOLDER}/{slug}{SUFFIXES[kind]}"


def read_pictures(files: Files) -> tuple[list[PictureSource], list[ContentProblem]]:
    """Read the pictures of a course folder."""
    problems: list[ContentProblem] = []
    try:
        entries = [entry for entry in files.entries(FOLDER) if not entry.name.startswith(".")]
    except ContentError as error:
        return [], list(error.problems)
    pictures: dict[str, PictureSource] = {}
    for entry in entries[:MAX_PICTURES]:
        path = f"{FOLDER}/{entry.name}"
        if words := _name_fault(entry):
            problems.append(ContentProblem(path, 1, words))
            continue
        slug = PurePosixPath(entry.name).stem
        if slug in pictures:
            words = f"there is also {pictures[slug].path}; expected one picture of a name"
            problems.append(ContentProblem(path, 1, words))
            continue
        try:
            data = files.content(path, max_bytes=MAX_BYTES)
            header = read_header(data)
        except ContentError as error:
            problems += error.problems
            continue
        except PictureError as error:
            problems.append(ContentProblem(path, 1, str(error)))
            continue
        problems += (ContentProblem(path, 1, words) for words in _faults(entry.name, header))
        pictures[slug] = PictureSource(slug, path, header, data)
    problems += _too_many(entries, pictures)
    return list(pictures.values()), problems


def _name_fault(entry: Entry) -> str:
    """Return what is wrong with the name of a file, "" for nothing."""
    name = PurePosixPath(entry.name)
    if not entry.is_file:
        return "must be a plain file: pictures have no folders"
    if name.suffix.lower() in {".svg", ".svgz"}:
        return NO_SVG
    if name.suffix not in SUFFIXES.values():
        return f"this is no picture by its name; {EXPECTED}"
    if not is_slug(name.stem) or len(name.stem) > MAX_SLUG:
        return f"{name.stem[:MAX_SLUG]!r}: must be lower-case words joined by hyphens; {EXPECTED}"
    return ""


def _faults(name: str, header: Header) -> Iterator[str]:
    if PurePosixPath(name).suffix != SUFFIXES[header.kind]:
        is_named = f"the file is a {NAMES[header.kind]} picture"
        yield f"{is_named}; expected a name that ends with {SUFFIXES[header.kind]}"
    if header.extras:
        yield (
            f"the file holds more than its picture: {', '.join(header.extras[:5])};"
            " write it again with manage.py clean_pictures, or upload it in the browser"
        )


def _too_many(
    entries: Sequence[Entry], pictures: Mapping[str, PictureSource]
) -> Iterator[ContentProblem]:
    if len(entries) > MAX_PICTURES:
        words = f"{len(entries)} pictures, at most {MAX_PICTURES} are allowed"
        yield ContentProblem(FOLDER, 1, words)
    size = sum(len(picture.data) for picture in pictures.values())
    if size > MAX_ALL_BYTES:
        words = f"{size} bytes of pictures, at most {MAX_ALL_BYTES} are allowed"
        yield ContentProblem(FOLDER, 1, words)


# ---- stored


def stored_pictures(course: Course) -> Mapping[str, Stored]:
    """Return the hashes of a course's pictures. One query."""
    rows = Picture.objects.filter(course=course).order_by("slug")
    return {
        slug: Stored(loaded, own, withdrawn is not None)
        for slug, loaded, own, withdrawn in rows.values_list(
            "slug", "loaded_hash", "sha256", "withdrawn_at"
        )
    }


def save_picture(course: Course, source: PictureSource) -> str:
    """Store a picture of a file. Return "created", "updated" or "unchanged"."""
    before = stored_pictures(course).get(source.slug)
    own = source.content_hash
    if before == Stored(own, own):
        return "unchanged"
    put_picture(course, source.slug, CleanPicture(source.header, source.data), loaded_hash=own)
    return "created" if before is None else "updated"


def put_picture(
    course: Course, slug: str, picture: CleanPicture, *, loaded_hash: str | None = None
) -> None:
    """Give learners a picture under a name, in place of what has the name.

    `loaded_hash`: of the file that it is loaded from; without one, the row keeps its own.
    """
    facts = {
        "kind": picture.header.kind,
        "data": picture.data,
        "sha256": picture.sha256,
        "size": len(picture.data),
        "width": picture.header.width,
        "height": picture.header.height,
        "withdrawn_at": None,
    }
    if loaded_hash is not None:
        facts["loaded_hash"] = loaded_hash
    Picture.objects.update_or_create(course=course, slug=slug, defaults=facts)
