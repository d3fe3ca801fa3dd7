"""The explorer as it is used: by keyboard, without a script, on a phone, shared."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect
from pytest_django.live_server_helper import LiveServer

from tests.accessible import serious_findings
from tests.browser import PageErrors, sideways_scroll

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.browser]


def test_choose_and_slide_by_keyboard_then_share(
    page: Page, new_page: Callable[..., Page], live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/explore/")
    page.locator("#choose-b").focus()
    page.keyboard.type("What every head", delay=30)
    page.wait_for_timeout(1000)
    assert "alibi" not in page.url, "a word may be typed slowly"
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile("enc=alibi/biases"))
    expect(page.locator("#choose-b")).to_be_focused()
    expect(page.locator("#figure-b [data-part=subtitle]")).to_contain_text("8 of 8 heads")
    page.locator("#b-n_heads").focus()
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#figure-b [data-part=subtitle]")).to_contain_text("7 of 7 heads")
    page.locator("#a-d_model").focus()
    page.keyboard.press("ArrowRight")
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text("51 dimensions")
    page.wait_for_url(re.compile(r"b\.n_heads=7.*a\.d_model=51|a\.d_model=51.*b\.n_heads=7"))
    friend = new_page()
    friend.goto(page.url)
    expect(friend.locator("#figure-b [data-part=subtitle]")).to_contain_text("7 of 7 heads")
    expect(friend.locator("#figure-a [data-part=subtitle]")).to_contain_text("51 dimensions")


@pytest.mark.soak
def test_another_picture_leaves_the_sliders_of_the_others_where_they_are(
    page: Page, live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/explore/?enc=rope/turns&enc=alibi/slopes")
    page.locator("#a-positions").press("ArrowRight")
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text("Positions 0 to 6")
    page.locator("#b-n_heads").press("ArrowRight")
    expect(page.locator("#figure-b [data-part=subtitle]")).to_contain_text("of 9 heads")
    page.locator("#choose-b").select_option("shaw/lookup")
    page.wait_for_url(f"{live_server.url}/explore/?enc=rope/turns&enc=shaw/lookup&a.positions=7")
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text("Positions 0 to 6")


@pytest.mark.soak
def test_a_menu_that_is_left_applies_and_the_focus_goes_on(
    page: Page, live_server: LiveServer
) -> None:
    page.goto(f"{live_server.url}/explore/")
    page.locator("#choose-b").press("ArrowDown")
    page.wait_for_timeout(300)
    assert "&enc=" not in page.url
    page.keyboard.press("Tab")
    page.wait_for_url(re.compile("enc=.*&enc="))
    expect(page.locator("#choose-c")).to_be_focused()


@pytest.mark.soak
def test_without_a_script(new_page: Callable[..., Page], live_server: LiveServer) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{live_server.url}/explore/")
    page.locator("#choose-b").select_option("kerple/bias")
    page.get_by_role("button", name="Show").click()
    expect(page.locator("figure.live")).to_have_count(2)
    page.locator("#b-kernel").select_option("power")
    page.locator("#figure-b").get_by_role("button", name="Redraw").click()
    expect(page.locator("#figure-b [data-part=subtitle]")).to_contain_text("power kernel")
    expect(page.locator("#figure-a [data-part=subtitle]")).to_contain_text("50 dimensions")
    assert "enc=sinusoidal/heatmap&enc=kerple/bias" in page.url
    assert "b.kernel=power" in page.url


@pytest.mark.soak
@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
@pytest.mark.parametrize(
    "query", ["", "?enc=nope/compare", "?enc=rope/scores&enc=alibi/biases&enc=shaw/lookup"]
)
def test_accessible_not_wider_than_the_screen_and_begins_with_a_picture(
    new_page: Callable[..., Page], live_server: LiveServer, scheme: str, width: int, query: str
) -> None:
    page = new_page(color_scheme=scheme, viewport={"width": width, "height": 800})
    page.goto(f"{live_server.url}/explore/{query}")
    picture = page.locator(".live__canvas").first.bounding_box()
    assert picture is not None
    assert picture["y"] <= 600
    assert serious_findings(page) == []
    assert sideways_scroll(page) == 0


@pytest.mark.soak
def test_faults_stand_where_they_belong(
    page: Page, page_errors: PageErrors, live_server: LiveServer
) -> None:
    page_errors.allow("400")
    page.goto(f"{live_server.url}/explore/?enc=alibi/slopes&a.n_heads=99&z.q=1")
    expect(page.get_by_role("alert")).to_contain_text("z.q=1: no such figure on this page")
    expect(page.locator("#a-n_heads-error")).to_have_text("n_heads=99: must be between 1 and 32")
    assert serious_findings(page) == []
