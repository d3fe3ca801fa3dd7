"""A learner's numbers on a figure, in a real browser: drawn, dragged, read by keys, on a phone."""

import base64
import json
import re
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, Route, expect

from tests.accessible import AXE_SCRIPT, serious_findings
from tests.browser import PageErrors, each, sideways_scroll
from tests.shipped_exercises.folders import definition_of
from tests.whole_site import Site

pytestmark = [pytest.mark.slow, pytest.mark.sandbox, pytest.mark.browser]

RUN_MS = 60_000
TABLE = "/c/positional-encodings/exercises/sinusoidal-table/"
PHONE = {"viewport": {"width": 390, "height": 844}, "color_scheme": "dark"}
WORDS, LAYERS = "#code-figure-words", ".code-figure__layer"
REFERENCE = definition_of("sinusoidal-table").reference
# Right numbers, a tenth too large.
CODE = f"{REFERENCE}\n_right = sinusoidal_table\n" + (
    "def sinusoidal_table(n, d, base=10000.0):\n    return _right(n, d, base) + 0.1\n"
)


def write(page: Page, code: str) -> None:
    page.wait_for_selector(".cm-editor", state="attached")
    page.evaluate(
        "code => document.querySelector('#id_code').dispatchEvent("
        "new CustomEvent('replace', { detail: { text: code, message: '' } }))",
        code,
    )


def open_figure(page: Page, address: str, code: str = CODE) -> None:
    page.goto(address)
    tab = page.get_by_role("tab", name="Code")
    if tab.is_visible():
        tab.click()
    write(page, code)
    page.get_by_role("button", name="Check", exact=True).click()  # the reference is shown after it
    expect(page.locator("#verdict")).to_contain_text("shown cases", timeout=RUN_MS)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("positions = 24.", timeout=RUN_MS)
    expect(page.locator(f"{LAYERS}:not([hidden])")).to_have_count(3)


def slide(page: Page, name: str, value: str) -> None:
    page.locator(f"#figure-{name}").evaluate(
        "(slider, value) => { slider.value = value;"
        " slider.dispatchEvent(new Event('input', { bubbles: true })); }",
        value,
    )


def test_drag_draws_without_another_run(site: Site, page: Page, page_errors: PageErrors) -> None:
    """All places of the slider came at once; the digits are those of the numbers."""
    page_errors.allow("status of 429")  # too soon after the Check: it is sent again
    open_figure(page, f"{site.url}{TABLE}")
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    for value in ("2", "17", "32"):
        slide(page, "positions", value)
        expect(page.locator(WORDS)).to_contain_text(f"positions = {value}. Largest difference")
    assert [address for address in asked if "/figure/" in address] == []
    yours, _, difference = each(page.locator(f"{LAYERS} .live__cursor"))
    yours.focus()
    for key in ("ArrowDown", "ArrowRight"):
        page.keyboard.press(key)
    box = page.locator(f"{LAYERS} .live__readout").first
    expect(box).to_have_text(f"position 1, dimension 1: +{np.cos(1.0) + 0.1:.4f}")
    difference.focus()
    page.keyboard.press("ArrowDown")
    last = page.locator(f"{LAYERS} .live__readout").last
    expect(last).to_have_text("position 1, dimension 0: +0.1000")


def test_graded_check_brings_the_reference(site: Site, page: Page, page_errors: PageErrors) -> None:
    """Into a figure that was opened before it."""
    page_errors.allow("status of 429")  # too soon after the Check: it is sent again
    page.goto(f"{site.url}{TABLE}")
    write(page, CODE)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("The reference appears here", timeout=RUN_MS)
    page.wait_for_timeout(1100)  # code may run once a second
    page.get_by_role("button", name="Check", exact=True).click()
    expect(page.locator(WORDS)).to_contain_text("Largest difference", timeout=RUN_MS)
    expect(page.locator(f"{LAYERS}:not([hidden])")).to_have_count(3)


