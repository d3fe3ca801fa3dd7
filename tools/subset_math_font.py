"""Rebuild static/vendor/stix-two-math-*/: the part of STIX Two Math that formulas use, as WOFF2.

Usage: python tools/subset_math_font.py SOURCE.woff2 OUTPUT.woff2 RADICAL.woff2
The source is stix-two-math-latin-400-normal.woff2 of the npm package @fontsource/stix-two-math
(SIL Open Font Licence 1.1). Needs fonttools and brotli, which the site itself does not. It
prints what goes into manifest.json.

RADICAL.woff2 is made from OUTPUT.woff2 and holds the root sign in its smallest form alone. Chromium
keeps room beside a root for the widest form that its font has, whichever it draws.
"""

import hashlib
import sys
from pathlib import Path

from fontTools import subset

RANGES = (
    (0x20, 0x7E),  # Latin, figures, signs
    (0xA0, 0xFF),
    (0x300, 0x33F),  # accents
    (0x391, 0x3C9),  # Greek
    (0x3D5, 0x3F5),
    (0x2009, 0x2009),
    (0x2010, 0x2027),  # dashes, dots
    (0x2032, 0x2037),  # primes
    (0x2061, 0x2064),  # invisible operators
    (0x20D7, 0x20D7),
    (0x2100, 0x214F),  # letter-like symbols: R, Z, L of formulas
    (0x2190, 0x21D5),  # arrows
    (0x2200, 0x22FF),  # operators
    (0x2308, 0x230B),
    (0x23B0, 0x23B1),
    (0x23DC, 0x23E1),  # braces over and under
    (0x27E8, 0x27EB),
    (0x27F5, 0x27FA),
    (0x2A7D, 0x2A7E),
    (0x1D400, 0x1D4CF),  # bold, italic, script alphabets
    (0x1D538, 0x1D56B),  # double-struck
    (0x1D6A4, 0x1D755),  # bold and italic Greek
    (0xFE00, 0xFE01),
)
RADICAL = ((0x20, 0x20), (0x221A, 0x221A))
Ranges = tuple[tuple[int, int], ...]


def write(source: str, target: str, ranges: Ranges, *, larger_forms: bool) -> None:
    """Write the characters of `ranges` as WOFF2, and print its size and hash."""
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = ["*"]
    options.hinting = False
    options.name_IDs = ["*"]
    font = subset.load_font(source, options)
    if not larger_forms:
        font["MATH"].table.MathVariants = None
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for low, high in ranges for code in range(low, high + 1)])
    subsetter.subset(font)
    subset.save_font(font, target, options)
    data = Path(target).read_bytes()
    print(f"{target}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def main(source: str, target: str, radical: str) -> None:
    write(source, target, RANGES, larger_forms=True)
    write(target, radical, RADICAL, larger_forms=False)


if __name__ == "__main__":
    main(*sys.argv[1:])
