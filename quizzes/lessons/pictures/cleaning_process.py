"""A program: decode one picture and write it again without metadata, in bounds of its own.

It is started by `cleaning.py` with the kind of the picture, its largest number of pixels, and
`check` or `clean`; the picture comes on standard input, what was written goes to standard output.
It imports nothing of the site. A fault of the picture ends it with REFUSED.
"""

from __future__ import annotations

import io
import resource
import sys
from contextlib import suppress
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PIL import Image

MEMORY = 512 * 1024 * 1024
SECONDS = 5  # of processor time
REFUSED = 3
KEPT_MODES = {
    "png": {"1", "L", "LA", "P", "RGB", "RGBA", "I;16"},
    "jpeg": {"L", "RGB"},
    "webp": {"RGB", "RGBA"},
}


def main(kind: str, pixels: str, act: str) -> int:
    """Answer the status of the program."""
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CPU, (SECONDS, SECONDS))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    data = sys.stdin.buffer.read()
    from PIL import Image

    Image.MAX_IMAGE_PIXELS = int(pixels)  # twice as many are an error there
    try:
        with Image.open(io.BytesIO(data), formats=[kind.upper()]) as image:
            image.load()
            written = _written(image, data, kind) if act == "clean" else b""
    except Exception:  # Pillow raises what its readers raise
        return REFUSED
    sys.stdout.buffer.write(written)
    return 0


def _written(image: Image.Image, data: bytes, kind: str) -> bytes:
    """Return the picture upright, in the colours of screens, without anything beside it."""
    from PIL import ImageOps

    profile = image.info.get("icc_profile")
    plain = ImageOps.exif_transpose(image)
    if profile and plain.mode in {"RGB", "CMYK"}:
        plain = _in_srgb(plain, profile)
    if plain.mode not in KEPT_MODES[kind]:
        has_alpha = "A" in plain.mode or "transparency" in plain.info
        plain = plain.convert("RGBA" if has_alpha and kind != "jpeg" else "RGB")
    transparency = plain.info.get("transparency")
    plain.info = {"transparency": transparency} if transparency is not None else {}
    options: dict[str, dict[str, Any]] = {
        "png": {"optimize": True},
        "jpeg": {"quality": 90, "optimize": True},
        "webp": {"lossless": b"VP8L" in data, "quality": 90},
    }
    file = io.BytesIO()
    plain.save(file, kind.upper(), **options[kind])
    return file.getvalue()


def _in_srgb(image: Image.Image, profile: bytes) -> Image.Image:
    from PIL import ImageCms

    with suppress(ImageCms.PyCMSError, OSError, ValueError):  # else the profile is nobody's loss
        own = ImageCms.ImageCmsProfile(io.BytesIO(profile))
        srgb = ImageCms.createProfile("sRGB")
        return ImageCms.profileToProfile(image, own, srgb, outputMode="RGB") or image
    return image


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
