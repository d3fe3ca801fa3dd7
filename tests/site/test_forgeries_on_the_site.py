"""Forgeries as a learner sends them: through the pages, web and worker, and by the command."""

import http.cookiejar
import json
import re
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from functools import cache
from pathlib import Path

import pytest

from tests.courses import at
from tests.hostile.forging import FORGERIES, Target, aim_at, both_sandboxes, forgery
from tests.whole_site import Site

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

NUMPY, TORCH = "sinusoidal-table", "learned-positions"  # which fork server runs them
WAYS = [path for path in FORGERIES if path.stem.startswith(("way_", "random_of"))]
PATIENCE_SECONDS = 120
NOT_SOLVED = {"wrong", "could_not_run", "limit_reached", "known_mistake"}


@pytest.fixture(scope="module")
def target_of() -> Callable[[str], Target]:
    return cache(lambda slug: aim_at(slug, *both_sandboxes()))


class Visitor:
    """A browser without a script, of a new learner."""

    def __init__(self, site: Site, slug: str) -> None:
        self._page = site.url + at(f"/exercises/{slug}/")
        cookies = http.cookiejar.CookieJar()
        self._open = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(cookies)).open

    def submit(self, code: str) -> str:
        """The verdict on the submission's page."""
        page = self._read(self._page)[1]
        fields = {
            name: re.findall(rf'name="{name}"[^>]*value="([^"]+)"', page)[0]
            for name in ("csrfmiddlewaretoken", "key")
        }
        data = urllib.parse.urlencode({**fields, "code": code, "kind": "submit"}).encode()
        address, page = self._read(self._page, data)
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not (found := re.search(r'data-verdict="(\w+)"', page)):
            assert time.monotonic() < deadline, "no verdict"
            time.sleep(0.2)
            page = self._read(address)[1]
        return found.group(1)

    def _read(self, address: str, data: bytes | None = None) -> tuple[str, str]:
        with self._open(address, data, timeout=60) as answer:
            return answer.url, answer.read().decode()


# That no forgery is correct anywhere is proved with the judge alone, in tests/hostile.
FIRST = slice(0, 1)


@pytest.mark.parametrize(
    ("slug", "paths"),
    [
        pytest.param(NUMPY, WAYS[FIRST], id="first"),
        pytest.param(NUMPY, WAYS, marks=pytest.mark.soak, id=NUMPY),
        pytest.param(TORCH, WAYS, marks=pytest.mark.soak, id=TORCH),
    ],
)
def test_no_forgery_is_correct_on_the_site(
    slug: str, paths: list[Path], site: Site, target_of: Callable[[str], Target]
) -> None:
    ends = {path.stem: Visitor(site, slug).submit(forgery(path, target_of(slug))) for path in paths}
    assert set(ends.values()) <= NOT_SOLVED, ends


@pytest.mark.soak
@pytest.mark.parametrize("slug", [TORCH, NUMPY])
def test_no_forgery_is_correct_by_the_command(
    slug: str, site: Site, target_of: Callable[[str], Target], tmp_path: Path
) -> None:
    files = [tmp_path / path.name for path in FORGERIES]
    for file, path in zip(files, FORGERIES, strict=True):
        file.write_text(forgery(path, target_of(slug)), encoding="utf-8")
    said = site.manage("grade", slug, "--json", *map(str, files), check=False)
    graded = [json.loads(line) for line in said.stdout.splitlines()]
    assert len(graded) == len(files), said.stderr
    assert {report["verdict"] for report in graded} <= NOT_SOLVED, graded
