"""What a pixel stands for is said at every width from the first paint on, and stays said."""

import re

import pytest
from playwright.sync_api import Page, expect

pytestmark = [pytest.mark.browser, pytest.mark.django_db(transaction=True)]

MEAN = "Some columns are drawn together: a column of pixels is the mean of at most 2."
GROUPED = "To fit the width, the columns are grouped: all sines, then all cosines."
# columns, the note on a wide screen, the note on a phone
NOTES = [
    (50, "", ""),
    (150, "", GROUPED),
    (512, GROUPED, f"{GROUPED} {MEAN}"),
    (700, f"{GROUPED} {MEAN}", f"{GROUPED} Each column of pixels is the mean of 2 to 3 columns."),
]
SIZES = {390: 844, 820: 1100, 1440: 900}


def note_seen(page: Page) -> str:
    """Return the note as it is read on the screen."""
    return page.locator("#figure-a [data-part=note]").inner_text().strip()


def plot_width(page: Page, width: int) -> float:
    """Return how wide the cells stand in the picture of the page, from its own SVG."""
    size = "narrow" if width <= 640 else "wide"
    geometry = page.locator("#figure-a").get_attribute("data-geometry")
    return float(page.evaluate(f"({geometry}).{size}.plot[2]"))


@pytest.mark.covering(most=1)
@pytest.mark.parametrize("width", SIZES)
@pytest.mark.parametrize(("d_model", "wide", "narrow"), NOTES)
def test_the_note_is_there_at_first_and_after_a_slider_came_back(
    live_server, new_page, width, d_model, wide, narrow
):
    address = f"{live_server.url}/explore/?enc=sinusoidal/heatmap&a.d_model={d_model}"
    expected = narrow if width <= 640 else wide
    size = {"width": width, "height": SIZES[width]}
    without_script = new_page(java_script_enabled=False, viewport=size)
    without_script.goto(address)
    assert note_seen(without_script) == expected
    page = new_page(viewport=size)
    page.goto(address)
    assert note_seen(page) == expected
    slider = page.locator("#figure-a input[type=range][name$=d_model]")
    slider.press("ArrowRight")
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text(f"{d_model + 1} dim")
    slider.press("ArrowLeft")
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text(f"{d_model} dim")
    assert note_seen(page) == expected


@pytest.mark.soak
@pytest.mark.parametrize("width", SIZES)
def test_the_plot_keeps_its_width_while_d_model_is_dragged(live_server, new_page, width):
    page = new_page(viewport={"width": width, "height": SIZES[width]})
    widths = set()
    for d_model in (50, 220, 230, 300, 340, 512, 670, 1024):
        page.goto(f"{live_server.url}/explore/?enc=sinusoidal/heatmap&a.d_model={d_model}")
        widths.add(plot_width(page, width))
    assert len(widths) == 1


@pytest.mark.soak
def test_beside_another_picture_the_note_is_that_of_the_narrow_one(live_server, new_page):
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/explore/?enc=sinusoidal/heatmap&enc=alibi/biases&a.d_model=150")
    assert note_seen(page) == GROUPED


@pytest.mark.soak
def test_the_cursor_of_columns_grouped_by_their_width_goes_by_what_is_seen(live_server, new_page):
    page = new_page(viewport={"width": 1440, "height": 900})
    page.goto(f"{live_server.url}/explore/?enc=sinusoidal/heatmap&a.d_model=512&a.dimension=6")
    card = page.locator("#figure-a .card__where")
    expect(card).to_contain_text("dimension 6")
    cursor = page.locator("#figure-a [data-part=cursor]")
    cursor.press("ArrowRight")
    expect(card).to_contain_text("dimension 8")
    picture = page.locator("#figure-a [data-part=picture]").bounding_box()
    assert picture
    cursor.click(position={"x": picture["width"] * 0.97, "y": picture["height"] * 0.1})
    expect(card).to_have_text(re.compile(r"dimension \d*[13579]$"))  # on the cosines' side
