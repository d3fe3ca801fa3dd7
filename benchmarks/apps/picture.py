"""The figure that Streamlit and Panel draw: posenc's, by matplotlib, marked with its value.

The mark is a row of eleven squares in the upper left corner, the bits of d_model, so that the
browser can read which value a picture shows.
"""

import io

import numpy as np
from PIL import Image
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.figures.reference import draw
from posenc.registry import REGISTRY

BITS, SQUARE = 11, 8  # px of a square, in a PNG of two pixels for each px
FIRST, LAST, START = 2, 1024, 50


def marked_picture(d_model: int) -> bytes:
    """Return the heatmap of 20 positions as a PNG."""
    view = REGISTRY["sinusoidal"].views["heatmap"]
    png = draw(view.compute(Sinusoidal(d_model=d_model)), file="png")
    pixels = np.array(Image.open(io.BytesIO(png)).convert("RGB"))
    for bit in range(BITS):
        ink = 0 if d_model >> bit & 1 else 255
        pixels[:SQUARE, bit * SQUARE : (bit + 1) * SQUARE] = ink
    marked = io.BytesIO()
    Image.fromarray(pixels).save(marked, format="png", compress_level=1)
    return marked.getvalue()
