"""Every pair of colours that is used is far enough apart, in the light and in the dark scheme.

Source: WCAG 2.2, 1.4.3 (text, 4.5:1), 1.4.11 (parts of controls, 3:1), relative luminance.
"""

import re
from pathlib import Path

import pytest
from django.conf import settings

CSS = Path(settings.ROOT) / "static" / "css"
TEXT, CONTROL = 4.5, 3.0
PAPERS = ("paper", "paper-raised", "plate")
SOFT = ("accent-soft", "good-soft", "bad-soft", "warn-soft")
TEXT_PAIRS = [
    *(("ink", under) for under in (*PAPERS, *SOFT)),
    *(("ink-soft", under) for under in (*PAPERS, *SOFT)),
    *(("accent", under) for under in (*PAPERS, "accent-soft")),
    *(("accent-strong", under) for under in (*PAPERS, "accent-soft")),
    ("accent-ink", "accent"),
    ("accent-ink", "accent-strong"),
    *((tone, under) for tone in ("good", "bad", "warn") for under in (*PAPERS, f"{tone}-soft")),
]
CONTROL_PAIRS = [
    *(("line-strong", under) for under in ("paper", "paper-raised")),
    *(("focus", under) for under in (*PAPERS, *SOFT)),
    *(("accent", under) for under in PAPERS),
]
# Colours of a sentence's cells at their strongest, under numbers: sentence.css.
CELLS = {"light": 0.68, "dark": 0.5}
MIXED = [("ink-soft", paper, share) for paper in PAPERS for share in (0.05, 0.06, 0.08)]


def schemes() -> dict[str, dict[str, str]]:
    """Return the colour tokens of tokens.css by scheme; the dark ones lie over the light ones."""
    text = (CSS / "tokens.css").read_text()
    light, dark = text.split("@media (prefers-color-scheme: dark)", 1)
    found = {}
    for name, part in (("light", light), ("dark", dark)):
        block = re.search(r":root \{(.*?)\n\s*\}", part, re.DOTALL)
        assert block is not None, f"tokens.css has no :root for {name}"
        found[name] = dict(re.findall(r"--([a-z-]+): (#[0-9a-f]{6});", block.group(1)))
    return {"light": found["light"], "dark": {**found["light"], **found["dark"]}}


def channels(colour: str) -> tuple[float, ...]:
    return tuple(int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5))


def luminance(colour: tuple[float, ...]) -> float:
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: tuple[float, ...], other: tuple[float, ...]) -> float:
    high, low = sorted((luminance(one), luminance(other)), reverse=True)
    return (high + 0.05) / (low + 0.05)


def test_the_formula_agrees_with_the_standard():
    assert contrast(channels("#000000"), channels("#ffffff")) == pytest.approx(21)
    assert contrast(channels("#767676"), channels("#ffffff")) == pytest.approx(4.54, abs=0.01)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_dark_sets_every_colour_anew(scheme):
    text = (CSS / "tokens.css").read_text()
    blocks = [set(re.findall(r"--([a-z-]+): #", part)) for part in text.split("@media", 1)]
    assert blocks[0] == blocks[1]
    assert set(schemes()[scheme]) == blocks[0]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("over", "under"), TEXT_PAIRS, ids=lambda name: name)
def test_text_can_be_read(scheme, over, under):
    colours = schemes()[scheme]
    found = contrast(channels(colours[over]), channels(colours[under]))
    assert found >= TEXT, f"{over} on {under}, {scheme}: {found:.2f}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("over", "paper", "share"), MIXED, ids=str)
def test_text_can_be_read_on_tinted_paper(scheme, over, paper, share):
    colours = schemes()[scheme]
    ink, below = channels(colours["ink"]), channels(colours[paper])
    tinted = tuple(share * i + (1 - share) * b for i, b in zip(ink, below, strict=True))
    found = contrast(channels(colours[over]), tinted)
    assert found >= TEXT, f"{over} on {share:.0%} ink on {paper}, {scheme}: {found:.2f}"


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("tone", ["accent", "bad"])
def test_numbers_of_cells_can_be_read(scheme, tone):
    colours = schemes()[scheme]
    share = CELLS[scheme]
    assert f"opacity: {share};" in (CSS / "sentence.css").read_text()
    parts = zip(channels(colours[tone]), channels(colours["plate"]), strict=True)
    cell = tuple(share * strong + (1 - share) * weak for strong, weak in parts)
    assert contrast(channels(colours["ink"]), cell) >= TEXT


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize(("over", "under"), CONTROL_PAIRS, ids=lambda name: name)
def test_controls_and_focus_can_be_seen(scheme, over, under):
    colours = schemes()[scheme]
    found = contrast(channels(colours[over]), channels(colours[under]))
    assert found >= CONTROL, f"{over} on {under}, {scheme}: {found:.2f}"


def test_style_sheets_use_only_custom_properties_that_exist():
    texts = {path.name: path.read_text() for path in CSS.glob("*.css")}
    declared = {
        name for text in texts.values() for name in re.findall(r"(?<!var\()(--[\w-]+):", text)
    }
    used = {
        (name, file)
        for file, text in texts.items()
        for name in re.findall(r"var\((--[\w-]+)\)", text)  # with a fallback it may be absent
    }
    assert used
    assert {pair for pair in used if pair[0] not in declared} == set()
