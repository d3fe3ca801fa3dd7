"""A slider in Chromium: the time from its key to the picture of its value on the screen.

step     a key pressed, until the frame that shows exactly that value is painted
drag     50 keys in a row, 30 a second: how many values were shown, and how long after the last
         key its picture appeared (settle)
"""

import statistics
import time
from dataclasses import dataclass
from typing import Any

DRAG, PER_SECOND = 50, 30
PATIENCE_MS = 30_000
GIVEN_UP_MS = 10_000.0


@dataclass(frozen=True)
class Slider:
    """Times in milliseconds."""

    step_p50_ms: float
    step_p95_ms: float
    steps: int
    shown_of_50: float
    settle_ms: float
    drags: int


# A value in the probe's list was painted at that moment: the message is delivered after the frame.
PROBE = """
() => {
  window.probe = { shown: [], pressed: 0 };
  window.probe.note = (value) => {
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.probe.shown.push([Number(value), performance.now()]);
    channel.port2.postMessage(0);
  };
  addEventListener("keydown", (event) => {
    window.probe.pressed = event.timeStamp;
  }, true);
}
"""
# A step of the page is drawn in its event and painted in the next frame. A picture of the server is
# put in place within a frame, which paints it: to wait for the next one told a frame too much.
OURS = """
(byTheServer) => {
  const figure = document.querySelector("[data-figure=codes]");
  figure.addEventListener("figure:shown", ({ detail }) => {
    const note = () => window.probe.note(detail.d_model);
    if (byTheServer) note();
    else requestAnimationFrame(note);
  });
}
"""
SHOWN = """
(value) => {
  const { shown, pressed } = window.probe;
  const found = shown.find(([one, at]) => one === value && at > pressed);
  return found ? found[1] - pressed : false;
}
"""


def measure(page: Any, handle: Any, *, start: int, steps: int, drags: int) -> Slider:
    """Return the times of a page whose probe runs; `handle` takes keys, the picture shows start."""
    handle.focus()
    value, times = start, []
    for number in range(steps + 3):  # the first few warm everything up
        page.keyboard.press("ArrowRight")
        value += 1
        shown = page.wait_for_function(SHOWN, arg=value, polling=5, timeout=PATIENCE_MS)
        times.append(float(shown.json_value()))
        if number % 50 == 49:
            page.wait_for_timeout(200)
    counts, settled = [], []
    for _ in range(drags):
        page.wait_for_timeout(500)
        count, settle = _drag(page, value)
        value += DRAG
        counts.append(count)
        settled.append(settle)
    ordered = sorted(times[3:])
    return Slider(
        step_p50_ms=statistics.median(ordered),
        step_p95_ms=ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))],
        steps=steps,
        shown_of_50=statistics.mean(counts) if counts else 0.0,
        settle_ms=statistics.median(settled) if settled else 0.0,
        drags=drags,
    )


def _drag(page: Any, value: int) -> tuple[int, float]:
    """Return how many of 50 values were shown, and the ms from the last key to its picture."""
    page.evaluate("() => { window.probe.shown.length = 0; }")
    begun = time.perf_counter()
    for number in range(DRAG):
        wait = begun + number / PER_SECOND - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        page.keyboard.press("ArrowRight")
    try:
        shown = page.wait_for_function(
            SHOWN, arg=value + DRAG, polling=5, timeout=GIVEN_UP_MS
        ).json_value()
    except Exception as error:
        if type(error).__name__ != "TimeoutError":
            raise
        shown = GIVEN_UP_MS
    values = page.evaluate("() => window.probe.shown.map(([value]) => value)")
    return len(set(values) & set(range(value + 1, value + DRAG + 1))), float(shown)
