"""How fast figures are: pictures a second, and from a slider's key to the frame it changes.

Usage: python benchmarks/figures.py [--quick | --smoke] [--json FILE] [--url URL]
       [--picture NAME]
Starts a site of its own on loopback (with a database and a port of its own) and stops it
again, unless --url names one that runs already. Prints a table for people; --json writes the same
numbers for programs; --quick takes fewer steps and figures, --smoke two steps; --picture takes the
steps of one picture of the page alone, next to an empty canvas.

What is measured
  in process   the whole live answer (data, picture, card) and the picture alone, on one core
  over HTTP    live answers from the site's own server, four clients, every answer a new picture
  reference    one figure by matplotlib, for first paint, print and download
  step, drag   see slider.py; by the page, and by the server for views that it alone draws
  in the page  see page_steps.py; also at a distance from the server, and in a slowed Chromium
"""

import os
import platform
import sys
from argparse import Namespace
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict, dataclass
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks import slider_pages  # noqa: E402
from benchmarks.distance import at_distance  # noqa: E402
from benchmarks.figure_rates import Rates, rates  # noqa: E402
from benchmarks.options import end, parser_of  # noqa: E402
from benchmarks.own_site import OwnSite  # noqa: E402
from benchmarks.page_steps import (  # noqa: E402
    DISTANCES_MS,
    DRAG,
    PICTURES,
    SLOWED,
    Picture,
    Steps,
    at_distances,
    empty_page,
    of_picture,
)
from benchmarks.slider import Slider  # noqa: E402

# name: the limit, and whether less is better
GOALS = {  # of the server; a step is that of a view which the server draws
    "step_p50_ms": (35.0, True),
    "step_p95_ms": (50.0, True),
    "shown_of_50": (45.0, False),
    "settle_ms": (60.0, True),
    "picture_in_process": (400.0, False),
    "reference_p50_ms": (150.0, True),
}
PAGE_GOALS = {  # of every view that the page draws
    "script_p50_ms": (4.0, True),
    "script_p95_ms": (8.0, True),
    "next_frame": (0.95, False),
    "shown_of_50": (50.0, False),
}
BESIDE_EMPTY = 1.2  # times the p95 of a page that only fills a canvas
APART = 0.2  # of the numbers with distance from those without
SHOWN_FAR_AWAY = 25.0  # of 50, by the server 80 ms away
FAR_MS = 80
LEAST_MS = 1.0  # shorter times are not told apart


SERVER = "by the server"


def missed(found: Rates, slider: Slider) -> list[str]:
    """Return the names of the goals that were not met."""
    numbers = {**asdict(found), **asdict(slider)}
    return [
        name
        for name, (limit, less) in GOALS.items()
        if (numbers[name] > limit if less else numbers[name] < limit)
    ]


@dataclass(frozen=True)
class InPage:
    """The steps that the page draws, and those of the server from far away."""

    empty: Steps
    pictures: list[Steps]
    far: list[Steps]
    slowed: Steps
    server_far: Slider


def missed_by(pictures: list[Steps], empty: Steps) -> list[str]:
    """Return the goals of a step that were not met, each with the name of the figure."""
    names = [
        f"{name} of {one.name}"
        for one in pictures
        for name, (limit, less) in PAGE_GOALS.items()
        if (getattr(one, name) > limit if less else getattr(one, name) < limit)
    ]
    names += [
        f"painted_p95_ms of {one.name}"
        for one in pictures
        if one.painted_p95_ms > BESIDE_EMPTY * empty.painted_p95_ms
    ]
    return names


def missed_in_page(found: InPage) -> list[str]:
    """Return the goals of the page that were not met, each with the name of the figure."""
    names = missed_by(found.pictures, found.empty)
    near, *others = found.far
    for other in others:
        for name in ("script_p50_ms", "painted_p50_ms", "shown_of_50"):
            here, there = getattr(near, name), getattr(other, name)
            if abs(there - here) > max(APART * here, LEAST_MS):
                names.append(f"{name} of {other.name}")
    if found.slowed.shown_of_50 < DRAG:
        names.append(f"shown_of_50 of {found.slowed.name}")
    if found.server_far.shown_of_50 < SHOWN_FAR_AWAY:
        names.append(f"shown_of_50 by the server, {FAR_MS} ms away")
    return names


def steps_table(steps: list[Steps]) -> str:
    """Return the times of steps for people."""
    head = (
        f"{'in the page':26}{'script p50':>11}{'p95':>7}{'painted p50':>13}{'p95':>7}"
        f"{'next frame':>12}{'shown of 50':>13}"
    )
    lines = [head]
    for one in steps:
        lines.append(
            f"{one.name:26}{one.script_p50_ms:8.1f} ms{one.script_p95_ms:4.1f} ms"
            f"{one.painted_p50_ms:10.1f} ms{one.painted_p95_ms:4.0f} ms"
            f"{one.next_frame:11.0%} {one.shown_of_50:12.0f}"
        )
    lines.append(f"{'goal':26}{4:8.1f} ms{8:4.1f} ms{'':20}{0.95:11.0%} {50:12}")
    return "\n".join(lines)


