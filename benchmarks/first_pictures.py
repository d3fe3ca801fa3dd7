"""Compare two sites by the first pictures of their steps.

first_pictures.patch makes a site whose pages draw all pictures; DRAW says how: `modules`, `file` or
`inline`, and ESBUILD names the program that joins the scripts. Both sites run as in production.

Usage: python benchmarks/first_pictures.py COMMAND TODAY OTHER
TODAY and OTHER are addresses of running sites on loopback; visits alternate.

  painted   when pictures are painted; --far: 300 ms and 50 kB/s; --warm: after another step
  missing   the scripts without which a picture is missing
  readers   20 readers at once without scripts, each with a slider elsewhere; OTHER's readers also
            ask for the file that matplotlib draws
"""

import argparse
import os
import random
import re
import statistics
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.own_site import HOME  # noqa: E402
from tests.browser import CHROMIUM_FLAGS  # noqa: E402
from tools.find_chromium import find_chromium  # noqa: E402

# Steps whose first two pictures stand in open screens; the second of the last is far below.
STEPS = {
    "sinusoidal-values/seeing-it/#2": 2,
    "alibi/slopes/#2": 2,
    "longer-texts/dynamic-and-llama/#9": 1,
}
STEP_BEFORE = "sinusoidal-values/the-formula/"
FAR = {
    "offline": False,
    "latency": 300,
    "downloadThroughput": 50_000,
    "uploadThroughput": 50_000,
}
READERS = 20
SLIDER = "d_model"
PROBE = """
window.probe = { seen: {}, shift: 0, largest: 0, first: 0 };
const watch = (type, note) => new PerformanceObserver((list) => list.getEntries().forEach(note))
  .observe({ type, buffered: true });
watch("layout-shift", (entry) => { if (!entry.hadRecentInput) window.probe.shift += entry.value; });
watch("largest-contentful-paint", (entry) => { window.probe.largest = entry.startTime; });
watch("paint", (entry) => {
  if (entry.name === "first-contentful-paint") window.probe.first = entry.startTime;
});
const look = () => {
  [...document.querySelectorAll(".live__canvas")].slice(0, 2).forEach((box, n) => {
    if (n in window.probe.seen || !isDrawn(box)) return;
    window.probe.seen[n] = 0;
    const line = new MessageChannel(); // its message comes when the frame is made
    line.port1.onmessage = () => { window.probe.seen[n] = performance.now(); };
    line.port2.postMessage(0);
  });
  requestAnimationFrame(look);
};
requestAnimationFrame(look);
"""
IS_DRAWN = """
window.isDrawn = (box) => {
  const image = box.querySelector("img");
  if (image) return image.complete && image.naturalWidth > 0;
  return "drawn" in box.firstElementChild.dataset;
};
"""
ALL_SEEN = """(count) => window.probe?.first > 0
  && [...Array(count).keys()].every((n) => window.probe.seen[n] > 0)"""
MISSING = """() => [...document.querySelectorAll(".live__canvas")].slice(0, 2)
  .filter((box) => !window.isDrawn(box)).length"""


def visit(browser: Any, site: str, step: str, *, far: bool, warm: bool) -> dict[str, float]:
    """Return the times in ms of one visit with an empty cache, or one after another step."""
    context = browser.new_context(viewport={"width": 1280, "height": 900})
    page = context.new_page()
    if warm:
        page.goto(f"{site}{HOME}/learn/{STEP_BEFORE}")
        page.wait_for_timeout(400)
    line = context.new_cdp_session(page)
    line.send("Network.enable")
    if far:
        line.send("Network.emulateNetworkConditions", FAR)
    page.add_init_script(IS_DRAWN + PROBE)
    page.goto(f"{site}{HOME}/learn/{step}", wait_until="commit")
    page.wait_for_function(ALL_SEEN, arg=STEPS[step], timeout=60_000)
    page.wait_for_timeout(250)
    probe = page.evaluate("() => window.probe")
    context.close()
    seen = [max(probe["seen"][str(n)], probe["first"]) for n in range(STEPS[step])]
    return {
        "first": seen[0],
        "both": max(seen),
        "text": probe["first"],
        "largest": probe["largest"],
        "shift": probe["shift"],
    }


