"""What a PNG, JPEG or WebP file is, read from its own structure: nothing is decoded here.

So a file whose header promises 30 000 x 30 000 pixels costs as much as its bytes. Each format is a
row of parts with lengths; all are walked to the end. What is no part of the picture, such as Exif
with the place where it was taken, is named in `extras`, and a file without any is clean.
"""

import re
import struct
import zlib
from collections.abc import Iterator
from dataclasses import dataclass

MAX_BYTES = 1024 * 1024
MAX_PIXELS = 2048 * 2048
MAX_SIDE = 8192
MAX_SCANS = 100  # of a progressive JPEG, each of which a browser draws; programs write about ten
SUFFIXES = {"png": ".png", "jpeg": ".jpg", "webp": ".webp"}
NAMES = {"png": "PNG", "jpeg": "JPEG", "webp": "WebP"}
CUT_OFF = "the picture is cut off: its file ends before the picture does"
NO_SVG = "SVG pictures are refused, since they can hold scripts; expected PNG, JPEG or WebP"

_PNG, _JPEG = b"\x89PNG\r\n\x1a\n", b"\xff\xd8\xff"
# The picture itself, and facts of a fixed length about its colours and its pixels.
_PNG_PARTS = {b"IHDR", b"PLTE", b"IDAT", b"IEND", b"tRNS", b"sRGB", b"gAMA", b"cHRM", b"pHYs"}
_PNG_LENGTHS = {b"sRGB": 1, b"gAMA": 4, b"cHRM": 32, b"pHYs": 9}
_PNG_FRAMES = {b"acTL", b"fcTL", b"fdAT"}
_SCAN, _END = 0xDA, 0xD9
_JPEG_PARTS = {0xC4, 0xDB, 0xDD}  # tables, and how often a decoder can begin again
_JPEG_FRAMES = {0xC0, 0xC1, 0xC2}  # that browsers draw
_OTHER_FRAMES = {0xC3, *range(0xC5, 0xD0)} - {0xC8, 0xCC}
_JPEG_TEXTS = ((b"Exif\0", "Exif"), (b"http://ns.adobe.com/", "XMP"), (b"ICC_PROFILE", "ICC"))
_NEXT_MARKER = re.compile(rb"\xff+[^\x00\xd0-\xd7\xff]")
_WEBP_EXTRAS = {b"EXIF": "Exif", b"XMP ": "XMP", b"ICCP": "ICC"}


class PictureError(Exception):
    """A picture that is refused; the text says what it is and what was expected."""


@dataclass(frozen=True)
class Header:
    """What a file says of itself. `kind`: "png", "jpeg" or "webp"; its size in pixels."""

    kind: str
    width: int
    height: int
    extras: tuple[str, ...] = ()  # what it holds beside the picture: "Exif", "tEXt"


def read_header(data: bytes) -> Header:
    """Return what a picture is, within the limits of a course. Raises PictureError."""
    if not data:
        raise PictureError("the file is empty; expected a PNG, JPEG or WebP picture")
    if len(data) > MAX_BYTES:
        raise PictureError(f"{len(data)} bytes, at most {MAX_BYTES} are allowed")
    try:
        header = _read(data)
    except (struct.error, IndexError) as error:
        raise PictureError(CUT_OFF) from error
    width, height = header.width, header.height
    if not (width and height):
        raise PictureError(f"{width} x {height} pixels: expected at least one")
    if width * height > MAX_PIXELS or max(width, height) > MAX_SIDE:
        raise PictureError(
            f"{width} x {height} pixels; at most {MAX_PIXELS} are allowed (2048 x 2048), and"
            f" {MAX_SIDE} to a side"
        )
    return header


def _read(data: bytes) -> Header:
    if data.startswith(_PNG):
        return _png(data)
    if data.startswith(_JPEG):
        return _jpeg(data)
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return _webp(data)
    start = data[:1024].lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if start.startswith((b"<?xml", b"<svg", b"<!doctype svg")):
        raise PictureError(NO_SVG)
    raise PictureError("this is no picture of a kind that is taken; expected PNG, JPEG or WebP")


def _png(data: bytes) -> Header:
    width = height = 0
    extras: dict[str, None] = {}
    for place, (name, begin, end) in enumerate(_png_chunks(data)):
        if place == 0:
            if name != b"IHDR" or end - begin != 13:
                raise PictureError("the PNG does not begin with its size; it is damaged")
            width, height = struct.unpack(">II", data[begin : begin + 8])
        elif name == b"IHDR":
            raise PictureError("the PNG says its size twice; it is damaged")
        if name in _PNG_FRAMES:
            raise PictureError("the PNG is animated; expected one picture")
        if name not in _PNG_PARTS or _PNG_LENGTHS.get(name, end - begin) != end - begin:
            extras[name.decode("ascii", "replace")] = None
        if name == b"IEND":
            if end + 4 < len(data) or begin != end:
                extras["bytes after its end"] = None
            return Header("png", width, height, tuple(extras))
    raise PictureError(CUT_OFF)