def test_other_slider_asks_once_for_its_places(
    site: Site, page: Page, page_errors: PageErrors
) -> None:
    """Another code makes the pictures old; a sentence says so."""
    page_errors.allow("status of 429")
    open_figure(page, f"{site.url}{TABLE}")
    ran: list[str] = []
    page.on("response", lambda response: ran.append(f"{response.status} {response.url}"))
    slide(page, "d_model", "32")
    expect(page.locator(WORDS)).to_contain_text("d_model = 32.", timeout=RUN_MS)
    slide(page, "d_model", "9")
    expect(page.locator(WORDS)).to_contain_text("d_model = 9.")
    assert sum(line.startswith("200") and line.endswith("/figure/") for line in ran) == 1
    write(page, "def sinusoidal_table(n, d, base):\n    return [1, 2][n]\n")
    expect(page.locator(WORDS)).to_contain_text("earlier version of your code")
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("IndexError in line 2", timeout=RUN_MS)
    expect(page.locator(f"{LAYERS} .live__stage").first).to_be_hidden()
    write(page, REFERENCE)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_contain_text("No difference.", timeout=RUN_MS)


def test_figure_on_a_phone_in_the_dark(
    site: Site, new_page: Callable[..., Page], page_errors: PageErrors
) -> None:
    page_errors.allow("status of 429")
    page = new_page(**PHONE)
    open_figure(page, f"{site.url}{TABLE}")
    assert sideways_scroll(page) <= 0
    page.evaluate(AXE_SCRIPT)
    assert serious_findings(page) == []


def test_figure_without_scripts_is_a_strip(site: Site, new_page: Callable[..., Page]) -> None:
    page = new_page(java_script_enabled=False)
    page.goto(f"{site.url}{TABLE}")
    page.locator("#id_code").fill(CODE)
    page.get_by_role("button", name="See it on the figure").click()
    expect(page).to_have_url(re.compile(r"/figure/\d+/$"))
    for _ in range(60):
        if page.locator("img").count():
            break
        page.wait_for_timeout(1000)
        page.reload()
    assert page.locator("img").count() == 8, "the reference needs a try first"
    expect(page.get_by_text("once a Check or Submit of yours was graded")).to_be_visible()
    page.get_by_role("link", name="Back to the code").click()
    assert "_right = sinusoidal_table" in page.locator("#id_code").input_value()


class Answers:
    """Stands for the site: zeros along `positions` or `d_model`, with what was sent as words."""

    def __init__(self, page: Page) -> None:
        self.sent: list[dict[str, str]] = []
        self.refusals: list[tuple[int, str, str]] = []  # status, Retry-After, message
        self.delay_ms = 0
        self.is_interim = False  # the rest cannot be had
        self.page = page
        page.route("**/exercises/*/figure/", self.answer)

    def answer(self, route: Route) -> None:
        body = route.request.post_data_buffer.decode()
        fields = dict(re.findall(r'name="([\w.]+)"\r\n\r\n([^\r]*)', body))
        fields["code"] = body.partition('name="code"\r\n\r\n')[2].partition("\r\n--")[0]
        self.sent.append(fields)
        self.page.wait_for_timeout(self.delay_ms)
        if self.refusals:
            status, seconds, message = self.refusals.pop(0)
            headers = {"Retry-After": seconds} if seconds else {}
            route.fulfill(status=status, headers=headers, json={"message": message})
            return
        rest = {"ask": "/gone/figure/1/", "ask_after_ms": 10} if self.is_interim else {}
        route.fulfill(json=self.batch(fields) | rest)

    def batch(self, fields: dict[str, str]) -> dict[str, Any]:
        shown = json.loads(self.page.locator("#code-figure").get_attribute("data-shown") or "")
        stand = {name: fields[f"figure.{name}"] for name in ("positions", "d_model")}
        along = fields["slider"]
        places = []
        for value in ("4", "8", "24"):
            texts = {**shown, **stand, along: value}
            cells = int(texts["positions"]) * int(texts["d_model"])
            numbers = base64.b64encode(np.zeros(cells, "<f4").tobytes()).decode()
            words = f"Code {fields['code'][:2]}, {texts['positions']} x {texts['d_model']}."
            place = {"texts": texts, "words": words, "is_problem": False}
            places.append(place | {"numbers": {"yours": numbers}})
        rest = {
            "dress": {"yours": {"masked": "no number"}},
            "problem": "",
            "note": "",
            "line": None,
        }
        return {"slider": along, "layers": {"yours": "Yours"}, "places": places, **rest}


@pytest.fixture
def answers(site: Site, page: Page, page_errors: PageErrors) -> Answers:
    page_errors.allow("status of (400|404|429)")
    page.goto(f"{site.url}{TABLE}")
    stand_in = Answers(page)
    write(page, "A1")
    page.get_by_role("button", name="See it on the figure").click()
    expect(page.locator(WORDS)).to_have_text("positions = 24. Code A1, 24 x 24.")
    return stand_in


