"""Every page that is no lesson: exercises, quizzes, cards, the map, the explorer, accounts."""

import pytest

from tests.site.every_page import faults_of_pages, pages_of

pytestmark = pytest.mark.slow


def test_every_page_can_be_reached_read_and_used(site, new_page):
    paths = [path for path in pages_of(site.url) if not path.startswith("/learn/")]
    assert len(paths) >= 40
    assert faults_of_pages(site.url, paths, new_page) == {}
