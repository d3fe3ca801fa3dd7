"""A palette PNG by hand: one byte a cell, 256 colours, nothing else in the file.

Source: W3C, Portable Network Graphics (Second Edition), sections 5 and 11.2.
"""

import struct
import zlib

import numpy as np
import numpy.typing as npt

SIGNATURE = b"\x89PNG\r\n\x1a\n"


def palette_png(
    indices: npt.NDArray[np.uint8], palette: bytes, opacities: bytes | None = None
) -> bytes:
    """Return the PNG of indices (rows, columns) into `palette`, up to 256 x (red, green, blue).

    `opacities` has a byte for each colour, 0 for a transparent colour.
    """
    rows, columns = indices.shape
    header = struct.pack(">IIBBBBB", columns, rows, 8, 3, 0, 0, 0)  # 8 bits, indexed
    scanlines = np.zeros((rows, columns + 1), dtype=np.uint8)  # byte 0 of a line: no filter
    scanlines[:, 1:] = indices
    pixels = zlib.compress(scanlines.tobytes(), level=1)  # level 6: half the size, 5x the time
    seen = ((b"tRNS", opacities),) if opacities else ()
    colours = ((b"IHDR", header), (b"PLTE", palette), *seen)
    chunks = (*colours, (b"IDAT", pixels), (b"IEND", b""))
    return SIGNATURE + b"".join(_chunk(kind, data) for kind, data in chunks)


def _chunk(kind: bytes, data: bytes) -> bytes:
    check = zlib.crc32(kind + data)
    return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", check)
