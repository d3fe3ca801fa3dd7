"""A scene as SVG text, with presentation attributes only: a strict content security policy passes
it.
"""

import base64
from html import escape

from posenc.figures.palettes import COLOURS, INKS, PALETTES, Scheme
from posenc.figures.png import palette_png
from posenc.figures.scene import FONT, TICK_SIZE, Cells, Part, Scene, number

COLOURED = ("fill", "stroke")


def write(scene: Scene, *, scheme: Scheme, alt: str) -> str:
    """Return a scene as a whole SVG document, with its name for readers who do not see it."""
    return document(scene.parts, scene.width, scene.height, scheme=scheme, alt=alt)


def document(parts: tuple[Part, ...], width: int, height: int, *, scheme: Scheme, alt: str) -> str:
    """Return parts as a whole SVG document."""
    return element(
        "svg",
        *(written(part, scheme) for part in parts),
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {width} {height}",
        width=width,
        height=height,
        role="img",
        aria_label=alt,
        font_family=FONT,
        font_size=TICK_SIZE,
    )


def element(name: str, *children: str, **attributes: float | str | None) -> str:
    """Return one element; `stroke_width` becomes stroke-width, None leaves an attribute out."""
    written = "".join(
        attribute(key.replace("_", "-"), value if isinstance(value, str) else number(value))
        for key, value in attributes.items()
        if value is not None
    )
    inside = "".join(children)
    return f"<{name}{written}>{inside}</{name}>" if inside else f"<{name}{written}/>"


def attribute(name: str, value: str) -> str:
    """Return ` name="value"`, escaped."""
    return f' {name}="{escape(value)}"'


def written(part: Part, scheme: Scheme) -> str:
    if isinstance(part, Cells):
        return _cells(part, scheme)
    colours = COLOURS[scheme]
    attributes = {
        key: colours[str(value)] if key in COLOURED else value
        for key, value in part.attributes.items()
    }
    return element(part.kind, escape(part.words, quote=False), **attributes)


def png_of(cells: Cells, scheme: Scheme) -> bytes:
    """Return the cells alone as a PNG, one pixel for each."""
    if cells.palette == "cover":
        colour = bytes.fromhex(INKS[scheme].masked[1:])
        return palette_png(cells.indices, 2 * colour, opacities=bytes((0, 255)))
    return palette_png(cells.indices, PALETTES[cells.palette][scheme][1])


def _cells(cells: Cells, scheme: Scheme) -> str:
    """Return a PNG stretched over the box, its pixels kept square-edged."""
    png = png_of(cells, scheme)
    box = cells.box
    at = {"x": box.x, "y": box.y, "width": box.width, "height": box.height}
    how = {"preserveAspectRatio": "none", "image_rendering": "pixelated"}
    return element("image", href=_data_url(png), **how, **at)


def _data_url(png: bytes) -> str:
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")
