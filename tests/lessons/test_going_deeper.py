"""Steps that go deeper and references: readable, searchable, and counted nowhere."""

import re

import pytest
from django.test import Client

from quizzes.learners.models import Progress
from quizzes.lessons.glossary import glossary_of
from quizzes.lessons.models import Lesson, Step
from tests.courses import at, some_course
from tests.factories import create_lesson

pytestmark = pytest.mark.django_db
PATH, DEEPER = ("one", "two", "three"), ("proof", "history")


@pytest.fixture
def lesson() -> Lesson:
    return create_lesson("order", PATH, deeper=DEEPER)


@pytest.fixture
def reference() -> Lesson:
    lesson = create_lesson("words", ["notation"], number=2, form=Lesson.Form.REFERENCE)
    table = "| letter | meaning |\n|---|---|\n| $d$ | a width |\n"
    Step.objects.filter(lesson=lesson).update(title="Notation", text=table)
    return lesson


def page(client: Client, path: str) -> str:
    answer = client.get(at(path))
    assert answer.status_code == 200, path
    html: str = answer.content.decode()
    return html


def words_of(html: str) -> str:
    return " ".join(re.sub("<[^>]*>", " ", html).split())


def post(client: Client, *paths: str) -> str:
    """Note these steps as read; return where the last one leads."""
    for path in paths:
        answer = client.post(at(f"/learn/{path}/"))
        assert answer.status_code == 302, path
    address: str = answer["Location"]
    return address


def test_a_step_is_counted_among_the_path(lesson: Lesson, client: Client) -> None:
    post(client, "order/proof")
    html = page(client, "/learn/order/three/")
    assert "Step 3 of 3 · 1 min" in words_of(html)
    assert "1 read" not in html
    assert "All 3 steps" in html
    assert "This lesson: 3 steps, 3 min." in words_of(page(client, "/learn/order/one/"))


def test_a_deeper_step_has_no_number(lesson: Lesson, client: Client) -> None:
    html = page(client, "/learn/order/proof/")
    head = html.partition('class="step__head"')[2].partition("</header>")[0]
    assert "Going deeper · 1 min" in words_of(head)
    assert not re.search(r"Step \d", head)
    assert "Going deeper than the lesson “Order”" in html


def test_the_drawer_lists_deeper_steps_apart(lesson: Lesson, client: Client) -> None:
    html = page(client, "/learn/order/proof/")
    drawer = html.partition('id="step-list"')[2].partition("</nav>")[0]
    path, _, deeper = drawer.partition("Going deeper")
    assert re.findall(r"Step (\d): (\w+)", words_of(path)) == [
        ("1", "One"),
        ("2", "Two"),
        ("3", "Three"),
    ]
    assert re.findall(r'href="[^"]*/(\w+)/"', deeper) == list(DEEPER)
    assert 'aria-current="step"' in deeper
    assert 'aria-current="step"' not in path


def test_only_the_last_step_offers_deeper_ones(lesson: Lesson, client: Client) -> None:
    def offered(step: str) -> list[str]:
        html = page(client, f"/learn/order/{step}/")
        quiet = html.partition('class="step__deeper"')[2].partition("</ul>")[0]
        return re.findall(r'href="([^"]*)"', quiet)

    assert offered("two") == []
    assert offered("three") == [at(f"/learn/order/{step}/") for step in DEEPER]
    assert offered("proof") == []
    last = page(client, "/learn/order/three/")
    assert "Mark as read and finish" in last
    assert (
        at("/learn/order/proof/") not in last.partition('class="step__nav"')[2].split("</nav>")[0]
    )


def test_an_ending_offers_deeper_steps(lesson: Lesson, client: Client) -> None:
    assert post(client, *(f"order/{step}" for step in PATH)) == at("/learn/?finished=order")
    html = page(client, "/learn/?finished=order")
    assert "Going deeper: Proof History" in words_of(html)


def test_deeper_steps_lead_back_to_the_end(lesson: Lesson, client: Client) -> None:
    post(client, *(f"order/{step}" for step in PATH))
    assert at("/learn/?finished=order") in page(client, "/learn/order/proof/")
    assert post(client, "order/proof") == at("/learn/order/history/")
    assert post(client, "order/history") == at("/learn/?finished=order")


def test_the_last_deeper_step_leads_to_unread(lesson: Lesson, client: Client) -> None:
    post(client, "order/one")
    assert post(client, "order/history") == at("/learn/order/two/")


