"""Reading pages: what they show, that GET changes nothing, and what they cost."""

import re
from collections.abc import Callable
from html import unescape
from pathlib import Path

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from quizzes.content_files.files import DiskFiles
from quizzes.learners.models import Learner, Progress
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.models import Course, Lesson
from quizzes.lessons.store import save_course, save_lesson
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, LISTING, write_course
from tests.lessons.test_predict import OPTIONS

pytestmark = pytest.mark.django_db
PLAIN = {"one": "First *words*.", "two": "Second.", "three": "Third."}


@pytest.fixture
def load(tmp_path: Path) -> Callable[[dict[str, str]], None]:
    def make(steps: dict[str, str]) -> None:
        root = write_course(tmp_path / f"c{len(steps)}", steps)
        save_course(some_course(), read_course(DiskFiles(root))[0][0])
        save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])

    return make


def test_step_shows_its_text_place_and_sources(client: Client, load: Callable[..., None]) -> None:
    load(PLAIN)
    html = client.get(at("/learn/first/two/")).content.decode()
    assert "<h1>Step two</h1>" in html
    assert "Second." in html
    assert "Step 2 of 3" in html
    assert '<a href="https://example.org/paper" rel="noopener">A paper</a>, section 1' in html
    assert f'href="{at("/learn/first/one/")}"' in html
    assert html.count('aria-current="step"') == 1


def test_the_first_step_says_what_the_lesson_takes(
    client: Client, load: Callable[..., None]
) -> None:
    load(PLAIN)
    first = client.get(at("/learn/first/one/")).content.decode()
    assert "This lesson: 3 steps, 1 min. You need: numbers." in first
    assert "This lesson: 3 steps" not in client.get(at("/learn/first/two/")).content.decode()


def test_reading_changes_nothing(client: Client, load: Callable[..., None]) -> None:
    load(PLAIN)
    for path in (at("/learn/"), at("/learn/first/"), at("/learn/first/one/")):
        response = client.get(path)
        assert response.status_code in {200, 302}
        assert "learner" not in response.cookies
    assert not Learner.objects.exists()
    assert not Progress.objects.exists()


def test_a_head_request_is_answered_as_a_get_request(
    client: Client, load: Callable[..., None]
) -> None:
    load(PLAIN)
    assert client.head(at("/learn/")).status_code == 200
    assert client.head(at("/learn/first/")).url == at("/learn/first/one/")
    assert (
        client.post(at("/learn/")).status_code
        == client.post(at("/learn/first/")).status_code
        == 405
    )


def test_going_on_notes_the_step_and_remembers_the_reader(
    client: Client, load: Callable[..., None]
) -> None:
    load(PLAIN)
    response = client.post(at("/learn/first/one/"))
    assert response.status_code == 302
    assert response["Location"] == at("/learn/first/two/")
    learner = Learner.objects.get()
    states = dict(learner.progress.values_list("slug", "state"))
    assert states == {"first/one": "done", "first": "seen"}
    assert client.get(at("/learn/first/"))["Location"] == at("/learn/first/two/")
    assert "steps__step--done" in client.get(at("/learn/first/two/")).content.decode()


def test_the_last_step_finishes_a_lesson_only_when_all_are_read(
    client: Client, load: Callable[..., None]
) -> None:
    load(PLAIN)
    assert client.post(at("/learn/first/three/"))["Location"] == at("/learn/?finished=first")
    assert Progress.objects.get(kind="lesson").state == "seen"
    client.post(at("/learn/first/one/"))
    client.post(at("/learn/first/two/"))
    assert Progress.objects.get(kind="lesson").state == "done"
    assert "all read" in client.get(at("/learn/")).content.decode()


def test_twice_is_once(client: Client, load: Callable[..., None]) -> None:
    load(PLAIN)
    client.post(at("/learn/first/one/"))
    client.post(at("/learn/first/one/"))
    assert Progress.objects.filter(kind="step").count() == 1


def test_posting_needs_the_form_of_the_page(load: Callable[..., None]) -> None:
    load(PLAIN)
    stranger = Client(enforce_csrf_checks=True)
    assert stranger.post(at("/learn/first/one/")).status_code == 403
    assert not Learner.objects.exists()


@pytest.mark.parametrize(
    "path", [at("/learn/none/"), at("/learn/none/one/"), at("/learn/first/none/")]
)
def test_what_is_not_there_is_not_found(
    client: Client, load: Callable[..., None], path: str
) -> None:
    load(PLAIN)
    assert client.get(path).status_code == 404
    assert client.post(path).status_code in {404, 405}


def test_a_wrong_step_names_the_right_ones(client: Client, load: Callable[..., None]) -> None:
    load(PLAIN)
    html = client.get(at("/learn/first/none/")).content.decode()
    assert f'href="{at("/learn/first/three/")}"' in html


def test_an_empty_course_says_so(client: Client) -> None:
    some_course()
    assert "no lessons here yet" in client.get(at("/learn/")).content.decode()


def test_an_empty_site_says_so(client: Client) -> None:
    """The frame of its pages has the short addresses."""
    page = client.get("/learn/", follow=True)
    assert page.redirect_chain == [("/courses/", 302)]
    assert "no courses here yet" in page.content.decode()


def test_a_lesson_without_steps_breaks_nothing(client: Client, load: Callable[..., None]) -> None:
    load(PLAIN)
    course = Course.objects.get()
    Lesson.objects.create(course=course, slug="empty", number=2, title="Empty", summary="x")
    assert "Being written." in client.get(at("/learn/")).content.decode()
    assert client.get(at("/learn/empty/")).status_code == 404


