"""Plots in the author sandbox: drawn once, refused by name at their line, and nothing gets out."""

from contextlib import nullcontext, suppress
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace

import pytest
from django.utils import timezone

from quizzes.courses.models import Course
from quizzes.grader.api import AuthorError, SandboxBroken, SandboxUnavailable
from quizzes.lessons.models import Plot, PlotDrawing, PlotFrame
from quizzes.lessons.plots import draw_plot as drawing
from quizzes.lessons.plots.draw_plot import draw_plot
from quizzes.lessons.plots.drawings import want_drawing
from quizzes.lessons.plots.plot_files import plot_from
from quizzes.lessons.plots.store import put_plot
from quizzes.worker import plot_drawing
from quizzes.worker.mistake_proofs import timed
from quizzes.worker.plot_drawing import draw_next_plot, forget_unused_drawings, lease_drawing
from tests.courses import some_course
from tests.hostile.test_attacks import HERE, PRELUDE
from tests.shared_sandboxes import shared_sandbox

pytestmark = pytest.mark.sandbox

HEAD = '"""A title\n\nSlider n: 1 to 3\n"""\n'
GOOD = HEAD + 'def plot(n):\n    return curves([0, 1], [0, n], title=f"n {n}")\n'
ATTACKS = ("01_read_host_files", "04_network", "05_unix_sockets", "07_kill_all", "27_inherited_fds")


def frames_of(text: str, sandbox=None):
    problems: list = []
    plot = plot_from("coin", text, problems, path="plots/coin.py")
    assert not problems
    return draw_plot(plot, plot.header.places(), sandbox or shared_sandbox("author"))


def test_a_plot_gives_a_frame_for_each_place() -> None:
    frames = frames_of(GOOD)
    assert [frame["title"] for frame in frames] == ["n 1", "n 2", "n 3"]
    assert [frame["values"] for frame in frames] == [[[0, n]] for n in (1, 2, 3)]


def test_an_authors_own_name_stays() -> None:
    own = "def points(n):\n    return [0, n]\n\n"
    frames = frames_of(
        GOOD.replace("def plot", own + "def plot").replace("], [0, n]", "], points(n)")
    )
    assert frames[2]["values"] == [[0, 3]]


@pytest.mark.parametrize(
    ("body", "line", "words"),
    [
        ("return bars([n], [1 / (n - 2)], title='T')", 6, "n 2: ZeroDivisionError"),
        ("return bars([1, 2], [n], title='T')", 6, "ys: 1 numbers, but there are 2 xs"),
        ("return heatmap([[n, float('nan')]], title='T')", 6, "values: row 0, number 1 is nan"),
        ("return n", 5, "plot() returned a int, expected heatmap(...)"),
        ("return {'kind': 'bars'}", 5, "title: expected text"),
        ("return bars([1], [n], title='T') | {'title': 'x' * 300}", 5, "n 1: title: expected text"),
        ("return {'kind': 'bars', 'x': float('inf')}", 5, "Out of range float values"),
        (
            "return (bars if n > 1 else curves)([1], [n], title='T')",
            5,
            "n 2: returned bars+bars, but the first frame is curves+curves",
        ),
        ("return bars([1], [n], title='T' * 2_000_000)", 5, "at most 1048576 are allowed"),
        ("raise SystemExit", 6, "n 1"),
        ("import quizzes", 6, "No module named"),
    ],
)
def test_a_fault_is_refused_at_its_line(body: str, line: int, words: str) -> None:
    with pytest.raises(AuthorError) as refused:
        frames_of(f"{HEAD}def plot(n):\n    {body}\n")
    assert (refused.value.path, refused.value.line) == ("plots/coin.py", line)
    assert words in refused.value.message


def test_an_endless_plot_ends(monkeypatch) -> None:
    monkeypatch.setattr(drawing, "WALL_SECONDS", 0.5)
    with pytest.raises(AuthorError, match=r"ran for 0.5 s; the limit is 0.5 s"):
        frames_of(f"{HEAD}def plot(n):\n    while True:\n        pass\n")


def test_frames_of_a_plot_have_a_limit(monkeypatch) -> None:
    monkeypatch.setattr(drawing, "MOST_BYTES", 100)
    with pytest.raises(AuthorError, match="which is the limit"):
        frames_of(GOOD)


@pytest.mark.parametrize("attack", ATTACKS)
def test_a_hostile_plot_stays_in_the_sandbox(attack: str) -> None:
    printed = []

    def run(job):
        ran = shared_sandbox("author").run(job)
        printed.append(ran.stdout.decode(errors="replace"))
        return ran

    source = (HERE / f"attacks/{attack}.py").read_text().replace("@PORT@", "80")
    text = f"{HEAD}{PRELUDE}\n{source}\n\ndef plot(n):\n    return bars([1], [n], title='T')\n"
    with suppress(AuthorError):
        frames_of(text, SimpleNamespace(run=run))
    assert printed
    assert "LEAK" not in "".join(printed)
    assert frames_of(GOOD)  # it serves on, unharmed


