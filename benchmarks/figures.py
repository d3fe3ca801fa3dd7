"""How fast figures are: pictures a second, and from a slider's key press to the frame it changes.

Usage: python benchmarks/figures.py [--quick] [--json FILE] [--url URL]
Starts a site of its own on loopback (a database and a port that nobody else uses) and stops it
again, unless --url names one that runs already. Prints a table for people; --json writes the same
numbers for programs; --quick ends within 45 seconds.

What is measured
  in process   the whole live answer (data, picture, card) and the picture alone, on one core
  over HTTP    live answers from the site's own server, four clients, every answer a new picture
  step         a key pressed on a slider, until the frame that shows exactly that value is painted
  drag         50 values in a row, 30 a second: how many were ever shown, and how long after the
               last one its picture stood there (settle)
"""

import argparse
import json
import os
import platform
import statistics
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.own_site import OwnSite  # noqa: E402
from tests.browser import CHROMIUM_FLAGS  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

STEP = "/learn/sinusoidal-values/seeing-it/"
FIGURE = "codes"
LIVE = "/figures/sinusoidal/heatmap.json"
GOALS = {"step_p50_ms": 40.0, "shown_of_50": 45}
DRAG = 50
PER_SECOND = 30


@dataclass(frozen=True)
class Rates:
    """Pictures a second."""

    picture_in_process: float
    answer_in_process: float
    answer_over_http: float


@dataclass(frozen=True)
class Slider:
    """Times in Chromium, in milliseconds."""

    step_p50_ms: float
    step_p95_ms: float
    steps: int
    shown_of_50: float
    settle_ms: float
    drags: int


def in_process(seconds: float) -> tuple[float, float]:
    """Return pictures a second and whole answers a second, each with a new d_model."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    import django

    django.setup()
    from posenc.figures.live import draw_live

    from quizzes.lessons.figures.address import compute, find_view, select
    from quizzes.lessons.figures.live import payload

    view = find_view("sinusoidal", "heatmap")

    def selection(number: int) -> Any:
        return select(*view, {"d_model": str(20 + number % 200), "positions": "20"})

    pictures = _rate(seconds, lambda number: draw_live(compute(selection(number))))
    answers = _rate(
        seconds,
        lambda number: json.dumps(
            payload(selection(number), scheme="light", width="wide", table=False)
        ),
    )
    return pictures, answers


def _rate(seconds: float, draw: Any) -> float:
    for number in range(20):
        draw(number)
    started, count = time.perf_counter(), 0
    while time.perf_counter() < started + seconds:
        draw(count)
        count += 1
    return count / (time.perf_counter() - started)


def over_http(url: str, seconds: float, clients: int = 4) -> float:
    """Return live answers a second from a running site, connections kept open."""
    import http.client
    from urllib.parse import urlsplit

    place = urlsplit(url)
    ends = time.perf_counter() + seconds

    def ask(client: int) -> int:
        connection = http.client.HTTPConnection(place.hostname or "", place.port, timeout=30)
        count = 0
        while time.perf_counter() < ends:
            d_model, base = 20 + count % 200, 1000 + client * 7 + count // 200
            connection.request("GET", f"{LIVE}?base={base}&d_model={d_model}&positions=20")
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                raise RuntimeError(f"{LIVE} answered {answer.status}")
            count += 1
        connection.close()
        return count

    with ThreadPoolExecutor(clients) as pool:
        started = time.perf_counter()
        total = sum(pool.map(ask, range(clients)))
        return total / (time.perf_counter() - started)


# Runs in the page. `figure:shown` is sent in the frame that swaps the picture in; a message posted
# there is delivered once that frame has been painted.
PROBE = """
() => {
  const figure = document.querySelector("[data-figure=NAME]");
  const slider = figure.querySelector("[data-control=d_model] input");
  window.probe = { shown: [], pressed: 0, slider };
  slider.addEventListener("keydown", (event) => { window.probe.pressed = event.timeStamp; });
  figure.addEventListener("figure:shown", (event) => {
    const value = event.detail.d_model;
    const channel = new MessageChannel();
    channel.port1.onmessage = () => window.probe.shown.push([value, performance.now()]);
    channel.port2.postMessage(0);
  });
}
"""
SHOWN_AFTER_PRESS = """
() => {
  const { shown, slider, pressed } = window.probe;
  const found = shown.find(([value, at]) => value === slider.value && at > pressed);
  return found ? found[1] - pressed : false;
}
"""
DRAG_SCRIPT = """
async ([count, gap, from]) => {
  const { slider } = window.probe;
  window.probe.shown.length = 0;
  const wanted = [];
  const started = performance.now();
  for (let step = 0; step < count; step += 1) {
    const wait = started + step * gap - performance.now();
    if (wait > 0) await new Promise((done) => setTimeout(done, wait));
    slider.value = from + step;
    wanted.push(slider.value);
    slider.dispatchEvent(new Event("input", { bubbles: true }));
  }
  const last = performance.now();
  const final = wanted[wanted.length - 1];
  for (;;) {
    const found = window.probe.shown.find(([value, at]) => value === final && at > last);
    if (found) {
      const values = new Set(window.probe.shown.map(([value]) => value));
      return [wanted.filter((value) => values.has(value)).length, found[1] - last];
    }
    if (performance.now() > last + 20000) return [0, Infinity];
    await new Promise((done) => setTimeout(done, 1));
  }
}
"""


def in_chromium(url: str, *, steps: int, drags: int) -> Slider:
    """Return what a reader sees: a key press at a time, then drags."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_FLAGS)
        )
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(url + STEP)
        page.wait_for_selector(f"#figure-{FIGURE}.live--on")
        page.evaluate(PROBE.replace("NAME", FIGURE))
        slider = page.locator(f"#figure-{FIGURE} [data-control=d_model] input")
        slider.focus()
        times = []
        for number in range(steps + 5):  # the first few warm the browser up
            page.keyboard.press("ArrowRight")
            handle = page.wait_for_function(SHOWN_AFTER_PRESS, polling=5)
            times.append(float(handle.json_value()))
            if number % 50 == 49:
                page.wait_for_timeout(200)
        shown, settled = [], []
        for number in range(drags):
            page.wait_for_timeout(300)
            start = 200 + number * DRAG  # values the browser has no picture of
            count, settle = page.evaluate(DRAG_SCRIPT, [DRAG, 1000 / PER_SECOND, start])
            shown.append(count)
            settled.append(settle)
        browser.close()
    ordered = sorted(times[5:])
    return Slider(
        step_p50_ms=statistics.median(ordered),
        step_p95_ms=ordered[min(len(ordered) - 1, round(0.95 * len(ordered)))],
        steps=steps,
        shown_of_50=statistics.mean(shown),
        settle_ms=statistics.median(settled),
        drags=drags,
    )


