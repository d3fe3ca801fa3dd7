"""Write static/figures/{facts,curve-facts}.js and palettes/*.js: what Python and the page share.

Usage: python tools/figure_facts.py
tests/posenc/in_page/test_scenes.py holds that they are current.
"""

import base64
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import posenc.catalog  # noqa: F401 -- fills the registry
from posenc import column_kinds
from posenc.figures import axes, circles, curves, heatmap, keys, layout, marks, picture, scene
from posenc.figures.palettes import COLOURS, PALETTES, Scheme
from posenc.registry import REGISTRY
from posenc.views import ColourScale

FOLDER = Path(__file__).resolve().parents[1] / "static" / "figures"
HEAD = "// Made by tools/figure_facts.py from the constants of posenc.figures: change them there.\n"


def facts() -> dict[str, Any]:
    """Return the constants that every picture needs, or a heatmap, and the colours."""
    names = {
        axes: "DIGIT LETTER TICK MINOR_TICK TICK_LABEL_BELOW NAME_BELOW",
        column_kinds: "NARROWEST_IN_TURN",
        heatmap: "SMALLEST_FREE_CELL NARROW TALLEST BELOW BAR_TICKS KEYS_LEFT",
        keys: "LETTER SYMBOL LINE CLOSEST_NUMBERS",
        marks: "ZONES_ABOVE SHADE",
        picture: "TOP RIGHT LOWEST_PLOT TALLEST_PLOT FLATNESS",
        scene: "FONT TICK_SIZE LABEL_SIZE",
    }
    return _by_module(names) | {"colours": COLOURS}


def curve_facts() -> dict[str, Any]:
    """Return the constants of curves, panels and circles, which a page with heatmaps can spare."""
    return _by_module(
        {
            circles: "NARROWEST_CIRCLE NAME_ABOVE FAINTEST OF_TWO",
            curves: "BELOW LEGEND_LINE SAMPLE DASHES MARKS CLOSEST_MARKS MANY_POINTS",
            layout: "NARROWEST_PANEL NARROWEST_SMALL TALLEST TITLE_ABOVE TICKS_BELOW NAME_BELOW",
        }
    )


def _by_module(names: dict[ModuleType, str]) -> dict[str, Any]:
    return {
        module.__name__.rpartition(".")[2]: {name: getattr(module, name) for name in listed.split()}
        for module, listed in names.items()
    }


def palettes_of_page() -> dict[ColourScale, dict[Scheme, str]]:
    """Return the colours of cells by scale and scheme: base64 of 256 x (red, green, blue).

    Those that no view of the page uses are left out.
    """
    views = [view for entry in REGISTRY.values() for view in entry.views.values()]
    needed = {view.scale for view in views if view.in_page and view.kind == "heatmap"}
    return {
        scale: {scheme: base64.b64encode(colours).decode() for scheme, (_, colours) in one.items()}
        for scale, one in PALETTES.items()
        if scale in needed
    }


def _written(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, indent=1)


def texts() -> dict[Path, str]:
    """Return the whole modules by their files."""
    found: dict[Path, Any] = {
        FOLDER / "facts.js": facts(),
        FOLDER / "curve-facts.js": curve_facts(),
    }
    for scale, palettes in palettes_of_page().items():
        found[FOLDER / "palettes" / f"{scale}.js"] = palettes
    return {file: f"{HEAD}export default {_written(one)};\n" for file, one in found.items()}


if __name__ == "__main__":
    for file, text in texts().items():
        file.write_text(text)
