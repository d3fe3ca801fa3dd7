"""Write static/figures/facts.js: the constants of the layout that Python and the page share.

Usage: python tools/figure_facts.py
tests/posenc/figures/test_facts.py holds that the file is current.
"""

import base64
import json
from pathlib import Path
from typing import Any

from posenc import column_kinds
from posenc.figures import axes, circles, curves, heatmap, keys, layout, marks, picture, scene
from posenc.figures.palettes import COLOURS, PALETTES

FILE = Path(__file__).resolve().parents[1] / "static" / "figures" / "facts.js"
HEAD = "// Made by tools/figure_facts.py from the constants of posenc.figures: change them there.\n"


def facts() -> dict[str, Any]:
    """Return the constants by module, as JSON has them."""
    names = {
        axes: "DIGIT LETTER TICK MINOR_TICK TICK_LABEL_BELOW NAME_BELOW",
        circles: "NARROWEST_CIRCLE NAME_ABOVE FAINTEST",
        column_kinds: "NARROWEST_IN_TURN",
        curves: "BELOW LEGEND_LINE SAMPLE DASHES MARKS CLOSEST_MARKS MANY_POINTS",
        heatmap: "SMALLEST_FREE_CELL NARROW TALLEST BELOW BAR_TICKS KEYS_LEFT",
        keys: "LETTER SYMBOL LINE CLOSEST_NUMBERS",
        layout: "NARROWEST_PANEL NARROWEST_SMALL TALLEST TITLE_ABOVE TICKS_BELOW NAME_BELOW",
        marks: "ZONES_ABOVE SHADES",
        picture: "TOP RIGHT LOWEST_PLOT TALLEST_PLOT FLATNESS",
        scene: "FONT TICK_SIZE LABEL_SIZE",
    }
    found: dict[str, Any] = {
        module.__name__.rpartition(".")[2]: {name: getattr(module, name) for name in listed.split()}
        for module, listed in names.items()
    }
    colours = {
        name: base64.b64encode(palette).decode()
        for schemes in PALETTES.values()
        for name, palette in schemes.values()
    }
    scales = {
        scale: {scheme: name for scheme, (name, _) in schemes.items()}
        for scale, schemes in PALETTES.items()
    }
    return found | {"colours": COLOURS, "palettes": colours, "scales": scales}


def text() -> str:
    """Return the whole module."""
    written = json.dumps(facts(), indent=1, ensure_ascii=False)
    return f"{HEAD}export default {written};\n"


if __name__ == "__main__":
    FILE.write_text(text())