# ---- as a worker does it


@pytest.fixture
def course(db) -> Course:
    return some_course()


def drawn(course: Course, text: str, sandboxes=None) -> PlotDrawing:
    want_drawing(course, "coin", text)
    sandboxes = sandboxes or SimpleNamespace(author=shared_sandbox("author"))
    assert draw_next_plot(sandboxes, lambda _: nullcontext())
    return PlotDrawing.objects.get(text=text)


@pytest.mark.both_databases
def test_a_worker_draws_what_is_wanted_once(course: Course) -> None:
    row = drawn(course, GOOD)
    assert (row.state, row.frames, row.shape) == ("drawn", 3, ["curves", "curves"])
    assert row.size == sum(len(frame.data) for frame in PlotFrame.objects.all())
    assert want_drawing(course, "other", GOOD).state == "drawn"
    assert not draw_next_plot(SimpleNamespace(), lambda _: nullcontext())


@pytest.mark.both_databases
def test_a_failed_plot_says_where(course: Course) -> None:
    bad = GOOD.replace("n]", "n / 0]")
    row = drawn(course, bad)
    assert (row.state, row.line, row.frames) == ("refused", 6, 0)
    assert "ZeroDivisionError" in row.problem
    assert want_drawing(course, "coin", bad).state == "waiting"


@pytest.mark.both_databases
def test_killed_workers_leave_it_to_others(course: Course) -> None:
    want_drawing(course, "coin", GOOD)
    past = timezone.now() - timedelta(seconds=1)
    for _ in range(3):
        assert lease_drawing() is not None
        assert lease_drawing() is None  # a living worker holds it
        PlotDrawing.objects.update(leased_until=past)
    assert lease_drawing() is None
    row = PlotDrawing.objects.get()
    assert (row.state, row.problem) == ("failed", plot_drawing.UNFINISHED)


def test_a_late_result_is_not_stored(course: Course) -> None:
    want_drawing(course, "coin", GOOD)
    late = lease_drawing()
    PlotDrawing.objects.update(leased_until=timezone.now() - timedelta(seconds=1))
    assert lease_drawing() is not None
    assert late is not None
    plot_drawing.draw(late, SimpleNamespace(author=shared_sandbox("author")))
    assert PlotDrawing.objects.get().state == "waiting"
    assert not PlotFrame.objects.exists()


@pytest.mark.parametrize(("error", "tries"), [(SandboxUnavailable, 0), (SandboxBroken, 1)])
def test_our_failure_gives_it_back(course: Course, error, tries: int) -> None:
    def fail(_):
        raise error("gone", "cure") if error is SandboxUnavailable else error("gone")

    with pytest.raises(error):
        drawn(course, GOOD, SimpleNamespace(author=SimpleNamespace(run=fail)))
    row = PlotDrawing.objects.get()
    assert (row.state, row.tries_used, row.leased_until) == ("waiting", tries, None)


def test_a_drawing_has_a_time_limit(course: Course, monkeypatch) -> None:
    monkeypatch.setattr("quizzes.worker.mistake_proofs.MOST_SECONDS", -1.0)
    row = drawn(course, GOOD)
    assert row.state == "refused"
    assert "of running code; expected less" in row.problem
    assert timed(shared_sandbox("author")).spent.seconds == 0


def test_plots_of_a_course_have_a_limit(course: Course, monkeypatch) -> None:
    publish(course, "first", GOOD)
    size = drawn(course, GOOD).size
    monkeypatch.setattr(plot_drawing, "MOST_OF_COURSE", size + 10)
    row = drawn(course, GOOD.replace("title", "subtitle='x', title"))
    assert row.state == "refused"
    assert "the plots of this course have 0 MB of frames" in row.problem


def test_what_no_plot_names_goes_after_a_day(course: Course) -> None:
    publish(course, "first", GOOD)
    drawn(course, GOOD)
    want_drawing(course, "coin", GOOD + "\n")
    assert forget_unused_drawings() == 0
    PlotDrawing.objects.update(asked_at=timezone.now() - timedelta(days=2))
    assert forget_unused_drawings() == 1
    assert PlotDrawing.objects.get().text == GOOD


def publish(course: Course, slug: str, text: str) -> None:
    put_plot(Plot(course=course, slug=slug), plot_from(slug, text, [], path=""))


def test_the_fixture_course_is_sound() -> None:
    for path in (Path(__file__).parents[1] / "lessons/probability/plots").glob("*.py"):
        assert frames_of(path.read_text())
