"""Put pictures of all kinds of pages on sheets to look at: `take_contact_sheets.py SITE VAR OUT`.

SITE is the address of a running site with a worker, such as http://127.0.0.1:8000, VAR its folder
with demo-logins.json. It needs a class with work: `manage.py demo_class`. Every kind of page
(tests/site/page_kinds.py) but those of superusers and of a second factor, which no demo login has,
is taken at 390, 1280 and 1920 px, in the light and in the dark; the eight busiest also at 320, 768
and 1024 px, in forced colours, on paper, at 400 % and without JavaScript. Look at every sheet.
`--only WORD` takes some of them.
"""

import argparse
import io
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from find_chromium import find_chromium
from PIL import Image, ImageDraw
from playwright.sync_api import Browser, Error, sync_playwright

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from tests.site.page_kinds import KINDS, OPERATOR, PROTECTED, Kind  # noqa: E402
from tests.site.prepared_readers import Prepared, open_kind, prepare  # noqa: E402

LABEL, GAP, PAPER = 18, 8, "#888888"
WIDEST = 1560
WITH_LOGINS = [kind for kind in KINDS if kind.reader not in {OPERATOR, PROTECTED}]


@dataclass(frozen=True)
class Way:
    """A way to look at a page: a name, the window, options of the browser's context, paper."""

    name: str
    width: int
    height: int
    tile: int  # px, the width of a picture on the sheet
    options: dict[str, Any]
    only_busy: bool = False
    on_paper: bool = False


WAYS = (
    Way("1280-light", 1280, 800, 510, {"color_scheme": "light"}),
    Way("1280-dark", 1280, 800, 510, {"color_scheme": "dark"}),
    Way("1920-light", 1920, 1080, 510, {"color_scheme": "light"}),
    Way("1920-dark", 1920, 1080, 510, {"color_scheme": "dark"}),
    Way("390-light", 390, 1100, 250, {"color_scheme": "light", "has_touch": True}),
    Way("390-dark", 390, 1100, 250, {"color_scheme": "dark", "has_touch": True}),
    Way("320", 320, 1000, 250, {}, only_busy=True),
    Way("768", 768, 1000, 380, {}, only_busy=True),
    Way("1024", 1024, 1000, 380, {}, only_busy=True),
    Way("forced-colours", 1024, 1000, 380, {"forced_colors": "active"}, only_busy=True),
    Way("paper", 794, 1123, 380, {}, only_busy=True, on_paper=True),
    Way("400-percent", 320, 256, 380, {"device_scale_factor": 2}, only_busy=True),
    Way("no-javascript", 1024, 1000, 380, {"java_script_enabled": False}, only_busy=True),
)


def take_pictures(browser: Browser, site: str, ready: Prepared, way: Way) -> Iterator[Image.Image]:
    """Yield a labelled picture of each kind of page, as it looks in one way."""
    for kind in WITH_LOGINS:
        if way.only_busy and not kind.busy:
            continue
        window = {"width": way.width, "height": way.height}
        context = browser.new_context(
            viewport=window,  # type: ignore[arg-type]
            storage_state=ready.states[kind.reader],
            reduced_motion="reduce",
            **way.options,
        )
        page = context.new_page()
        problem = ""
        try:
            open_kind(page, site, _without_act(kind, way), ready)
        except (Error, AssertionError) as error:
            problem = f" ! {str(error).splitlines()[0][:60]}"
        if way.on_paper:
            page.emulate_media(media="print")
            page.evaluate("dispatchEvent(new Event('beforeprint'))")
        yield _labelled(page.screenshot(), f"{kind.name}{problem}", way.tile)
        context.close()


def _without_act(kind: Kind, way: Way) -> Kind:
    """Return the kind; without a script, one on which nothing is done."""
    if way.options.get("java_script_enabled", True):
        return kind
    return replace(kind, act=None)


def _labelled(png: bytes, name: str, width: int) -> Image.Image:
    picture = Image.open(io.BytesIO(png)).convert("RGB")
    small = picture.resize(
        (width, picture.height * width // picture.width), Image.Resampling.LANCZOS
    )
    tile = Image.new("RGB", (width, small.height + LABEL), "white")
    ImageDraw.Draw(tile).text((4, 3), name, fill="black")
    tile.paste(small, (0, LABEL))
    return tile


def lay_out(tiles: Sequence[Image.Image]) -> Image.Image:
    """Return a sheet with the pictures side by side, as many in a row as fit."""
    columns = max(WIDEST // (tiles[0].width + GAP), 1)
    rows = [list(row) for row in _in_parts(tiles, columns)]
    heights = [max(one.height for one in row) + GAP for row in rows]
    sheet = Image.new("RGB", (columns * (tiles[0].width + GAP), sum(heights)), PAPER)
    for place, row in enumerate(rows):
        for column, tile in enumerate(row):
            sheet.paste(tile, (column * (tile.width + GAP), sum(heights[:place])))
    return sheet


def _in_parts(tiles: Sequence[Image.Image], most: int) -> list[Sequence[Image.Image]]:
    return [tiles[start : start + most] for start in range(0, len(tiles), most)]


def write_sheets(tiles: Sequence[Image.Image], way: Way, folder: Path) -> None:
    """Write sheets of two to four rows, each small enough to be read as one picture."""
    rows = 2 if tiles[0].height > 500 else 4 if tiles[0].height < 350 else 3
    most = rows * (WIDEST // (way.tile + GAP))
    for number, part in enumerate(_in_parts(tiles, most), start=1):
        file = folder / f"{way.name}-{number}.png"
        lay_out(part).save(file)
        print(file, flush=True)


def main(site: str, var: Path, folder: Path, only: str) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    passwords = json.loads((var / "demo-logins.json").read_text())
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=["--no-sandbox", "--disable-gpu"]
        )
        ready = prepare(browser, site, lambda role: (role, str(passwords[role])), WITH_LOGINS)
        for way in WAYS:
            if only in way.name:
                write_sheets(list(take_pictures(browser, site, ready, way)), way, folder)
        browser.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("site", help="such as http://127.0.0.1:8000")
    parser.add_argument("var", type=Path, help="the site's folder var/")
    parser.add_argument("out", type=Path, help="the folder for the sheets")
    parser.add_argument("--only", default="", help="take only ways whose name contains this")
    given = parser.parse_args()
    main(given.site.rstrip("/"), given.var, given.out, given.only)
