"""Whatever an address has drawn counts: every page and file, and a file to its last line."""

import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest
from django.db import OperationalError
from django.http import HttpRequest
from django.test import Client, RequestFactory
from posenc.query import Selection, all_parameters

from quizzes.learners import budgets
from quizzes.learners.budgets import MeasuredBudget, PersonBudget
from quizzes.learners.models import Learner, User
from quizzes.lessons.explorer_view import SLOTS
from quizzes.lessons.figures import (
    figure_budget,
    figure_context,
    figure_params,
    live,
    predict,
)
from quizzes.lessons.figures import views as figure_views
from quizzes.lessons.figures.figure_context import DRAWN
from quizzes.lessons.figures.figure_params import picture_of
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.blocks import Page, parse_page
from quizzes.study.views import FIGURE
from tests.sweep.table import ADDRESSES, Place, Who
from tests.sweep.test_sweep import sample
from tests.sweep.world import ADA, FIRST, World, make_world

VISITOR = "203.0.113.7"
FILES = "figures/<slug:encoding>/<slug:view>.<str:file>"
ENDINGS = ("json", "csv", "html", "live.svg", "svg")
OWN = ("/me/", "/review/", f"/c/{FIRST}/quiz/", f"/c/{FIRST}/exercises/")  # open to Ada
ODD = 0.137  # of the way from the least value to the most: a value that nobody's page has


@dataclass
class Watch:
    """What happened to the budget and to pictures while a request was answered."""

    refuses: bool = False
    is_asked: bool = False
    noted: float = 0.0
    notes: int = 0
    unasked: list[str] = field(default_factory=list)  # drawn before the budget was asked
    drawn: list[str] = field(default_factory=list)


@pytest.fixture
def watch(monkeypatch: pytest.MonkeyPatch) -> Watch:
    """Watch the budget and the engine below all views, wherever a view has either from."""
    seen, compute = Watch(), Selection.compute

    def wait_seconds(_: MeasuredBudget, __: HttpRequest) -> int:
        seen.is_asked = True
        return 7 if seen.refuses else 0

    def note(_: MeasuredBudget, __: HttpRequest, seconds: float) -> None:
        seen.noted, seen.notes = seen.noted + seconds, seen.notes + 1

    def watched(selection: Selection) -> Any:
        seen.drawn.append(selection.canonical())
        if not seen.is_asked:
            seen.unasked.append(selection.canonical())
        return compute(selection)

    monkeypatch.setattr(MeasuredBudget, "wait_seconds", wait_seconds)
    monkeypatch.setattr(MeasuredBudget, "note", note)
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
    assert got.streaming is False or b"".join(got.streaming_content)
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
    ada, account = Learner.objects.get(user__username=ADA), User.objects.get(username=ADA)
    assert world.people is not None
    work, staff = world.work[FIRST, ADA], world.users["viewer"]
    place = Place(FIRST, work, ada.pk, account.pk, staff.pk, world.people)
    of_slots = "&".join(f"{one}.base=777&{one}.d_model=62" for one in SLOTS)
    for route, line in ADDRESSES.items():
        if line.get and line.who is not Who.NOBODY and route != FILES:
            yield sample(route, line, place), f"?{of_slots}&{query_of(FIGURE)}"
    for ending in ENDINGS:
        yield f"/figures/sinusoidal/heatmap.{ending}", "?d_model=62&base=777"
    yield from steps_of_each_kind()


def steps_of_each_kind() -> Iterator[tuple[str, str]]:
    """Yield a step, and a card, for each kind of block that draws."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    steps = Step.objects.select_related("lesson__course").filter(lesson__course__slug=FIRST)
    for step in steps.order_by("lesson__number", "number"):
        is_card = step.lesson.form == Lesson.Form.CARDS
        path = f"/c/{FIRST}/deep-dive/{step.number}/" if is_card else step.get_absolute_url()
        page = parse_page(step.text, path=path)
        for block in page.blocks:
            if block.kind in DRAWN:
                found.setdefault((step.lesson.form, block.kind), (path, f"?{query_of(page)}"))
    assert len({kind for _, kind in found}) == len(DRAWN)
    return iter(found.values())


@pytest.mark.slow
@pytest.mark.django_db
def test_all_that_an_address_has_drawn_is_within_the_budget(watch: Watch) -> None:
    world = make_world()
    clients = {ADA: Client(), "superuser": Client()}
    for name, one in clients.items():
        one.force_login(world.users[name], backend="django.contrib.auth.backends.ModelBackend")
    drawing, faults = set(), []
    for path, query in pages(world):
        client = clients[ADA if path.startswith(OWN) else "superuser"]
        usual = answer(client, path, "", watch)
        answer(client, path, query, watch)
        if not watch.drawn:
            continue
        drawing.add(path.split("/")[3 if path.startswith("/c/") else 1])
        if watch.unasked or not watch.notes:
            faults.append(f"{path}{query}: drawn unasked, or not noted")
        if (refused := answer(client, path, query, watch, refuses=True)) != 429 or watch.drawn:
            faults.append(f"{path}{query}: {refused} where nothing is left")
        if path.startswith("/figures/"):
            continue
        if usual != 200 or answer(client, path, "", watch, refuses=True) != 200:
            faults.append(f"{path}: {usual}, must be shown to everybody")
    assert not faults, "\n".join(faults)
    assert drawing == {"", "explore", "figures", "learn", "deep-dive"}


class Clock:
    """The processor time of the thread: what the test says it has used."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self._used = 1000.0
        monkeypatch.setattr(time, "thread_time", lambda: self._used)

    def use(self, seconds: float) -> None:
        self._used += seconds


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    return Clock(monkeypatch)