def measure(url: str, *, quick: bool) -> tuple[Rates, Slider]:
    """Return everything, for a site that runs at `url`."""
    pictures, answers = in_process(2.0 if quick else 6.0)
    http = over_http(url, 3.0 if quick else 10.0)
    slider = in_chromium(url, steps=60 if quick else 200, drags=2 if quick else 6)
    return Rates(pictures, answers, http), slider


def table(rates: Rates, slider: Slider) -> str:
    """Return the numbers for people."""
    lines = [
        ("live pictures in process", f"{rates.picture_in_process:.0f}/s"),
        ("live answers in process", f"{rates.answer_in_process:.0f}/s"),
        ("live answers over HTTP", f"{rates.answer_over_http:.0f}/s"),
        ("slider step p50", f"{slider.step_p50_ms:.1f} ms   (goal {GOALS['step_p50_ms']:.0f})"),
        ("slider step p95", f"{slider.step_p95_ms:.1f} ms   ({slider.steps} steps)"),
        ("shown of 50", f"{slider.shown_of_50:.1f}   (goal {GOALS['shown_of_50']:.0f})"),
        ("settle", f"{slider.settle_ms:.1f} ms   ({slider.drags} drags)"),
    ]
    return "\n".join(f"{name:26} {value}" for name, value in lines)


def main() -> int:
    """Measure, print, and return 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="end within 45 seconds")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers here as well")
    parser.add_argument("--url", help="a running site, instead of one of its own")
    options = parser.parse_args()
    if options.url:
        rates, slider = measure(options.url.rstrip("/"), quick=options.quick)
    else:
        with OwnSite() as site:
            rates, slider = measure(site.url, quick=options.quick)
    met = slider.step_p50_ms <= GOALS["step_p50_ms"] and slider.shown_of_50 >= GOALS["shown_of_50"]
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    print(f"{machine}\n{table(rates, slider)}\ngoals {'met' if met else 'MISSED'}")
    if options.json:
        numbers = {"machine": machine, "rates": asdict(rates), "slider": asdict(slider)}
        result = {"command": sys.argv, **numbers, "goals": GOALS, "goals_met": met}
        options.json.write_text(json.dumps(result, indent=2) + "\n")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
