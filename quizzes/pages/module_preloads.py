"""Modules that a page is going to import, named at its end, so that browsers fetch them at once.

Otherwise a browser learns of an import only when the script with it has come, and what draws a
figure is six imports deep. Over a line with 200 ms of delay, the picture of a step follows its
sliders after 2.0 s instead of 3.2, over slow 3G after 5.6 s instead of 7.8 (slow_line.py of
benchmarks/). To join the files instead would need a parser, and share less between pages.
Browsers fetch modules late and last: nothing that the first sight of a page needs waits for them.
"""

import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from posixpath import dirname, join, normpath

from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static

DRAWING = "figures/page-picture.js"
_SCRIPT = re.compile(r'<script type="module"[^>]*?\ssrc="([^"]+)"')
_FIGURE = re.compile(r'data-module="([^"]+)"[^>]*?\sdata-kind="(\w+)"[^>]*?\sdata-scale="(\w*)"')
_IMPORT = re.compile(
    r"""^(?:import|export)\b(?:[^;"'`()=]*?\bfrom)?\s*["']([^"']+)["']""", re.MULTILINE
)
# The second group is the name of the file without a hash.
_LATER = re.compile(r"""\bimport\(["']([^"']*/(\w+)(?:\.\w+)*\.js)["']\)""")


def modules_ahead(page: str) -> list[str]:
    """Return the addresses of what a page's scripts and its first figure import, in that order.

    The page names scripts and view; what draws views imports the layout and the colours of this
    kind of picture when it is used, so those are taken by their names.
    """
    scripts = _SCRIPT.findall(page)
    ahead = _with_imports(scripts)
    if figure := _FIGURE.search(page):
        view, *names = figure.groups()
        ahead |= _with_imports([view, static(DRAWING)], names)
    return [module for module in ahead if module not in scripts]


def _with_imports(modules: Iterable[str], names: Iterable[str] = ()) -> dict[str, None]:
    """Return modules with all that they import, level by level, as a browser finds them."""
    ahead: dict[str, None] = {}
    while modules := [module for module in modules if module not in ahead]:
        ahead |= dict.fromkeys(modules)
        modules = [part for module in modules for part in _imports(module, tuple(names))]
    return ahead


@cache
def _imports(module: str, names: tuple[str, ...]) -> list[str]:
    """Return what the file of an address imports; the browser reports a missing file."""
    path = module.removeprefix(settings.STATIC_URL)
    file = Path(settings.STATIC_ROOT, path) if settings.STATIC_ROOT else finders.find(path)
    script = Path(file).read_text() if file and Path(file).exists() else ""
    later = [part for part, name in _LATER.findall(script) if name in names]
    folder = dirname(module)
    return [normpath(join(folder, part)) for part in [*_IMPORT.findall(script), *later]]