def compare_painted(browser: Any, sites: list[str], options: argparse.Namespace) -> None:
    """Print medians of each site, and the median of the differences of pairs."""
    for step in STEPS:
        pairs = []
        for number in range(options.rounds):
            order = random.Random(number).sample((0, 1), 2)
            both = {
                n: visit(browser, sites[n], step, far=options.far, warm=options.warm) for n in order
            }
            pairs.append((both[0], both[1]))
        print(f"\n{step}  load {os.getloadavg()[0]:.0f}, {len(pairs)} pairs")
        for name in pairs[0][0]:
            middles = [statistics.median(pair[n][name] for pair in pairs) for n in (0, 1)]
            apart = [pair[1][name] - pair[0][name] for pair in pairs]
            ends = f"{min(apart):+.3g} to {max(apart):+.3g}"
            print(
                f"  {name:8}{middles[0]:9.4g}{middles[1]:9.4g}"
                f"   {statistics.median(apart):+.3g} ({ends})"
            )


def compare_missing(browser: Any, sites: list[str], _: argparse.Namespace) -> None:
    """Print the scripts of a step without which a picture is missing."""
    for site in sites:
        scripts: dict[str, int] = {}
        address = f"{site}{HOME}/learn/alibi/slopes/#2"

        def look(prepare: Callable[[Any], object], address: str = address) -> int:
            with browser.new_context() as context:
                page = context.new_page()
                page.add_init_script(IS_DRAWN)
                prepare(page)
                page.goto(address)
                page.wait_for_timeout(1500)
                return int(page.evaluate(MISSING))

        def note(request: Any, scripts: dict[str, int] = scripts) -> None:
            if request.resource_type == "script":
                scripts[request.url] = 0

        print(f"{site}: {look(lambda page: page.on('request', note))} missing with all scripts")
        for script in list(scripts):
            scripts[script] = look(
                lambda page, script=script: page.route(script, lambda route: route.abort())
            )
        needed = [script.rpartition("/static/")[2] for script, lost in scripts.items() if lost]
        print(f"  {len(needed)} of {len(scripts)} scripts: {', '.join(needed)}")


def ask(address: str) -> int:
    """Return the status of an answer, read to its end."""
    try:
        with urllib.request.urlopen(address, timeout=60) as answer:
            answer.read()
            return int(answer.status)
    except urllib.error.HTTPError as error:
        return error.code


def read_without_scripts(site: str, value: int, *, file: str) -> tuple[float, bool]:
    """Return the seconds until a page and its picture are there, and whether they are."""
    started = time.perf_counter()
    step = f"{site}{HOME}/learn/sinusoidal-values/seeing-it/"
    statuses = [ask(f"{step}?codes.{SLIDER}={value}")]
    if file:
        statuses.append(ask(site + re.sub(rf"{SLIDER}=\d+", f"{SLIDER}={value}", file)))
    return time.perf_counter() - started, all(status == 200 for status in statuses)


def compare_readers(_: Any, sites: list[str], options: argparse.Namespace) -> None:
    """Print the 95th percentile of 20 readers in each round, and how many had no picture."""
    step = f"{sites[1]}{HOME}/learn/sinusoidal-values/seeing-it/"
    with urllib.request.urlopen(step) as answer:
        found = re.search(
            r'href="(/figures/sinusoidal/heatmap\.svg\?[^"]+)"', answer.read().decode()
        )
    assert found is not None
    file = found[1].replace("&amp;", "&")
    ask(sites[1] + file)  # the processes that draw start with their first file
    values = random.Random(1).sample(range(20, 1000), READERS * options.rounds)
    late: dict[str, list[float]] = {site: [] for site in sites}
    lost: dict[str, list[int]] = {site: [] for site in sites}
    with ThreadPoolExecutor(READERS) as readers:
        for number in range(options.rounds):
            of_round = values[number * READERS : (number + 1) * READERS]
            for site in random.Random(number).sample(sites, 2):
                drawn = file if site == sites[1] else ""
                read = list(
                    readers.map(
                        lambda value, site=site, drawn=drawn: read_without_scripts(
                            site, value, file=drawn
                        ),
                        of_round,
                    )
                )
                late[site].append(sorted(seconds for seconds, _ in read)[18])
                lost[site].append(sum(not there for _, there in read))
    print(f"load {os.getloadavg()[0]:.0f}")
    for site in sites:
        print(f"{site}: p95 {statistics.median(late[site]):.2f} s, without a picture {lost[site]}")


def main() -> None:
    """Read the command line and compare."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    commands = {
        "painted": compare_painted,
        "missing": compare_missing,
        "readers": compare_readers,
    }
    parser.add_argument("command", choices=commands)
    parser.add_argument("sites", nargs=2)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--far", action="store_true")
    parser.add_argument("--warm", action="store_true")
    options = parser.parse_args()
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=find_chromium(), args=list(CHROMIUM_FLAGS)
        )
        commands[options.command](browser, options.sites, options)
        browser.close()


if __name__ == "__main__":
    main()