def _png_chunks(data: bytes) -> Iterator[tuple[bytes, int, int]]:
    """Yield the name of each chunk and where its content begins and ends."""
    at = len(_PNG)
    while at < len(data):
        length, name = struct.unpack(">I4s", data[at : at + 8])
        begin, end = at + 8, at + 8 + length
        (expected,) = struct.unpack(">I", data[end : end + 4])
        if zlib.crc32(data[at + 4 : end]) != expected:
            raise PictureError("the PNG is damaged: a checksum in it is wrong")
        yield name, begin, end
        at = end + 4


def _jpeg(data: bytes) -> Header:
    size, extras, scans = (0, 0), dict[str, None](), 0
    for marker, content in _jpeg_parts(data):
        if marker in _JPEG_FRAMES:
            if size != (0, 0):
                raise PictureError("the JPEG says its size twice; it is damaged")
            height, width = struct.unpack(">HH", content[1:5])
            size = (width, height)
        elif marker in _OTHER_FRAMES:
            raise PictureError("this kind of JPEG is not drawn by browsers; save it as usual")
        elif marker == _SCAN:
            scans += 1
        elif marker == _END and content:
            extras["bytes after its end"] = None
        elif marker != _END and (extra := _jpeg_extra(marker, content)):
            extras[extra] = None
    if not scans or scans > MAX_SCANS:
        raise PictureError(f"the JPEG has {scans} scans; expected 1 to {MAX_SCANS}")
    return Header("jpeg", *size, tuple(extras))


def _jpeg_parts(data: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the number of each part with its content; the end has what stands behind it."""
    at = 2
    while True:
        if data[at] != 0xFF:
            raise PictureError("the JPEG is damaged: its parts do not follow each other")
        while data[at] == 0xFF:
            at += 1
        marker = data[at]
        if marker == _END:
            yield _END, data[at + 1 :]
            return
        (length,) = struct.unpack(">H", data[at + 1 : at + 3])
        content, at = data[at + 3 : at + 1 + length], at + 1 + length
        if length < 2 or at > len(data):
            raise IndexError
        yield marker, content
        if marker == _SCAN:
            following = _NEXT_MARKER.search(data, at)
            if following is None:
                raise IndexError
            at = following.start()


def _jpeg_extra(marker: int, content: bytes) -> str:
    """Return the name of a part that is not the picture, "" for one that is."""
    is_jfif = marker == 0xE0 and content.startswith(b"JFIF\0") and len(content) == 14
    is_adobe = marker == 0xEE and content.startswith(b"Adobe") and len(content) == 12
    if marker in _JPEG_PARTS or is_jfif or is_adobe:
        return ""
    if marker == 0xFE:
        return "a comment"
    named = (name for start, name in _JPEG_TEXTS if content.startswith(start))
    return next(named, f"APP{marker - 0xE0}" if 0xE0 <= marker < 0xF0 else f"part {marker:#x}")


def _webp(data: bytes) -> Header:
    (length,) = struct.unpack("<I", data[4:8])
    if length + 8 > len(data):
        raise IndexError
    extras = {"bytes after its end": None} if length + 8 < len(data) else dict[str, None]()
    canvas = size = (0, 0)
    for name, content in _webp_chunks(data[: length + 8]):
        if name in {b"ANIM", b"ANMF"} or (name == b"VP8X" and content[0] & 0x02):
            raise PictureError("the WebP is animated; expected one picture")
        if name == b"VP8X":
            canvas = (_int24(content, 4) + 1, _int24(content, 7) + 1)
        elif name in {b"VP8 ", b"VP8L"}:
            if size != (0, 0):
                raise PictureError("the WebP says its size twice; it is damaged")
            size = _lossy_size(content) if name == b"VP8 " else _lossless_size(content)
        elif name != b"ALPH":
            extras[_WEBP_EXTRAS.get(name, name.decode("ascii", "replace"))] = None
    if size == (0, 0) or canvas not in {(0, 0), size}:
        raise PictureError("the WebP is damaged: it does not say one size")
    return Header("webp", *size, tuple(extras))


def _webp_chunks(data: bytes) -> Iterator[tuple[bytes, bytes]]:
    at = 12
    while at < len(data):
        name, length = struct.unpack("<4sI", data[at : at + 8])
        if at + 8 + length > len(data):
            raise IndexError
        yield name, data[at + 8 : at + 8 + length]
        at += 8 + length + length % 2


def _lossy_size(content: bytes) -> tuple[int, int]:
    if content[3:6] != b"\x9d\x01\x2a":
        raise PictureError("the WebP is damaged: its picture does not begin as one")
    width, height = struct.unpack("<HH", content[6:10])
    return width & 0x3FFF, height & 0x3FFF


def _lossless_size(content: bytes) -> tuple[int, int]:
    if content[0] != 0x2F:
        raise PictureError("the WebP is damaged: its picture does not begin as one")
    (bits,) = struct.unpack("<I", content[1:5])
    return (bits & 0x3FFF) + 1, (bits >> 14 & 0x3FFF) + 1


def _int24(content: bytes, at: int) -> int:
    if len(content) < at + 3:
        raise IndexError
    return int.from_bytes(content[at : at + 3], "little")