def test_a_page_costs_the_same_however_much_stands_on_it(
    client: Client, load: Callable[..., None]
) -> None:
    def queries(path: str) -> int:
        client.get(path)  # what is kept of the course is made anew at the first visit
        with CaptureQueriesContext(
            connection,
        ) as captured:
            assert client.get(path).status_code == 200
        return len(captured)

    load({"one": "Words.", "two": "Words."})
    client.post(at("/learn/first/one/"))  # a reader with progress costs most
    few = [queries(path) for path in (at("/learn/"), at("/learn/first/one/"))]
    figures = "".join(FIGURE.format(id=f"f{number}") for number in range(6))
    load({f"s{number}": "Words." for number in range(30)} | {"one": figures + LISTING * 8})
    many = [queries(path) for path in (at("/learn/"), at("/learn/first/one/"))]
    # The next thing to do may look at the lessons, by what was read; nothing grows with the page.
    assert all(number <= before + 1 for number, before in zip(many, few, strict=True))
    assert max(few) <= 14


def test_first_picture_is_in_the_page_in_both_schemes(
    client: Client, load: Callable[..., None]
) -> None:
    load({"one": FIGURE.format(id="codes")})
    html = client.get(at("/learn/first/one/")).content.decode()
    assert html.count("data:image/svg+xml,%3Csvg") == 4
    assert len(re.findall(r"<source media=\"[^\"]*prefers-color-scheme: dark", html)) == 2
    assert re.search(r'<img src="data:[^"]+" width="720" height="\d+" alt="Each row', html)
    assert "4 positions × 8 dimensions" in html
    assert "+0.0998" in html  # the value card of position 1, dimension 2: sin(1 / 10)
    assert "<td>" not in html  # the table has an address of its own
    found = re.search(r'<a href="(/figures/[^"]*heatmap\.html[^"]*)" data-file="html"', html)
    assert found
    values = client.get(unescape(found[1])).content.decode()
    assert "<td>0.8415</td>" in values
    assert " style=" not in html


def test_pictures_below_the_first_one_are_fetched_when_they_come_near(
    client: Client, load: Callable[..., None]
) -> None:
    load({"one": OPTIONS + FIGURE.format(id="b"), "two": FIGURE.format(id="a") + OPTIONS})
    for path in ("/learn/first/one/", "/learn/first/two/"):
        html = client.get(at(path)).content.decode()
        assert html.count("data:image/svg+xml,%3Csvg") == 4, "of the first picture alone"
        later = re.findall(r"<img ([^>]*loading=.lazy.[^>]*)>", html)
        assert len(later) == 1
        assert re.search(r'width="720" height="\d+" alt="', later[0]), "nothing jumps"
        for address in re.findall(r'(?:src|srcset)="(/figures/[^"]*)"', html):
            answer = client.get(unescape(address))
            assert answer.status_code == 200, "canonical, so it is not sent elsewhere"
            assert answer["Cache-Control"] == "public, max-age=31536000, immutable"


def test_a_figure_follows_the_address_without_a_script(
    client: Client, load: Callable[..., None]
) -> None:
    load({"one": FIGURE.format(id="a") + FIGURE.format(id="b")})
    html = client.get(
        at("/learn/first/one/?a.d_model=16&a.base.log10=2&utm_source=x")
    ).content.decode()
    assert "4 positions × 16 dimensions, base 100." in html
    assert "4 positions × 8 dimensions, base 10\u202f000." in html
    assert '<input type="hidden" name="a.d_model" value="16">' in html  # kept by a redraw of b
    assert 'name="utm_source"' not in html


@pytest.mark.parametrize(
    ("query", "message"),
    [
        ("a.d_model=1000000000", "d_model=1000000000: must be between 2 and 1024"),
        ("a.d_model=4&a.d_model=5", "more than once"),
        ("a.base.log10=fast", "base=fast: must be a number"),
        ("a.speed=1", "speed=1: is not a parameter"),
        ("a.d_model=%3Cscript%3E", "d_model=&lt;script&gt;: must be"),
    ],
)
def test_a_bad_parameter_is_named_beside_its_slider(
    client: Client, load: Callable[..., None], query: str, message: str
) -> None:
    load({"one": FIGURE.format(id="a")})
    response = client.get(at(f"/learn/first/one/?{query}"))
    assert response.status_code == 400
    html = response.content.decode()
    assert message in html
    assert "4 positions × 8 dimensions" in html  # what the author chose is shown instead


def test_listing_shows_what_it_prints(client: Client, load: Callable[..., None]) -> None:
    load({"one": LISTING})
    html = client.get(at("/learn/first/one/")).content.decode()
    assert "<samp>2</samp>" in html
    assert '<span class="hl-nb">print</span>' in html


@pytest.mark.parametrize(
    ("guess", "button"),
    [
        ("Is it 2?", "Is it 2? Guess, then look"),
        ("Add, then look", "Add, then look"),
    ],
)
def test_question_of_a_listing_invites_a_guess(
    client: Client, load: Callable[..., None], guess: str, button: str
) -> None:
    load({"one": LISTING.replace("\n---", f"\nguess: {guess}\n---", 1)})
    assert f'data-guess="{button}"' in client.get(at("/learn/first/one/")).content.decode()


def test_text_cannot_smuggle_a_script(client: Client, load: Callable[..., None]) -> None:
    load({"one": "<script>alert(1)</script>\n\n```listing\ntitle: <b>x</b>\n---\n'<b>'\n```\n"})
    html = client.get(at("/learn/first/one/")).content.decode()
    assert "<script>alert" not in html
    assert "<b>" not in html
