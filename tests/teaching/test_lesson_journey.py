"""An editor writes a lesson in a real browser: a block at the cursor, a fault's line, a preview."""

import pytest
from playwright.sync_api import Page, expect

from tests.teaching.browsing import new_slug, sign_in
from tests.teaching.forms import teach

pytestmark = pytest.mark.slow

CHOSEN = "field => field.value.slice(field.selectionStart, field.selectionEnd)"


def test_lesson_is_written_by_keyboard(site, new_page):
    page: Page = sign_in(site, new_page())
    slug = new_slug("lesson")
    page.goto(site.url + teach("lessons/"))
    page.get_by_label("Title").fill("By keys")
    page.get_by_label("Name").fill(slug)
    page.get_by_label("Name").press("Enter")
    text = page.get_by_label("Text, in Markdown")
    page.get_by_label("Title of step 1").fill("First step")
    text.fill("Before.\n\nAfter.\n")
    text.press("Control+Home")
    text.press("ArrowDown")
    page.get_by_label("Block").select_option("figure:rope/scores")
    page.get_by_role("button", name="Insert").press("Enter")
    expect(text).to_be_focused()
    figure = "```figure\nid: scores\nencoding: rope\nview: scores\n```\n"
    expect(text).to_have_value(f"Before.\n\n{figure}\nAfter.\n")
    with page.expect_popup() as opened:
        page.get_by_role("button", name="Preview").press("Enter")
    preview = opened.value
    expect(preview.get_by_role("heading", name="First step")).to_be_visible()
    expect(preview.locator(".step__body figure").first).to_be_visible()
    preview.close()
    text.press("Control+End")
    page.keyboard.insert_text("\n# Too big")
    page.get_by_role("button", name="Publish").press("Enter")
    expect(page.get_by_text("Saved, not published")).to_be_visible()
    fault = page.locator(".notice a[href='#text-1']")
    fault.press("Enter")
    expect(text).to_be_focused()
    assert text.evaluate(CHOSEN) == "# Too big"
    page.keyboard.insert_text("## Smaller")
    page.get_by_label("Summary").fill("Short.")
    page.get_by_label("Work").first.select_option(index=1)
    page.get_by_role("button", name="Publish").press("Enter")
    expect(page.get_by_text("Published with 1 step: learners can now read it.")).to_be_visible()
    expect(page.get_by_label("Name")).to_have_attribute("readonly", "")
    page.get_by_role("button", name="Withdraw from learners").press("Enter")
    expect(page.get_by_text("Withdrawn: only learners who have started it")).to_have_count(2)
