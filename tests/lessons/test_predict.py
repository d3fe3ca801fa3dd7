"""Predict, then see: what is asked, what comes true, and what the ledger notes."""

from collections.abc import Callable
from pathlib import Path

import pytest
from django.test import Client

from quizzes.content_files.files import DiskFiles
from quizzes.learners.models import Learner, Progress
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, write_course

pytestmark = pytest.mark.django_db

OPTIONS = """
```predict
id: base-100
encoding: sinusoidal
view: heatmap
set: {d_model: 50}
change: {base: 100}
question: What happens to the *right half* when base goes to 100?
options:
  - {text: It moves too, right: true, reason: "The slowest pair turns every $523$ positions."}
  - {text: Nothing, reason: "Every wavelength but the first depends on the base."}
```
"""
DRAG = """
```predict
id: turns
encoding: sinusoidal
view: heatmap
set: {d_model: 50, positions: 20}
change: {base: 100}
question: How many of the 25 pairs turn at least once in 20 positions?
drag: {measure: pairs_that_turn, label: pairs turn, low: 0, high: 25}
sliders: [base, positions]
```
"""
STEP = at("/learn/first/one/")


@pytest.fixture
def load(tmp_path: Path) -> Callable[[str], None]:
    def make(text: str) -> None:
        root = write_course(tmp_path / "made", {"one": text, "two": "Words."})
        assert [str(problem) for problem in read_lessons(DiskFiles(root))[1]] == []
        save_course(some_course(), read_course(DiskFiles(root))[0][0])
        save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])

    return make


def test_first_the_picture_as_it_is_and_the_choices(client: Client, load: Callable) -> None:
    load(OPTIONS)
    html = client.get(STEP).content.decode()
    assert "<em>right half</em>" in html
    assert "base 10\u202f000" in html
    assert html.count('type="radio"') == 2
    for later in ("The slowest pair", "Every wavelength", 'id="base-100-base"'):
        assert later not in html
    assert "figure-base-100" not in html, "nothing to slide before the prediction"


@pytest.mark.parametrize(("choice", "right"), [("1", True), ("2", False)])
def test_a_choice_is_noted_and_answered_by_the_picture(
    client: Client, load: Callable, choice: str, right: bool
) -> None:
    load(OPTIONS)
    response = client.post(f"{STEP}predict/base-100/", {"predicted": choice})
    assert response.status_code == 302
    assert response["Location"] == f"{STEP}?base-100.predicted={choice}#predict-base-100"
    states = dict(Learner.objects.get().progress.values_list("slug", "state"))
    assert states == {"first/one": "seen", "first": "seen"}
    html = client.get(response["Location"]).content.decode()
    assert ("Right, as you predicted" in html) == right
    assert "The slowest pair turns every" in html
    assert "Every wavelength" in html or right
    assert 'id="figure-base-100"' in html
    assert "base 100." in html
    assert "The picture before" in html
    assert f'name="base-100.predicted" value="{choice}"' in html, "a redraw keeps what was said"


@pytest.mark.parametrize(
    ("guess", "right"), [("7", True), ("8", True), ("9", False), ("25", False)]
)
def test_a_number_is_compared_with_what_the_engine_computes(
    client: Client, load: Callable, guess: str, right: bool
) -> None:
    from posenc.catalog.sinusoidal import Sinusoidal

    true = int((Sinusoidal(d_model=50, base=100).wavelengths <= 20).sum())
    load(DRAG)
    html = client.post(f"{STEP}predict/turns/", {"predicted": guess}, follow=True)
    text = html.content.decode()
    assert f"Computed: {true} pairs turn." in text
    assert (abs(int(guess) - true) <= 0.2 * true) == right
    assert ("Right, as you predicted" in text) == right
    assert 'id="turns-positions"' in text


def test_the_revealed_figure_has_its_own_parameters(client: Client, load: Callable) -> None:
    load(OPTIONS + FIGURE.format(id="codes"))
    response = client.get(f"{STEP}?base-100.predicted=1&base-100.base=1000&codes.d_model=9")
    assert response.status_code == 200
    html = response.content.decode()
    assert "base 1\u202f000." in html
    assert "4 positions × 9 dimensions" in html
    kept = client.post(
        f"{STEP}predict/base-100/", {"predicted": "2", "codes.d_model": "9", "evil": "1"}
    )
    assert kept["Location"].split("#")[0] == f"{STEP}?codes.d_model=9&base-100.predicted=2"


