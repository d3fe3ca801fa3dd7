"""Pictures as bytes, made by Pillow."""

import io
from typing import Any

from PIL import Image

GPS, ORIENTATION, ARTIST = 0x8825, 0x0112, 0x013B


def encoded(image: Image.Image, kind: str = "PNG", **options: Any) -> bytes:
    """Return an image as a file."""
    file = io.BytesIO()
    image.save(file, kind, **options)
    return file.getvalue()


def picture(kind: str = "PNG", size: tuple[int, int] = (30, 20), **options: Any) -> bytes:
    """Return a picture without metadata, except what `options` put into it."""
    return encoded(Image.new("RGB", size, (200, 30, 30)), kind, **options)


def photo(kind: str = "JPEG") -> bytes:
    """Return a picture as a phone writes it: turned, with its place and its owner."""
    exif = Image.Exif()
    exif[ORIENTATION], exif[ARTIST] = 6, "Erika Mustermann"
    exif[GPS] = {1: "N", 2: (48.0, 8.0, 14.0), 3: "E", 4: (11.0, 34.0, 31.0)}
    return picture(kind, exif=exif)


def noise(side: int) -> bytes:
    """Return a PNG that cannot be packed, of some `3 side side` bytes."""
    return encoded(Image.effect_noise((side, side), 80).convert("RGB"), compress_level=0)
