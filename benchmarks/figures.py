"""How fast figures are: pictures a second, and from a slider's key to the frame it changes.

Usage: python benchmarks/figures.py [--quick] [--alone] [--json FILE] [--url URL]
Starts a site of its own on loopback (with a database and a port of its own) and stops it
again, unless --url names one that runs already. In the same run, the same figure in Streamlit and
in Panel (requirements-bench.txt, in an environment of their own), unless --alone. Prints a table
for people; --json writes the same numbers for programs; --quick ends within a minute.

What is measured
  in process   the whole live answer (data, picture, card) and the picture alone, on one core
  over HTTP    live answers from the site's own server, four clients, every answer a new picture
  reference    one figure by matplotlib, for first paint, print and download
  step, drag   see slider.py; the peers draw the same figure by matplotlib, as their users do
"""

import argparse
import json
import os
import platform
import sys
from dataclasses import asdict
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks import slider_pages  # noqa: E402
from benchmarks.figure_rates import Rates, rates  # noqa: E402
from benchmarks.own_site import OwnSite  # noqa: E402
from benchmarks.peers import python_of_peers  # noqa: E402
from benchmarks.slider import Slider  # noqa: E402

# name: the limit, and whether less is better
GOALS = {
    "step_p50_ms": (35.0, True),
    "step_p95_ms": (50.0, True),
    "shown_of_50": (45.0, False),
    "settle_ms": (60.0, True),
    "picture_in_process": (400.0, False),
    "reference_p50_ms": (150.0, True),
}


def missed(found: Rates, slider: Slider) -> list[str]:
    """Return the names of the goals that were not met."""
    numbers = {**asdict(found), **asdict(slider)}
    return [
        name
        for name, (limit, less) in GOALS.items()
        if (numbers[name] > limit if less else numbers[name] < limit)
    ]


def table(found: Rates, sliders: dict[str, Slider]) -> str:
    """Return the numbers for people."""
    lines = [
        f"live pictures in process   {found.picture_in_process:.0f}/s on one core   (goal 400)",
        f"live answers in process    {found.answer_in_process:.0f}/s on one core",
        f"live answers over HTTP     {found.answer_over_http:.0f}/s",
        f"reference figure           p50 {found.reference_p50_ms:.0f} ms"
        f" ({found.references} figures)   (goal 150)",
        "",
        f"{'slider':12}{'step p50':>10}{'p95':>8}{'steps':>7}{'shown of 50':>13}{'settle':>9}"
        f"{'drags':>7}",
    ]
    for name, one in sliders.items():
        lines.append(
            f"{name:12}{one.step_p50_ms:7.1f} ms{one.step_p95_ms:5.0f} ms{one.steps:7}"
            f"{one.shown_of_50:13.1f}{one.settle_ms:6.0f} ms{one.drags:7}"
        )
    lines.append(f"{'goal':12}{35:7.1f} ms{50:5.0f} ms{'':7}{45:13.1f}{60:6.0f} ms")
    return "\n".join(lines)


def measure(url: str, *, quick: bool, peers: Path | None) -> tuple[Rates, dict[str, Slider]]:
    """Return everything, for a site that runs at `url`."""
    steps, drags = (60, 2) if quick else (200, 6)
    sliders = {"Ordinal": slider_pages.ours(url, steps=steps, drags=drags)}
    found = rates(url, quick=quick)
    if peers is not None:
        steps, drags = (6, 1) if quick else (60, 3)
        sliders["Streamlit"] = slider_pages.streamlit(peers, steps=steps, drags=drags)
        sliders["Panel"] = slider_pages.panel(peers, steps=steps, drags=drags)
    return found, sliders


def main() -> int:
    """Measure, print, and return 1 when a goal is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--quick", action="store_true", help="end within a minute")
    parser.add_argument("--alone", action="store_true", help="without Streamlit and Panel")
    parser.add_argument("--json", metavar="FILE", type=Path, help="write the numbers here as well")
    parser.add_argument("--url", help="a running site, instead of one of its own")
    options = parser.parse_args()
    peers = None if options.alone else python_of_peers()
    if options.url:
        found, sliders = measure(options.url.rstrip("/"), quick=options.quick, peers=peers)
    else:
        with OwnSite() as site:
            found, sliders = measure(site.url, quick=options.quick, peers=peers)
    not_met = missed(found, sliders["Ordinal"])
    machine = f"{os.cpu_count()} cores, {platform.machine()}, Python {platform.python_version()}"
    print(f"{machine}\n{table(found, sliders)}")
    print("goals MISSED: " + ", ".join(not_met) if not_met else "goals met")
    if options.json:
        numbers = {name: asdict(one) for name, one in sliders.items()}
        result = {"command": sys.argv, "machine": machine, "rates": asdict(found)}
        result |= {"sliders": numbers, "goals": GOALS, "goals_met": not not_met}
        options.json.write_text(json.dumps(result, indent=2) + "\n")
    return 1 if not_met else 0


if __name__ == "__main__":
    sys.exit(main())
