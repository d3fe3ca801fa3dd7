"""Steps of a slider that the page draws by itself: script time, the next frame, drags, distance.

script    from the slider's input event until the drawing is made
painted   from the key, which comes at any moment of a frame, until its value is on the screen;
          beside a page that only fills a canvas
next      share of the steps that were in the first frame after their key
shown     how many of 50 values of a drag (30 a second) were painted
"""

import random
import statistics
import time
from dataclasses import dataclass, replace
from typing import Any

from benchmarks.distance import at_distance
from benchmarks.slider_pages import STEP, chromium_page

DRAG, PER_SECOND = 50, 30
FRAME_SECONDS = 1 / 60
LEG = 10  # steps in one direction: no slider has its end nearer than that
PATIENCE_MS = 30_000
DISTANCES_MS = (0, 80, 300)
SLOWED = 4  # times, of a Chromium that stands for a phone


@dataclass(frozen=True)
class Picture:
    """A figure to step through: its page, its slider, and the key that leads away from its end."""

    name: str
    address: str
    slider: str
    first: str = "ArrowRight"

    def key(self, number: int) -> str:
        """Return the key of a step: so many in one direction, and as many back."""
        there, back = self.first, {"ArrowRight": "ArrowLeft", "ArrowLeft": "ArrowRight"}[self.first]
        return there if number // LEG % 2 == 0 else back


EXPLORE = "/explore/?enc="
PICTURES = (
    Picture("heatmap", STEP, "d_model"),
    Picture(
        "heatmap 512 x 512",
        f"{STEP}?codes.d_model=512&codes.positions=512",
        "d_model",
        "ArrowLeft",
    ),
    Picture("rope/turns", f"{EXPLORE}rope/turns", "base"),
    Picture("dot-products", f"{EXPLORE}sinusoidal/dot-products", "d_model"),
    Picture("t5/staircase", f"{EXPLORE}t5_bias/staircase", "reach"),
)


@dataclass(frozen=True)
class Steps:
    """Times in ms, shares of 1; `shown` of 50 in a drag."""

    name: str
    script_p50_ms: float
    script_p95_ms: float
    painted_p50_ms: float
    painted_p95_ms: float
    next_frame: float
    shown_of_50: float
    steps: int


# Each step: the input event, the end of its drawing, the frame it was painted in.
PROBE = """
(name) => {
  const probe = window.probe = { pressed: 0, input: 0, steps: [], frames: [] };
  addEventListener("keydown", (event) => { probe.pressed = event.timeStamp; }, true);
  addEventListener("input", () => { probe.input = performance.now(); }, true);
  const frame = (at) => {
    probe.frames.push(at);
    if (probe.frames.length > 500) probe.frames.splice(0, 250);
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
  addEventListener("figure:shown", ({ detail }) => {
    const step = { value: String(detail[name]), pressed: probe.pressed };
    step.script = performance.now() - probe.input;
    requestAnimationFrame(() => {
      const channel = new MessageChannel();
      channel.port1.onmessage = () => {
        step.painted = performance.now();
        step.frames = probe.frames.filter((at) => at > step.pressed && at <= step.painted).length;
        probe.steps.push(step);
      };
      channel.port2.postMessage(0);
    });
  }, true);
}
"""
LAST = """
([pressed, value]) => {
  const { steps, pressed: at } = window.probe;
  const step = at > pressed && steps.findLast((one) => one.pressed === at);
  return step ? { ...step, took: step.painted - at } : false;
}
"""
EMPTY = """
<input type="range" min="0" max="1000" value="0" autofocus>
<canvas width="512" height="512"></canvas>
<script>
  const canvas = document.querySelector("canvas").getContext("2d");
  document.querySelector("input").addEventListener("input", ({ target }) => {
    const image = new ImageData(512, 512);
    new Uint32Array(image.data.buffer).fill(0xff000000 + 97 * target.value);
    canvas.putImageData(image, 0, 0);
    document.body.dispatchEvent(new CustomEvent("figure:shown", { detail: { at: target.value } }));
  });
</script>
"""


def empty_page(steps: int) -> Steps:
    """Return the times of a page that only fills a canvas."""
    with chromium_page() as page:
        page.set_content(EMPTY)
        page.evaluate(PROBE, "at")
        page.locator("input").focus()
        return _measure(page, Picture("an empty canvas", "", "at"), steps)


def of_picture(url: str, picture: Picture, *, steps: int, slowed: int = 1) -> Steps:
    """Return the times of one figure on a running site, in a Chromium `slowed` so many times."""
    with chromium_page() as page:
        page.goto(url + picture.address)
        page.wait_for_selector(".live--here", timeout=PATIENCE_MS)
        if slowed > 1:
            line = page.context.new_cdp_session(page)
            line.send("Emulation.setCPUThrottlingRate", {"rate": slowed})
        page.evaluate(PROBE, picture.slider)
        page.locator(f".live [data-control={picture.slider}] input").first.focus()
        if slowed > 1:
            picture = replace(picture, name=f"{picture.name}, {slowed}x slowed")
        return _measure(page, picture, steps)


def at_distances(url: str, distances: tuple[int, ...], *, steps: int) -> list[Steps]:
    """Return the times of the lesson's heatmap at each distance from the server."""
    found = []
    for ms in distances:
        with at_distance(url, ms) as there:
            heatmap = Picture(f"heatmap, {ms} ms away", PICTURES[0].address, "d_model")
            found.append(of_picture(there, heatmap, steps=steps))
    return found


def _measure(page: Any, picture: Picture, steps: int) -> Steps:
    chance = random.Random(1)
    found = [_step(page, picture.key(number), chance) for number in range(steps + 2 * LEG)][
        2 * LEG :
    ]
    script = [one["script"] for one in found]
    painted = [one["took"] for one in found]
    return Steps(
        name=picture.name,
        script_p50_ms=statistics.median(script),
        script_p95_ms=_high(script),
        painted_p50_ms=statistics.median(painted),
        painted_p95_ms=_high(painted),
        next_frame=sum(one["frames"] <= 1 for one in found) / steps,
        shown_of_50=_drag(page, picture),
        steps=steps,
    )


def _step(page: Any, key: str, chance: random.Random) -> dict[str, float]:
    """Press a key at a random moment of a frame, and return the times of its step.

    A key pressed as soon as the step before was told of came the later in its frame the longer the
    page had taken, up to the beginning of the next one, where a key waits longest: a page with 2 ms
    more for a frame was told to be 7 ms slower than the empty canvas in its slowest steps.
    """
    before = page.evaluate("() => window.probe.pressed")
    time.sleep(chance.uniform(0, FRAME_SECONDS))
    page.keyboard.press(key)
    waited = page.wait_for_function(LAST, arg=[before, 0], polling=5, timeout=PATIENCE_MS)
    found: dict[str, float] = waited.json_value()
    return found


def _drag(page: Any, picture: Picture) -> float:
    """Return how many of 50 keys, 30 a second, were painted."""
    page.wait_for_timeout(500)
    page.evaluate("() => { window.probe.steps.length = 0; }")
    begun = time.perf_counter()
    for number in range(DRAG):
        wait = begun + number / PER_SECOND - time.perf_counter()
        if wait > 0:
            time.sleep(wait)
        page.keyboard.press(picture.key(number))
    page.wait_for_timeout(1000)
    counted = "() => new Set(window.probe.steps.map((one) => one.pressed)).size"
    return float(page.evaluate(counted))


def _high(times: list[float]) -> float:
    return sorted(times)[min(len(times) - 1, round(0.95 * len(times)))]
