"""Pictures a second: in process on one core, over HTTP, and the time of a reference figure."""

import json
import os
import statistics
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

LIVE = "/figures/sinusoidal/heatmap.json"


@dataclass(frozen=True)
class Rates:
    """Pictures a second, and ms for one by matplotlib."""

    picture_in_process: float
    answer_in_process: float
    answer_over_http: float
    reference_p50_ms: float
    references: int


def rates(url: str, *, quick: bool) -> Rates:
    """Return all rates; `url` is a running site."""
    pictures, answers = in_process(2.0 if quick else 6.0)
    http = over_http(url, 3.0 if quick else 10.0)
    count = 15 if quick else 60
    return Rates(pictures, answers, http, reference_p50(count), count)


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


def _rate(seconds: float, draw: Callable[[int], Any]) -> float:
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


def reference_p50(count: int) -> float:
    """Return the median ms of figure 3 by matplotlib as SVG, each with a new d_model."""
    from posenc.catalog.sinusoidal import Sinusoidal
    from posenc.figures.reference import draw
    from posenc.registry import REGISTRY

    view, times = REGISTRY["sinusoidal"].views["heatmap"], []
    for number in range(count + 2):
        data = view.compute(Sinusoidal(d_model=50 + number))
        started = time.perf_counter()
        draw(data)
        times.append(1000 * (time.perf_counter() - started))
    return statistics.median(times[2:])
