"""All that an address has drawn counts: every page and file."""

import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import nullcontext
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client
from posenc.query import Selection, all_parameters

from quizzes.learners.models import User
from quizzes.lessons.explorer_address import SLOTS
from quizzes.lessons.figures import (
    figure_context,
    figure_params,
    live,
    predict,
)
from quizzes.lessons.figures import views as figure_views
from quizzes.lessons.figures.figure_context import DRAWN
from quizzes.lessons.figures.figure_params import picture_of
from quizzes.lessons.models import Lesson, Step
from quizzes.limits import limits, seconds
from quizzes.limits.bucket import Bucket
from quizzes.limits.limits import Limit, LimitReachedError
from quizzes.limits.models import Budget
from quizzes.pages.blocks import Page, parse_page
from quizzes.study.views import FIGURE
from tests.learners.visitors import cookie_of
from tests.shipped_course import load_shipped_course
from tests.sweep.table import ADDRESSES, Who
from tests.sweep.test_sweep import place_of, sample
from tests.sweep.world import ADA, FIRST, World, make_world

VISITOR = "203.0.113.7"
FILES = "figures/<slug:encoding>/<slug:view>.<str:file>"
ENDINGS = ("json", "csv", "html", "live.svg", "svg")
OWN = ("/me/", "/review/", f"/c/{FIRST}/quiz/", f"/c/{FIRST}/exercises/")  # open to Ada
OF_SLOTS = "&".join(f"{slot}.base=777&{slot}.d_model=62" for slot in SLOTS)
ODD = 0.137  # of the way from the least value to the most: a value that nobody's page has


@dataclass
class Watch:
    """What happened to the limit and to pictures while a request was answered."""

    refuses: bool = False
    is_asked: bool = False
    charges: int = 0
    unasked: list[str] = field(default_factory=list)  # drawn before the limit was looked at
    drawn: list[str] = field(default_factory=list)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Watch the limit and the engine below all views, wherever a view has either from."""
    seen, compute = Watch(), Selection.compute

    def refuse_overdrawn(_: Limit, __: HttpRequest) -> None:
        seen.is_asked = True
        if seen.refuses:
            raise LimitReachedError(7)

    def charge(_: Limit, __: HttpRequest, _cost: float) -> None:
        seen.charges += 1

    def watched(selection: Selection) -> Any:
        seen.drawn.append(selection.canonical())
        if not seen.is_asked:
            seen.unasked.append(selection.canonical())
        return compute(selection)

    monkeypatch.setattr(Limit, "refuse_overdrawn", refuse_overdrawn)
    monkeypatch.setattr(Limit, "charge", charge)
    monkeypatch.setattr(Selection, "compute", watched)
    monkeypatch.setattr(figure_views, "reference_figure", lambda *_: b"")
    for module in (figure_context, figure_params, live, predict):
        for kept in vars(module).values():
            getattr(kept, "cache_clear", lambda: None)()
    return seen


def answer(client: Client, path: str, query: str, watch: Watch, *, refuses: bool = False) -> int:
    """Ask for an address as links lead on, and return the status at the end."""
    vars(watch).update(vars(Watch(refuses=refuses)))
    got = client.get(path + query, follow=True, REMOTE_ADDR=VISITOR)
    return got.status_code


def odd_value(selection: Selection) -> tuple[str, str]:
    """Return a parameter of a picture with a value that it has nowhere else."""
    for one in all_parameters(selection):
        if one.slider:
            low, high, step = one.slider
            value = low + round((high - low) * ODD / step) * step
            text = one.format(one.kind(value))
            if text != one.format(selection.values()[one.name]):
                return one.name, text
    raise ValueError(f"{selection.canonical()}: no parameter has a slider")


def query_of(page: Page) -> str:
    """Return a query that moves a slider of every figure of a page."""
    pairs = []
    for block in page.blocks:
        if block.kind in DRAWN:
            changes = ("change",) if block.options.get("change") else ()
            name, text = odd_value(picture_of(block, *changes))
            pairs.append(f"{block.options['id']}.{name}={text}")
    return "&".join(pairs)


def pages(world: World) -> Iterator[tuple[str, str]]:
    """Yield an address of every route that can be read, and of every step, with its own query."""
    place = place_of(world)
    for route, line in ADDRESSES.items():
        if line.get and line.who is not Who.NOBODY and route != FILES:
            yield sample(route, line, place), f"?{OF_SLOTS}&{query_of(FIGURE)}"
    yield from files_and_steps()


def files_and_steps() -> Iterator[tuple[str, str]]:
    """Yield each file of a figure, then a step, and a card, for each kind of block that draws."""
    for ending in ENDINGS:
        yield f"/figures/sinusoidal/heatmap.{ending}", "?d_model=62&base=777"
    found: dict[tuple[str, str], tuple[str, str]] = {}
    steps = Step.objects.select_related("lesson__course").filter(lesson__course__slug=FIRST)
    for step in steps.order_by("lesson__number", "number"):
        is_card = step.lesson.form == Lesson.Form.CARDS
        path = f"/c/{FIRST}/deep-dive/{step.number}/" if is_card else step.get_absolute_url()
        page = parse_page(step.text, path=path)
        for block in page.blocks:
            if block.kind in DRAWN:
                found.setdefault((step.lesson.form, block.kind), (path, f"?{query_of(page)}"))
    # The shipped courses have no plots; what draws them is what draws figures.
    assert {kind for _, kind in found} == DRAWN - {"plot"}
    yield from found.values()


@pytest.mark.soak
@pytest.mark.django_db
def test_every_drawing_is_within_the_limit(watch: Watch) -> None:
    world = make_world()
    clients = {ADA: Client(), "superuser": Client()}
    for name, client in clients.items():
        client.force_login(world.users[name], backend="django.contrib.auth.backends.ModelBackend")
    check_limit(
        watch, pages(world), lambda path: clients[ADA if path.startswith(OWN) else "superuser"]
    )


@pytest.mark.slow
@pytest.mark.django_db
def test_each_kind_of_drawing_is_within_the_limit(client: Client, watch: Watch) -> None:
    load_shipped_course()
    others = [("/", f"?{query_of(FIGURE)}"), ("/explore/", f"?{OF_SLOTS}")]
    check_limit(watch, [*others, *files_and_steps()], lambda _: client)


def check_limit(
    watch: Watch, pages: Iterable[tuple[str, str]], client_of: Callable[[str], Client]
) -> None:
    """Ask for each page as it is and with its query, within the limit and beyond it."""
    drawing, faults = set(), []
    for path, query in pages:
        client = client_of(path)
        usual = answer(client, path, "", watch)
        answer(client, path, query, watch)
        if not watch.drawn:
            continue
        drawing.add(path.split("/")[3 if path.startswith("/c/") else 1])
        if watch.unasked or not watch.charges:
            faults.append(f"{path}{query}: drawn before the limit, or not charged")
        if (refused := answer(client, path, query, watch, refuses=True)) != 429 or watch.drawn:
            faults.append(f"{path}{query}: {refused} where nothing is left")
        if path.startswith("/figures/"):
            continue
        if usual != 200 or answer(client, path, "", watch, refuses=True) != 200:
            faults.append(f"{path}: {usual}, must be shown to everybody")
    assert not faults, "\n".join(faults)
    assert drawing == {"", "explore", "figures", "learn", "deep-dive"}


def few_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let an address draw once."""
    buckets = [Bucket(f"few {most}", 1e-6, most, most) for most in (1e-5, 1e-6, 1e6)]
    monkeypatch.setattr(seconds, "SECONDS", Limit(*buckets))
    monkeypatch.setattr(limits, "LUMP", 0.0)