@pytest.mark.parametrize(
    ("text", "id", "said", "expected"),
    [
        (OPTIONS, "base-100", "3", "predicted=3: must be one of 1, 2"),
        (OPTIONS, "base-100", "", "predicted=: must be one of 1, 2"),
        (OPTIONS, "base-100", "<script>", "predicted=&lt;script&gt;: must be one of 1, 2"),
        (DRAG, "turns", "26", "predicted=26: must be a whole number between 0 and 25"),
        (DRAG, "turns", "9" * 5000, "must be a whole number between 0 and 25"),
        (DRAG, "turns", "٣", "must be a whole number between 0 and 25"),
    ],
)
def test_a_prediction_that_is_none_is_named(
    client: Client, load: Callable, text: str, id: str, said: str, expected: str
) -> None:
    load(text)
    response = client.post(f"{STEP}predict/{id}/", {"predicted": said}, follow=True)
    assert response.status_code == 400
    html = response.content.decode()
    assert expected in html
    assert '<form class="predict__form"' in html


def test_a_step_that_was_read_stays_read(client: Client, load: Callable) -> None:
    load(OPTIONS)
    client.post(STEP)
    client.post(f"{STEP}predict/base-100/", {"predicted": "2"})
    client.post(f"{STEP}predict/base-100/", {"predicted": "1"})
    assert Progress.objects.get(slug="first/one").state == "done"


def test_reading_a_prediction_changes_nothing(client: Client, load: Callable) -> None:
    load(OPTIONS)
    client.get(f"{STEP}?base-100.predicted=1")
    assert not Learner.objects.exists()
    assert client.get(f"{STEP}predict/base-100/").status_code == 405
    assert client.post(f"{STEP}predict/other/").status_code == 404
    assert client.post(at("/learn/first/none/predict/base-100/")).status_code == 404


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("change: {base: 100}", "change: {base: 1}", "change: base=1: must be between 10 and"),
        ("change: {base: 100}", "", "change: missing"),
        (
            "right: true, ",
            "",
            "options: 0 are right; expected two or more options, one of them right",
        ),
        ('reason: "Every', 'reasn: "Every', "reasn: unknown field"),
        ("options:", "drag: {}\noptions:", "a prediction has either options or drag"),
        ("view: heatmap", "view: none", "no view 'none' of 'sinusoidal'"),
        ("id: base-100", "id: base-100\nsliders: [speed]", "sliders: 'speed': must be one of"),
    ],
)
def test_faults_of_the_block_have_their_line(
    tmp_path: Path, old: str, new: str, problem: str
) -> None:
    root = write_course(tmp_path, {"one": OPTIONS.replace(old, new)})
    problems = [str(found) for found in read_lessons(DiskFiles(root))[1]]
    assert any(problem in found for found in problems), problems
    assert all("steps/01-one.md:" in found for found in problems)


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ("pairs_that_turn", "speed", "measure: 'speed': the view computes: pairs_that_hardly"),
        ("high: 25", "high: 3", "pairs_that_turn is 7, which is not between low and high"),
        ("low: 0, ", "", "low: missing"),
    ],
)
def test_faults_of_a_number_to_drag(tmp_path: Path, old: str, new: str, problem: str) -> None:
    root = write_course(tmp_path, {"one": DRAG.replace(old, new)})
    problems = [str(found) for found in read_lessons(DiskFiles(root))[1]]
    assert any(problem in found for found in problems), problems


def test_links_of_a_prediction_lead_into_its_course(client: Client, load: Callable) -> None:
    load(OPTIONS.replace("What happens", "After [two](/learn/first/two/), what happens"))
    html = client.get(STEP).content.decode()
    assert f'<a href="{at("/learn/first/two/")}" rel="noopener">two</a>' in html


def test_a_prediction_has_the_width_of_its_page(client: Client, load: Callable) -> None:
    alone, together = FIGURE.format(id="a"), FIGURE.format(id="b")
    load(f"Words. {alone}\n:::screen Two\n\nWords. {together}{OPTIONS}")
    html = client.get(STEP).content.decode()
    assert html.count('class="screen screen--beside"') == 1
    assert html.count('class="screen"') == 1
