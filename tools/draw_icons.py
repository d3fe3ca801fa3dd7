"""Redraw static/icons/*.png from the mark and from the engine: favicons and the social card.

Usage: python tools/draw_icons.py   (needs Chromium and requirements-dev.txt, as the tests do)
The results are in the tree; run it again when the mark, the colours or the words change.
"""

import base64
import io
from pathlib import Path

import posenc.catalog  # noqa: F401 -- fills the registry
from PIL import Image
from playwright.sync_api import Page, sync_playwright
from posenc.figures.live import scene_of
from posenc.figures.scene import Cells
from posenc.figures.svg import png_of
from posenc.query import read_query
from posenc.registry import REGISTRY

ROOT = Path(__file__).resolve().parents[1]
ICONS = ROOT / "static" / "icons"
FONT = ROOT / "static" / "vendor" / "source-serif-4.004" / "source-serif-normal.woff2"
CARD = (1200, 630)  # px, what sites that show links ask for
COLOURS = 128  # of the card's palette: a third of the bytes, no difference to see


def data_url(kind: str, data: bytes) -> str:
    return f"data:{kind};base64,{base64.b64encode(data).decode('ascii')}"


def icon_page(size: int) -> str:
    mark = data_url("image/svg+xml", (ICONS / "mark.svg").read_bytes())
    return f'<body style="margin:0"><img src="{mark}" width="{size}" height="{size}">'


def heatmap() -> str:
    """Return 20 positions x 50 dimensions, the figure of the start page, as an image address."""
    entry = REGISTRY["sinusoidal"]
    selection = read_query(entry, entry.views["heatmap"], {"d_model": "50"})
    parts = scene_of(selection.compute(), 720).parts
    cells = next(part for part in parts if isinstance(part, Cells))
    return data_url("image/png", png_of(cells, "light"))


def card_page() -> str:
    mark = data_url("image/svg+xml", (ICONS / "mark.svg").read_bytes())
    font = data_url("font/woff2", FONT.read_bytes())
    return f"""<!doctype html><style>
      @font-face {{ font-family: S; src: url({font}); font-weight: 400 650 }}
      body {{ margin: 0; width: 1200px; height: 630px; background: #fbfaf7; color: #1c1d21;
              font: 600 64px/1.1 S; display: flex; flex-direction: column }}
      header {{ padding: 56px 64px 0 }} b {{ font-weight: 600; font-size: 52px }}
      header img {{ width: 56px; vertical-align: -10px; margin-right: 20px }}
      p {{ margin: 26px 0 44px; letter-spacing: -0.015em }}
      .map {{ flex: 1; image-rendering: pixelated; width: 1200px; min-height: 0; object-fit: fill }}
    </style><header><img src="{mark}"><b>Ordinal</b>
    <p>How does a transformer know word order?</p></header>
    <img class="map" src="{heatmap()}">"""


def draw(page: Page, html: str, size: tuple[int, int], target: Path, *, palette: bool) -> None:
    """Write one picture, transparent where the page is, and say how large it is."""
    page.set_viewport_size({"width": size[0], "height": size[1]})
    page.set_content(html)
    page.wait_for_function("() => document.fonts.status === 'loaded'")
    picture: Image.Image = Image.open(io.BytesIO(page.screenshot(omit_background=True)))
    if palette:
        picture = picture.convert("RGB").quantize(COLOURS, dither=Image.Dither.NONE)
    picture.save(target, optimize=True)
    print(f"{target.relative_to(ROOT)}: {target.stat().st_size} bytes")


def main() -> None:
    """Draw them all."""
    with sync_playwright() as playwright:
        flags = ["--no-sandbox", "--disable-gpu"]
        browser = playwright.chromium.launch(executable_path="/usr/bin/chromium", args=flags)
        page = browser.new_page()
        for size in (32, 180):
            target = ICONS / f"icon-{size}.png"
            draw(page, icon_page(size), (size, size), target, palette=False)
        draw(page, card_page(), CARD, ICONS / "social-card.png", palette=True)
        browser.close()


if __name__ == "__main__":
    main()