def test_deeper_steps_finish_no_lesson(lesson: Lesson, client: Client) -> None:
    post(client, "order/one", "order/two", "order/proof", "order/history")
    assert Progress.objects.get(kind="lesson").state == "seen"
    # The rest of the path became deeper in a new version: reading on there finishes nothing.
    Step.objects.filter(slug="three").update(going_deeper=True)
    post(client, "order/proof")
    assert Progress.objects.get(kind="lesson").state == "seen"
    assert "all read" in page(client, "/learn/")


def test_deeper_steps_undo_no_finished_lesson(lesson: Lesson, client: Client) -> None:
    post(client, *(f"order/{step}" for step in PATH), "order/proof")
    states = dict(Progress.objects.values_list("slug", "state"))
    assert states == dict.fromkeys(
        ["order", *(f"order/{step}" for step in (*PATH, "proof"))], "done"
    )


def test_a_line_of_the_list_counts_the_path(lesson: Lesson, client: Client) -> None:
    post(client, "order/one", "order/proof", "order/history")
    html = page(client, "/learn/")
    card = html.partition('id="order"')[2].partition("</section>")[0]
    assert "3 steps · 3 min" in words_of(card)
    assert "1 of 3 read" in words_of(card)
    assert "Of 3 steps: 1 seen." in words_of(card)
    steps = html.partition('class="stop__steps"')[2].partition("</details>")[0]
    path, _, deeper = steps.partition("Going deeper")
    assert at("/learn/order/three/") in path
    assert at("/learn/order/proof/") not in path
    assert at("/learn/order/proof/") in deeper


def test_the_lesson_itself_leads_to_its_path(lesson: Lesson, client: Client) -> None:
    post(client, "order/one", "order/two", "order/three")
    assert client.get(at("/learn/order/"))["Location"] == at("/learn/order/one/")


def test_deeper_steps_count_nowhere_in_the_progress(lesson: Lesson, client: Client) -> None:
    post(client, "order/one", "order/proof")
    words = words_of(page(client, "/progress/"))
    assert "1 of 3 steps read" in words


def test_somebody_who_read_only_deeper_has_begun(lesson: Lesson, client: Client) -> None:
    assert "Here you will see" in words_of(page(client, "/progress/"))
    post(client, "order/proof")
    words = words_of(page(client, "/progress/"))
    assert "This is saved for this browser only" in words
    assert "0 of 3 steps read" in words


def test_a_reference_is_a_page_without_an_end(
    lesson: Lesson, reference: Lesson, client: Client
) -> None:
    assert client.get(at("/learn/words/"))["Location"] == at("/learn/words/notation/")
    html = page(client, "/learn/words/notation/")
    body = html.partition("<main")[2].partition("</main>")[0]
    assert "Lessons / Reference" in words_of(body)
    assert "<h1>Notation</h1>" in body
    for absent in ("Mark as read", "Step 1", "All pages", "min", "<form"):
        assert absent not in words_of(body).replace("minimal", ""), absent
    assert "Sources for this page" in body


def test_a_reference_of_several_pages_lists_them(reference: Lesson, client: Client) -> None:
    facts = {"number": 2, "text": "Words.", "reading_seconds": 60}
    Step.objects.create(lesson=reference, slug="shapes", title="Shapes", **facts)
    html = page(client, "/learn/words/shapes/")
    drawer = html.partition('id="step-list"')[2].partition("</nav>")[0]
    assert "All pages" in html
    assert re.findall(r'href="[^"]*/(\w+)/"', drawer) == ["notation", "shapes"]
    assert "Going deeper" not in html


def test_the_list_links_to_a_reference(lesson: Lesson, reference: Lesson, client: Client) -> None:
    html = page(client, "/learn/")
    cards = html.partition('class="line"')[2].partition("</section>")[0]
    assert 'id="words"' not in html
    assert at("/learn/words/") not in cards
    quiet = html.partition('class="reference"')[2].partition("</section>")[0]
    assert f'href="{at("/learn/words/")}"' in quiet


def test_reading_a_reference_finishes_nothing(reference: Lesson, client: Client) -> None:
    assert post(client, "words/notation") == at("/learn/words/notation/")
    assert Progress.objects.get(kind="step").state == "done"
    assert Progress.objects.get(kind="lesson").state == "seen"


def test_terms_come_from_a_reference(lesson: Lesson, reference: Lesson, client: Client) -> None:
    Step.objects.filter(slug="one").update(text="The width $d$ is small.")
    glossary = glossary_of(some_course())
    assert glossary is not None
    assert glossary.path == "words/notation"
    html = page(client, "/learn/order/one/")
    assert f'href="{at("/learn/words/notation/")}#term-d"' in html
    assert 'id="card-term-d"' in html
    assert 'id="term-d"' in page(client, "/learn/words/notation/")
