"""What the scripts of a figure weigh on the wire, as production sends them."""

import gzip
import re
from pathlib import Path

import pytest

from quizzes.config.static_storage import without_comments
from tests.posenc.in_page.draws import IN_PAGE

STATIC = Path(__file__).resolve().parents[2] / "static"
MOST = 30_000  # bytes of all that a page with one figure loads before anybody touches it
AT_ONCE = ("lessons/figure.js", "lessons/figure-play.js", "figures/page-picture.js")
LAYOUTS = {
    "heatmap": ("figures/heatmap.js", "figures/paint-cells.js"),
    "curves": ("figures/curves.js",),
    "panels": ("figures/panels.js",),
    "circles": ("figures/circles.js",),
}
_IMPORT = re.compile(r"""(?:^|\n)import\s*(?:[^;"']*?\sfrom\s*)?["']([^"']+)["']""")


def with_imports(script: Path, known: set[Path]) -> set[Path]:
    """Return a script and all that it imports, but what it asks for later."""
    if script not in known:
        known.add(script)
        for name in _IMPORT.findall(script.read_text()):
            with_imports((script.parent / name).resolve(), known)
    return known


def weight(scripts: set[Path]) -> int:
    return sum(len(gzip.compress(without_comments(one.read_text()).encode())) for one in scripts)


@pytest.mark.parametrize("one", IN_PAGE, ids=[view.in_page for _, view in IN_PAGE])
def test_the_scripts_of_a_figure(one) -> None:
    _, view = one
    names = [*AT_ONCE, *LAYOUTS[view.kind], f"figures/views/{view.in_page}"]
    if view.kind == "heatmap":
        names.append(f"figures/palettes/{view.scale}.js")
    if view.tokens_on != "none":
        names.append("lessons/figure-words.js")
    scripts: set[Path] = set()
    for name in names:
        with_imports(STATIC / name, scripts)
    assert weight(scripts) <= MOST
    assert len(scripts) > 15, "the imports were followed"