def a_file(clock: Clock, lines: int) -> Iterator[str]:
    """Yield lines each of which costs a second."""
    for number in range(lines):
        clock.use(1.0)
        yield f"{number}\n"


@pytest.mark.django_db
@pytest.mark.parametrize("read", [5, 12], ids=["left in the middle", "to its end"])
def test_values_as_a_file_cost_what_their_lines_cost(
    client: Client, watch: Watch, clock: Clock, monkeypatch: pytest.MonkeyPatch, read: int
) -> None:
    made = figure_views._line

    def line(cells: list[str]) -> str:
        clock.use(1.0)
        return made(cells)

    monkeypatch.setattr(figure_views, "_line", line)
    address = client.get("/figures/sinusoidal/heatmap.csv?d_model=8&positions=11")["Location"]
    got = client.get(address)
    lines = iter(got.streaming_content)
    assert watch.noted == 0
    for _ in range(read):
        next(lines)
    if read == 12:
        assert next(lines, None) is None
    got.close()
    assert watch.noted == read


def test_what_a_thread_makes_of_a_line_counts_too(watch: Watch, clock: Clock) -> None:
    """A server compresses one line before it asks for the next."""
    for _ in figure_budget.noted_lines(RequestFactory().get("/"), a_file(clock, 4)):
        clock.use(0.5)
    assert watch.noted == 6


def test_a_slow_reader_is_noted_before_the_end(watch: Watch, clock: Clock) -> None:
    lines = figure_budget.noted_lines(RequestFactory().get("/"), a_file(clock, 6))
    next(lines)
    assert watch.noted == 1


def test_a_file_that_nobody_reads_costs_nothing(watch: Watch, clock: Clock) -> None:
    figure_budget.noted_lines(RequestFactory().get("/"), a_file(clock, 6)).close()
    assert watch.noted == 0


@pytest.mark.django_db
def test_the_explorer_is_refused_once_its_visitor_has_used_up_the_seconds(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first page is shown all the same, and other addresses go on."""
    few = MeasuredBudget(PersonBudget("figures", per_second=1e-6, burst=1e-6))
    monkeypatch.setattr(figure_budget, "FIGURES", few)
    monkeypatch.setattr(budgets, "SETTLED_COST", 0.0)
    path = "/explore/?enc=sinusoidal/heatmap&a.base=778"
    assert client.get(path, REMOTE_ADDR=VISITOR).status_code == 200
    refused = client.get(path, REMOTE_ADDR=VISITOR, headers={"accept": "text/html"})
    assert refused.status_code == 429
    assert "Too many requests" in refused.content.decode()
    assert int(refused["Retry-After"]) >= 1
    assert client.get("/explore/", follow=True, REMOTE_ADDR=VISITOR).status_code == 200
    assert client.get(path, REMOTE_ADDR="203.0.113.8").status_code == 200


@pytest.mark.django_db
def test_a_database_that_takes_nothing_takes_no_page_with_figures(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = "/explore/?enc=sinusoidal/heatmap&a.base=778"

    def fail(*_: object, **__: object) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(budgets, "SETTLED_COST", 0.0)
    assert client.get(path, REMOTE_ADDR=VISITOR).status_code == 200
    assert budgets.Budget.objects.exists()
    monkeypatch.setattr(budgets.Bucket, "_write", fail)
    assert client.get(path, REMOTE_ADDR="203.0.113.8").status_code == 200
    monkeypatch.setattr(budgets.Budget.objects, "filter", fail)
    assert client.get(path, REMOTE_ADDR="203.0.113.9").status_code == 200