FIGURE_PATH = "/figures/sinusoidal/heatmap.{}?d_model=8&positions=5"


@pytest.mark.django_db
@pytest.mark.parametrize(
    "path",
    [
        *map(FIGURE_PATH.format, ("json", "csv", "svg")),
        "/explore/?enc=sinusoidal/heatmap&a.base=778",
    ],
)
def test_figure_is_refused_once_seconds_are_used(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    """Another address goes on, and so does the page without parameters."""
    few_seconds(monkeypatch)
    path = client.get(path).headers.get("Location", path)  # from this machine: not counted
    assert client.get(path, REMOTE_ADDR=VISITOR).status_code == 200
    refused = client.get(path, REMOTE_ADDR=VISITOR, headers={"accept": "text/html"})
    assert refused.status_code == 429
    assert "Too many requests" in refused.content.decode()
    assert int(refused["Retry-After"]) >= 1
    assert "no-store" in refused["Cache-Control"]
    assert client.get("/explore/", follow=True, REMOTE_ADDR=VISITOR).status_code == 200
    assert client.get(path, REMOTE_ADDR="203.0.113.8").status_code == 200


@pytest.mark.django_db
def test_figures_need_no_database(client: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    path = "/explore/?enc=sinusoidal/heatmap&a.base=778"

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(limits, "LUMP", 0.0)
    assert client.get(path, REMOTE_ADDR=VISITOR).status_code == 200
    assert Budget.objects.exists()
    monkeypatch.setattr(Bucket, "_use", fail)
    assert client.get(path, REMOTE_ADDR="203.0.113.8").status_code == 200
    monkeypatch.setattr(Budget.objects, "filter", fail)
    assert client.get(path, REMOTE_ADDR="203.0.113.9").status_code == 200


@pytest.mark.parametrize("seconds_before", [0.0, 0.4])
def test_newcomer_is_refused_behind_slow_figure(seconds_before: float) -> None:
    place, begin, end = seconds.Place(), threading.Event(), threading.Event()

    def hold() -> None:
        with place.hold():
            begin.set()
            end.wait(30 if seconds_before else 0.02)

    holder = threading.Thread(target=hold)
    holder.start()
    assert begin.wait(30)
    time.sleep(seconds_before)
    with pytest.raises(LimitReachedError) if seconds_before else nullcontext(), place.hold():
        pass
    end.set()
    holder.join()


@pytest.mark.django_db
@pytest.mark.parametrize("path", [FIGURE_PATH.format(kind) for kind in ("json", "svg")])
def test_strangers_take_no_place_of_others(
    client: Client, monkeypatch: pytest.MonkeyPatch, path: str
) -> None:
    monkeypatch.setattr(figure_views, "reference_figure", lambda *_: b"")
    path = client.get(path).headers.get("Location", path)
    known, account = Client(), Client()
    known.cookies.load(cookie_of("127.0.0.1"))
    user = User.objects.create_user("ada")
    account.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    monkeypatch.setattr(seconds.Place, "PATIENCE", 0.0)
    with seconds._FOR_STRANGERS.hold():
        statuses = [who.get(path, REMOTE_ADDR=VISITOR).status_code for who in (client, known)]
        assert statuses == [429, 200]
        with seconds._FOR_KNOWN.hold():
            assert known.get(path, REMOTE_ADDR=VISITOR).status_code == 429
            assert account.get(path, REMOTE_ADDR=VISITOR).status_code == 200