def page_table(found: InPage) -> str:
    """Return the numbers of the page for people."""
    far = f"by the server, {FAR_MS} ms away"
    return (
        steps_table([found.empty, *found.pictures, *found.far, found.slowed])
        + f"\n{far:26}{found.server_far.shown_of_50:64.1f}   (goal {SHOWN_FAR_AWAY:.0f})"
    )


def measure_picture(url: str, picture: Picture, *, quick: bool) -> list[str]:
    """Print the times of one picture of the page, and return the goals that it missed."""
    steps = 20 if quick else 200
    empty, found = empty_page(steps), of_picture(url, picture, steps=steps)
    print(steps_table([empty, found]))
    return missed_by([found], empty)


def measure_in_page(url: str, *, quick: bool) -> InPage:
    """Return the numbers of what the page draws, for a site that runs at `url`."""
    steps = 20 if quick else 200
    pictures = PICTURES[:1] if quick else PICTURES
    with at_distance(url, FAR_MS) as there:
        far = slider_pages.ours(there, steps=5, drags=1 if quick else 4, by_the_server=True)
    return InPage(
        empty=empty_page(steps),
        pictures=[of_picture(url, one, steps=steps) for one in pictures],
        far=at_distances(url, (0, FAR_MS) if quick else DISTANCES_MS, steps=steps),
        slowed=of_picture(url, PICTURES[0], steps=steps, slowed=SLOWED),
        server_far=far,
    )


def table(found: Rates, sliders: dict[str, Slider]) -> str:
    """Return the numbers for people."""
    lines = [
        f"live pictures in process   {found.picture_in_process:.0f}/s on one core   (goal 400)",
        f"live answers in process    {found.answer_in_process:.0f}/s on one core",
        f"live answers over HTTP     {found.answer_over_http:.0f}/s",
        f"reference figure           p50 {found.reference_p50_ms:.0f} ms"
        f" ({found.references} figures)   (goal 150)",
        "",
        f"{'slider':14}{'step p50':>10}{'p95':>8}{'steps':>7}{'shown of 50':>13}{'settle':>9}"
        f"{'drags':>7}",
    ]
    for name, one in sliders.items():
        lines.append(
            f"{name:14}{one.step_p50_ms:7.1f} ms{one.step_p95_ms:5.0f} ms{one.steps:7}"
            f"{one.shown_of_50:13.1f}{one.settle_ms:6.0f} ms{one.drags:7}"
        )
    lines.append(f"{'goal':14}{35:7.1f} ms{50:5.0f} ms{'':7}{45:13.1f}{60:6.0f} ms")
    return "\n".join(lines)


def measure(url: str, *, quick: bool) -> tuple[Rates, dict[str, Slider]]:
    """Return everything, for a site that runs at `url`."""
    steps, drags = (60, 2) if quick else (200, 6)
    sliders = {"Ordinal": slider_pages.ours(url, steps=steps, drags=drags)}
    sliders[SERVER] = slider_pages.ours(url, steps=steps, drags=drags, by_the_server=True)
    return rates(url, quick=quick), sliders


def smoke(options: Namespace, site: AbstractContextManager[OwnSite | None]) -> int:
    """Take two steps of the slider that the page draws by itself."""
    with site as own:
        slider = slider_pages.ours(own.url if own else options.url, steps=2, drags=0)
    print(f"a step of the slider: {slider.step_p50_ms:.1f} ms")
    return end(options, {"sliders": {"Ordinal": asdict(slider)}}, [])


def main() -> int:
    """Measure, print, and return 1 when a full run misses a goal."""
    parser = parser_of(__doc__)
    parser.add_argument("--url", help="a running site, instead of one of its own")
    names = [one.name for one in PICTURES]
    parser.add_argument("--picture", choices=names, help="only the steps of this one")
    options = parser.parse_args()
    site = nullcontext() if options.url else OwnSite()
    if options.picture and options.json:
        parser.error("--picture prints one picture: expected no --json with it")
    if options.picture:
        with site as own:
            url = own.url if own else options.url.rstrip("/")
            picture = PICTURES[names.index(options.picture)]
            not_met = measure_picture(url, picture, quick=options.run != "full")
        print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
        return end(options, None, not_met)
    if options.run == "smoke":
        return smoke(options, site)
    quick = options.run == "quick"
    with site as own:
        url = own.url if own else options.url.rstrip("/")
        found, sliders = measure(url, quick=quick)
        in_page = measure_in_page(url, quick=quick)
    not_met = missed(found, sliders[SERVER]) + missed_in_page(in_page)
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    print(f"{machine}\n{table(found, sliders)}\n\n{page_table(in_page)}")
    print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
    numbers = {"command": sys.argv, "machine": machine, "rates": asdict(found)}
    numbers |= {
        "sliders": {name: asdict(one) for name, one in sliders.items()},
        "in_page": asdict(in_page),
        "goals": GOALS | PAGE_GOALS,
        "goals_met": not not_met,
    }
    return end(options, numbers, not_met)


if __name__ == "__main__":
    sys.exit(main())
