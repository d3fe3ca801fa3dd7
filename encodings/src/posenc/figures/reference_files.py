"""A matplotlib figure as a file: no date, no random ids, no styles, so equal figures are equal."""

import io
import re
from typing import TYPE_CHECKING, Any, Literal

from posenc.figures.svg import attribute

if TYPE_CHECKING:
    from matplotlib.figure import Figure

File = Literal["svg", "png", "pdf"]

DPI = 100  # of the layout; a PNG has two pixels for each of its px, for sharp screens
SETTINGS: dict[Any, Any] = {
    "font.family": "DejaVu Sans",
    "svg.hashsalt": "posenc",
    "pdf.fonttype": 42,
}
DATELESS: dict[File, dict[str, Any]] = {
    "svg": {"Date": None, "Creator": "posenc"},
    "png": {"Software": "posenc"},
    "pdf": {"CreationDate": None, "Producer": "posenc", "Creator": "posenc"},
}


def save(figure: "Figure", file: File, alt: str) -> bytes:
    """Return the figure's file, with a description in words."""
    buffer = io.BytesIO()
    dpi = 2 * DPI if file == "png" else DPI
    metadata = {**DATELESS[file], **({"Description": alt} if file != "pdf" else {"Subject": alt})}
    figure.savefig(buffer, format=file, dpi=dpi, metadata=metadata)
    data = buffer.getvalue()
    return _without_styles(data.decode(), alt).encode() if file == "svg" else data


def _without_styles(svg: str, alt: str) -> str:
    """Return the SVG with presentation attributes for styles: a strict policy drops styles."""
    svg = re.sub(r"<style[^>]*>.*?</style>", "", svg, flags=re.DOTALL)
    svg = re.sub(r'(width|height)="([0-9.]+)pt"', _in_px, svg, count=2)
    svg = re.sub(r' style="([^"]*)"', _as_attributes, svg)
    names = attribute("role", "img") + attribute("aria-label", alt)
    joins = attribute("stroke-linejoin", "round") + attribute("stroke-linecap", "butt")
    return svg.replace("<svg ", f"<svg{names}{joins} ", 1)


def _as_attributes(style: re.Match[str]) -> str:
    pairs = dict(one.split(":", 1) for one in style[1].split(";") if ":" in one)
    return "".join(attribute(name.strip(), value.strip()) for name, value in pairs.items())


def _in_px(size: re.Match[str]) -> str:
    return attribute(size[1], f"{float(size[2]) * DPI / 72:g}").strip()