def test_numbers_belong_to_sent_values(answers: Answers, page: Page) -> None:
    """A hand that moves before the run is sent, or before it came, mixes nothing."""
    slide(page, "d_model", "8")  # waits for its second
    page.wait_for_timeout(200)
    slide(page, "positions", "4")
    expect(page.locator(WORDS)).to_contain_text("Code A1, 4 x 8.")
    slide(page, "d_model", "24")
    expect(page.locator(WORDS)).to_contain_text("Code A1, 4 x 24.")
    slide(page, "positions", "8")
    expect(page.locator(WORDS)).to_contain_text("Code A1, 8 x 24.")
    slide(page, "d_model", "8")
    expect(page.locator(WORDS)).to_contain_text("Code A1, 8 x 8.")


def test_pictures_of_older_code_are_never_new(answers: Answers, page: Page) -> None:
    """Grey until new ones come, also where the new run is refused; a late answer is dropped."""
    figure, button = page.locator("#code-figure"), page.get_by_role("button", name="See it on")
    write(page, "B2")
    expect(page.locator(WORDS)).to_contain_text("earlier version of your code")
    write(page, "A1")
    expect(page.locator(WORDS)).to_have_text("positions = 24. Code A1, 24 x 24.")
    expect(figure).not_to_have_class(re.compile("stale"))
    write(page, "B2")
    answers.refusals = [(400, "", "Refused.")]
    button.click()
    expect(page.locator(WORDS)).to_have_text("Refused.")
    answers.refusals = [(400, "", "Refused again.")]
    slide(page, "positions", "8")
    expect(page.locator(WORDS)).to_have_text("Refused again.")
    expect(figure).to_have_class(re.compile("stale"))
    answers.delay_ms = 1500
    button.click()
    page.wait_for_timeout(1300)  # its run is under way
    write(page, "C3")
    button.click()
    expect(page.locator(WORDS)).to_contain_text("Code C3, 8 x 24.", timeout=10_000)
    expect(figure).not_to_have_class(re.compile("stale"))
    assert [fields["code"] for fields in answers.sent][-2:] == ["B2", "C3"]


def test_refused_run_is_sent_once_more(answers: Answers, page: Page) -> None:
    """With where the sliders are then; a long wait is only said. Focus and Enter run nothing."""
    soon = "Once a second."
    answers.refusals = [(429, "1", soon)]
    slide(page, "d_model", "8")
    expect(page.locator(WORDS)).to_have_text(soon)
    slide(page, "d_model", "4")
    expect(page.locator(WORDS)).to_contain_text("Code A1, 24 x 4.")
    answers.refusals = [(429, "1", soon), (429, "1", "Twice.")]
    slide(page, "positions", "8")
    expect(page.locator(WORDS)).to_have_text("Twice.", timeout=10_000)
    answers.refusals = [(429, "50", "Try again in 50 s.")]
    slide(page, "positions", "4")
    expect(page.locator(WORDS)).to_have_text("Try again in 50 s.")
    sent = len(answers.sent)
    page.locator("#figure-base").focus()
    page.keyboard.press("Enter")
    page.wait_for_timeout(1500)
    assert len(answers.sent) == sent
    expect(page.locator("#verdict")).to_be_empty()


def test_refusal_of_old_code_keeps_new_wish(answers: Answers, page: Page) -> None:
    button = page.get_by_role("button", name="See it on")
    answers.delay_ms, answers.refusals = 1500, [(400, "", "Refused.")]
    write(page, "B2")
    button.click()
    page.wait_for_timeout(1300)  # its run is under way
    write(page, "C3")
    button.click()
    expect(page.locator(WORDS)).to_contain_text("Code C3, 24 x 24.", timeout=10_000)
    assert [fields["code"] for fields in answers.sent][-2:] == ["B2", "C3"]


def test_batch_without_its_rest_runs_again(answers: Answers, page: Page) -> None:
    answers.is_interim = True
    slide(page, "d_model", "8")
    expect(page.locator(WORDS)).to_have_text("It is gone. Run it again.")
    answers.is_interim = False
    sent = len(answers.sent)
    slide(page, "d_model", "24")
    expect(page.locator(WORDS)).to_contain_text("Code A1, 24 x 24.")
    page.wait_for_timeout(1500)
    assert len(answers.sent) == sent + 1
