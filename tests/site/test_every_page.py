"""Every page that can be reached, and the measure of contrast that all are held to."""

import pytest

from tests.accessible import AXE_SCRIPT, faint_text
from tests.course_folders import COURSES, name_of
from tests.courses import at
from tests.site.every_page import (
    course_of,
    faults_of_pages,
    is_of_a_lesson,
    pages_of,
)

pytestmark = pytest.mark.slow

# By id: whether it can be read in the light, and in the dark.
READABLE = {
    "plain": (True, True),
    "dark-on-dark": (False, True),
    "half-there": (False, False),
    "mixed": (False, True),
    "see-through": (False, False),
    "grey": (False, False),
    "grey-and-large": (True, True),
    "off": (True, True),
    "typed": (False, False),
}
PAGE = """<style>
  :root { color-scheme: light dark } body { background: #fff; color: #222 }
  #dark-on-dark { background: #222 } #half-there { opacity: 0.5 }
  #mixed { color: color-mix(in srgb, #222 40%, #fff) }
  #see-through, #typed, #off { color: rgb(0 0 0 / 40%) }
  #grey { color: #7f7f7f } #grey-and-large { color: #7f7f7f; font-size: 24px }
  @media (prefers-color-scheme: dark) {
    body { background: #1b1b1b; color: #ddd } #grey { color: #777 }
  }
</style><main><h1>Words</h1><p id="plain">Text</p><p id="dark-on-dark">Text</p>
<p id="half-there">Text</p><p id="mixed">Text</p><p id="see-through">Text</p><p id="grey">Text</p>
<p id="grey-and-large">Text</p><button id="off" disabled>Text</button>
<input id="typed" aria-label="Text" value="Text"></main>"""
ASKED = """async () => (await axe.run(document, { runOnly: ["color-contrast"] })).violations
  .flatMap((one) => one.nodes.map((node) => node.html))"""


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_that_is_too_faint_is_found_as_axe_finds_it(new_page, scheme):
    page = new_page(color_scheme=scheme)
    page.set_content(PAGE)
    page.evaluate(AXE_SCRIPT)
    ours, axes = faint_text(page), page.evaluate(ASKED)
    for name, by_scheme in READABLE.items():
        faint = not by_scheme[scheme == "dark"]
        assert any(f'id="{name}"' in one for one in ours) == faint, (name, ours)
        # Text in the very colour of its paper is hidden on purpose, for axe.
        if name != "dark-on-dark":
            assert any(f'id="{name}"' in one for one in axes) == faint, (name, axes)


# Cards, a lesson with figures, controls, a table. Other journeys look at quizzes, code and maps.
UNLIKE = ["/courses/", at("/learn/sinusoidal-values/seeing-it/"), "/explore/", at("/progress/")]


def test_unlike_pages_can_be_read_and_used(site, new_page):
    assert faults_of_pages(site.url, UNLIKE, new_page, every_look=False) == {}


@pytest.mark.soak
@pytest.mark.parametrize(("lessons", "least"), [(True, 80), (False, 40)])
def test_every_page_can_be_read_and_used(site, new_page, lessons, least):
    """Each page to which links lead from the start page; a link to nowhere fails."""
    linked = pages_of(site.url)
    assert {course_of(path) for path in linked} == {"", *map(name_of, COURSES)}
    paths = [path for path in linked if is_of_a_lesson(path) == lessons]
    assert len(paths) >= least
    assert faults_of_pages(site.url, paths, new_page, every_look=True) == {}
