"""What axe finds on a page, and text that is too faint: asked in the page itself, once put in."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

__all__ = ["AXE_SCRIPT", "faint_text", "findings", "serious_findings", "small_targets"]

LEAST_TARGET = 24  # px, WCAG 2.2, 2.5.8

FIND = """async (options) => {
  const { violations } = await axe.run(document, { resultTypes: ["violations"], ...options });
  return violations.map((one) => ({ ...one, html: one.nodes[0].html, nodes: 0 }));
}"""
# WCAG 2.2, 1.4.3, from the colours that the browser computed: text over all that lies behind it.
FAINT = """() => {
  const numbers = (text) => {
    const found = (text.match(/[\\d.]+(e-?\\d+)?/g) ?? []).map(Number);
    const scale = text.startsWith("color(srgb") ? 255 : 1;
    return { rgb: found.slice(0, 3).map((one) => one * scale), alpha: found[3] ?? 1 };
  };
  const over = (top, alpha, below) => top.map((one, i) => alpha * one + (1 - alpha) * below[i]);
  const white = numbers(getComputedStyle(document.documentElement).colorScheme.startsWith("dark")
    ? "rgb(18, 18, 18)" : "rgb(255, 255, 255)").rgb;
  const behind = new Map([[null, { paper: white, alpha: 1, image: false }]]);
  const around = (element) => {
    if (behind.has(element)) return behind.get(element);
    const { paper, alpha, image } = around(element.parentElement);
    const style = getComputedStyle(element);
    const colour = numbers(style.backgroundColor);
    const found = {
      paper: over(colour.rgb, colour.alpha * alpha * Number(style.opacity), paper),
      alpha: alpha * Number(style.opacity),
      image: (image && colour.alpha < 1) || style.backgroundImage !== "none",
    };
    behind.set(element, found);
    return found;
  };
  const light = (rgb) => rgb.map((one) => one / 255)
    .map((one) => (one <= 0.04045 ? one / 12.92 : ((one + 0.055) / 1.055) ** 2.4))
    .reduce((sum, one, i) => sum + one * [0.2126, 0.7152, 0.0722][i], 0);
  const faint = [];
  const look = (element) => {
    if (!element.checkVisibility({ visibilityProperty: true })) return;
    if (element.closest(":disabled, [aria-disabled=true], svg, script, style, noscript")) return;
    const { paper, alpha, image } = around(element);
    if (image) return; // a picture behind words is for the eye
    const style = getComputedStyle(element);
    const colour = numbers(style.color);
    const ink = over(colour.rgb, colour.alpha * alpha, paper);
    const [low, high] = [paper, ink].map(light).sort((a, b) => a - b);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700);
    const ratio = (high + 0.05) / (low + 0.05);
    if (ratio >= (large ? 3 : 4.5)) return;
    faint.push(`${ratio.toFixed(2)}: ${element.outerHTML.slice(0, 120)}`);
  };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const fields = "input:not([type=hidden], [type=range], [type=radio], [type=checkbox]), textarea";
  const seen = new Set(document.querySelectorAll(`${fields}, select`));
  while (texts.nextNode()) {
    if (texts.currentNode.data.trim()) seen.add(texts.currentNode.parentElement);
  }
  seen.forEach(look);
  return faint;
}"""

SMALL_TARGETS = """(least) => [...document.querySelectorAll("a, button, input, select, summary")]
  .filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.type !== "hidden")
  .filter((one) => !one.closest("p, .term, .field__help, .visually-hidden, .skip-link"))
  .map((one) => one.closest("label") || one)
  .map((one) => [one.outerHTML.slice(0, 80), one.getBoundingClientRect()])
  .filter(([, box]) => box.width > 0 && Math.min(box.width, box.height) < least)
  .map(([html, box]) => `${html} ${Math.round(box.width)}x${Math.round(box.height)}`)"""


def findings(page: Page, *, contrast: bool = True) -> list[str]:
    """Return what axe finds, of any impact, each with its first element."""
    found = _find(page, {"rules": {"color-contrast": {"enabled": contrast}}})
    return [f"{one['id']}: {one['html']}" for one in found]


def serious_findings(page: Page) -> list[str]:
    """Return what axe finds serious or critical on the page, each with its first element."""
    serious = [one for one in _find(page, {}) if one["impact"] in {"serious", "critical"}]
    return [f"{one['id']}: {one['help']}: {one['html']}" for one in serious]


def faint_text(page: Page) -> list[str]:
    """Return all text with too little contrast; a hundred times quicker than axe, which also knows
    what lies over what. Where a page has a kind of element that is new, ask axe as well."""
    return list(page.evaluate(FAINT))


def small_targets(page: Page) -> list[str]:
    """Return what is to be pressed and is too small for a finger; links within text may be."""
    return list(page.evaluate(SMALL_TARGETS, LEAST_TARGET))


def _find(page: Page, options: dict[str, Any]) -> list[dict[str, str]]:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    return list(page.evaluate(FIND, options))
