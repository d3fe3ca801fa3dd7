"""Parameters of figures that a page does not have are refused; other people's are left alone."""

from pathlib import Path

import pytest
from django.test import Client

from quizzes.content_files.files import DiskFiles
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.store import save_course, save_lesson
from tests.courses import at, some_course
from tests.lessons.course import FIGURE, write_course

pytestmark = pytest.mark.django_db


@pytest.fixture
def step(tmp_path: Path) -> str:
    root = write_course(tmp_path, {"one": FIGURE.format(id="codes"), "two": "Words."})
    save_course(some_course(), read_course(DiskFiles(root))[0][0])
    save_lesson(some_course(), read_lessons(DiskFiles(root))[0][0])
    return at("/learn/first/")


@pytest.mark.parametrize(
    ("path", "message"),
    [
        ("one/?nope.d_model=3", "nope.d_model=3: this page has no figure “nope”; expected codes"),
        ("two/?codes.d_model=3", "codes.d_model=3: this page has no figure “codes”, nor any other"),
        ("one/?.d_model=3", ".d_model=3: this page has no figure “”; expected codes"),
        ("one/?codes.d_model=9&x.y=%3Cb%3E", "x.y=&lt;b&gt;: this page has no figure"),
        ("one/?" + "n" * 500 + ".a=1", "n" * 40 + "=1: this page has no figure"),
    ],
)
def test_a_figure_that_is_not_there_is_named(
    client: Client, step: str, path: str, message: str
) -> None:
    response = client.get(step + path)
    assert response.status_code == 400
    html = response.content.decode()
    assert message in html
    assert "Everything else is shown as usual" in html


def test_the_page_is_shown_all_the_same(client: Client, step: str) -> None:
    html = client.get(f"{step}one/?codes.d_model=9&nope.d_model=3").content.decode()
    assert "4 positions × 9 dimensions" in html


@pytest.mark.parametrize("query", ["utm_source=mail&utm_medium=x", "fbclid=1", "d_model=3", "x"])
@pytest.mark.parametrize("page", ["one/", "two/"])
def test_names_without_a_dot_are_nobodys_business(
    client: Client, step: str, page: str, query: str
) -> None:
    response = client.get(f"{step}{page}?{query}")
    assert response.status_code == 200
    assert "no such figure" not in response.content.decode()


def test_the_start_page_says_it_too(client: Client) -> None:
    assert client.get("/?utm_source=mail&codes.d_model=40").status_code == 200
    response = client.get("/?nope.d_model=40")
    assert response.status_code == 400
    words = "nope.d_model=40: this page has no figure “nope”; expected codes"
    assert words in response.content.decode()
