"""SVG as text, with presentation attributes only: a strict content security policy passes it."""

import base64
from html import escape

Attributes = dict[str, float | str | None]

FONT = "DejaVu Sans, Verdana, Arial, sans-serif"


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


def text(words: str, x: float, y: float, **attributes: float | str | None) -> str:
    """Return words at a point, escaped."""
    return element("text", escape(words, quote=False), x=x, y=y, **attributes)


def data_url(png: bytes) -> str:
    """Return a PNG as a data: address."""
    return "data:image/png;base64," + base64.b64encode(png).decode("ascii")


def number(value: float) -> str:
    """Return a coordinate with at most two digits after the point: 12, 12.5, 12.35."""
    return f"{value:.2f}".rstrip("0").rstrip(".")


def signed(value: float) -> str:
    """Return a tick of a scale with a true minus sign: −1, 0, +1."""
    return ("+" if value > 0 else "−" if value < 0 else "") + f"{abs(value):g}"
