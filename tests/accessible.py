"""What axe finds on a page, and text that is too faint: asked in the page itself, once put in."""

from typing import Any

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page

__all__ = [
    "AXE_SCRIPT",
    "covered_controls",
    "faint_text",
    "findings",
    "serious_findings",
    "small_targets",
]

LEAST_TARGET = 24  # px, WCAG 2.2, 2.5.8

# axe leaves the rules that are new in WCAG 2.2 off unless a page asks for them.
FIND = """async (chosen) => {
  const rules = { ...chosen };
  for (const { ruleId } of axe.getRules(["wcag22aa"])) rules[ruleId] ??= { enabled: true };
  const { violations } = await axe.run(document, { resultTypes: ["violations"], rules });
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

# WCAG 2.2, 2.4.11, and what a hand can reach. Next to things that stand still while a page scrolls
# (fixed, sticky), a control that comes in at an edge of the window or gets the focus has its middle
# in sight, and in the middle of the window, or as near as the page scrolls, all of it is.
COVERED = """async () => {
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame); // laid out
  const seen = { visibilityProperty: true, opacityProperty: true };
  const still = [...document.querySelectorAll("body *")].filter((bar) =>
    ["fixed", "sticky"].includes(getComputedStyle(bar).position) && bar.checkVisibility(seen));
  if (!still.length) return [];
  const over = (control, x, y) => {
    const [top, ...below] = document.elementsFromPoint(x, y);
    // An editor keeps the caret out from under its own line numbers.
    const isOwn = (bar) => bar.closest(".cm-editor")?.contains(control);
    const cover = still.find((bar) =>
      bar.contains(top) && !bar.contains(control) && !control.contains(bar) && !isOwn(bar));
    return below.some((part) => control.contains(part)) ? cover : undefined;
  };
  const box = (control) => [...control.getClientRects()]
    .sort((a, b) => b.width * b.height - a.width * a.height)[0];
  const middle = (control) => {
    const { left, top, width, height } = box(control);
    const isTall = control.matches("textarea") || height > innerHeight / 2;
    return [[left + width / 2, top + (isTall ? 18 : height / 2)]]; // then what it begins with
  };
  const whole = (control) => {
    const { left, right, top, bottom, height } = box(control);
    if (height > innerHeight / 2) return middle(control);
    const [x, y] = [[left + 2, right - 2], [top + 2, bottom - 2]];
    return [...middle(control), ...x.flatMap((across) => y.map((down) => [across, down]))];
  };
  const comeFrom = (height) => (control) => {
    scrollTo(0, height);
    control.scrollIntoView({ block: "nearest", inline: "nearest" });
    return middle(control);
  };
  const ways = {
    "from above": comeFrom(0),
    "from below": comeFrom(document.documentElement.scrollHeight),
    "with the focus": (control) => {
      scrollTo(0, 0);
      control.focus();
      return middle(control);
    },
    "in the middle": (control) => {
      control.scrollIntoView({ block: "center", inline: "nearest" });
      return whole(control);
    },
  };
  const name = (element) => element.outerHTML.replace(/\\s+/g, " ").slice(0, 90);
  const dialog = [...document.querySelectorAll("dialog:modal")].at(-1);
  const faults = [];
  for (const control of (dialog ?? document).querySelectorAll(
    "a[href], button, input, select, textarea, summary, [tabindex]:not([tabindex^='-'])")) {
    if (control.disabled || !control.checkVisibility(seen) || !box(control)?.width) continue;
    for (const [way, bring] of Object.entries(ways)) {
      document.activeElement.blur();
      const cover = bring(control).map((point) => over(control, ...point)).find(Boolean);
      if (cover) faults.push(`${way}: ${name(control)} is behind ${name(cover)}`);
    }
  }
  scrollTo(0, 0);
  return faults;
}"""


def findings(page: Page, *, contrast: bool = True) -> list[str]:
    """Return what axe finds, of any impact, each with its first element."""
    faults = _find(page, {"color-contrast": {"enabled": contrast}})
    return [f"{fault['id']}: {fault['html']}" for fault in faults]


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


def covered_controls(page: Page) -> list[str]:
    """Return what cannot be reached, or is not seen when it has the focus, because something that
    does not scroll with the page lies over it."""
    return list(page.evaluate(COVERED))


def _find(page: Page, rules: dict[str, Any]) -> list[dict[str, str]]:
    if page.evaluate("typeof axe") == "undefined":
        page.evaluate(AXE_SCRIPT)
    return list(page.evaluate(FIND, rules))
