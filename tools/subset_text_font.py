"""Rebuild static/vendor/source-serif-*/: the text face, as two small WOFF2 files.

Usage: python tools/subset_text_font.py PACKAGE_FOLDER OUTPUT_FOLDER
PACKAGE_FOLDER is the unpacked npm package @fontsource-variable/source-serif-4 (SIL Open Font
Licence 1.1). The upright keeps the weights 400 to 650, the slanted only 400. Needs fonttools and
brotli, which the site itself does not. Update manifest.json with what is printed.

The font's copyright notice reserves the name "Source", and the licence forbids a modified font to
carry a reserved name. A subset is a modified font, so these files say that they are Ordinal Serif.
"""

import hashlib
import sys
from pathlib import Path

from fontTools import subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

NAME = "Ordinal Serif"
WEIGHTS: dict[str, float | tuple[float, float]] = {"normal": (400, 650), "italic": 400}
FEATURES = ["kern", "liga", "mark", "mkmk", "ccmp", "locl", "lnum", "tnum", "pnum"]
RANGES = (
    (0x20, 0x7E),  # Latin, figures, signs
    (0xA0, 0xFF),
    (0x152, 0x153),
    (0x2009, 0x2009),  # the thin space inside large numbers
    (0x2010, 0x2027),  # dashes, quotation marks, dots
    (0x202F, 0x202F),
    (0x2032, 0x2033),
    (0x2190, 0x2193),
    (0x2212, 0x2212),  # minus
    (0x2248, 0x2265),
)


def rename(font: TTFont, style: str) -> None:
    """Give the font our own name wherever it says its own, and leave its copyright notice."""
    shown = {"normal": "Regular", "italic": "Italic"}[style]
    compact = NAME.replace(" ", "")
    names = {1: NAME, 3: f"{compact}-{shown}", 4: f"{NAME} {shown}", 6: f"{compact}-{shown}"}
    for number, name in names.items():
        font["name"].setName(name, number, 3, 1, 0x409)


def build(package: Path, style: str, target: Path) -> None:
    """Write one style and print its size and hash."""
    options = subset.Options()
    options.flavor = "woff2"
    options.layout_features = FEATURES
    options.hinting = False
    options.name_IDs += [13, 14]  # the licence and its address
    source = package / "files" / f"source-serif-4-latin-wght-{style}.woff2"
    font = subset.load_font(str(source), options)
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=[code for low, high in RANGES for code in range(low, high + 1)])
    subsetter.subset(font)
    instancer.instantiateVariableFont(font, {"wght": WEIGHTS[style]}, inplace=True)
    rename(font, style)
    font["head"].modified = font["head"].created  # the same bytes every time
    subset.save_font(font, str(target), options)
    data = target.read_bytes()
    print(f"{target.name}: {len(data)} bytes, sha256 {hashlib.sha256(data).hexdigest()}")


def main(package: str, output: str) -> None:
    """Write both styles."""
    for style in WEIGHTS:
        build(Path(package), style, Path(output) / f"source-serif-{style}.woff2")


if __name__ == "__main__":
    main(*sys.argv[1:])
