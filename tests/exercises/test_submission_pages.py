"""Pages of one submission: who sees it, the verdict in words and pictures, hostile text."""

import re
from dataclasses import replace

import pytest
from django.test import Client

from quizzes.exercises.models import Submission
from quizzes.exercises.queue import leases
from quizzes.grader.judge.report import KnownMistake, Report, Verdict
from quizzes.learners.models import ReviewCard
from tests.courses import at
from tests.exercises import making
from tests.exercises.asking import (
    PAGE,
    graded,
    pages_of,
    post,
    with_everything,
)
from tests.factories import browser_of, create_class, create_member

SWAP = KnownMistake("swap", "mistake", "Sines first.", None, "3b. Words of its author.")

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]


def test_editor_opens_no_submission_of_others(exercise):
    assert Client().get(f"{PAGE}?from={graded(making.WRONG).pk}").status_code == 404


def test_a_submission_is_found_under_its_own_exercise_only(client, exercise):
    post(client)
    row = Submission.objects.get()
    assert client.get(at(f"/exercises/other/submissions/{row.pk}/")).status_code == 404


def test_number_beyond_every_key_is_no_submission(client, exercise):
    row = graded(making.WRONG, client=client)
    for address in pages_of(row):
        beyond = address.replace(f"/{row.pk}/", f"/{10**20}/")
        assert client.get(beyond).status_code == 404


def test_a_submission_is_found_in_its_own_course_only(client, exercise):
    making.ready_exercise(course="another-course")
    row = graded(with_everything(), client=client)
    for address in pages_of(row):
        assert client.get(address).status_code == 200
        elsewhere = address.replace(at("/"), at("/", "another-course"))
        assert elsewhere != address
        assert client.get(elsewhere).status_code == 404
    other = at(f"/exercises/sinusoidal-table/?from={row.pk}", "another-course")
    assert client.get(other).status_code == 404


def test_everything_a_student_or_author_wrote_is_escaped(client, exercise):
    row = graded(with_everything(), client=client)
    for address in pages_of(row)[:2]:
        text = client.get(address).content.decode()
        assert "<script>alert" not in text
        assert text.count("&lt;script&gt;alert(1)&lt;/script&gt;") >= 8


def test_the_code_itself_is_escaped(client, exercise):
    client.post(PAGE, {"code": "</textarea><script>1</script>", "kind": "submit"})
    row = Submission.objects.get()
    for address in (row.get_absolute_url(), f"{PAGE}?from={row.pk}"):
        assert "</textarea><script>1" not in client.get(address).content.decode()


def test_a_known_mistake_links_to_the_step_that_explains_it(client, exercise):
    row = graded(with_everything(), client=client)
    text = client.get(row.get_absolute_url()).content.decode()
    assert f'href="{at("/learn/sinusoidal-values/code-it/")}"' in text
    assert "Read the step that explains it" in text


def test_a_mistake_quotes_the_clause_that_it_breaks(client, exercise):
    report = Report(Verdict.KNOWN_MISTAKE, known_mistake=SWAP)
    text = client.get(graded(report, client=client).get_absolute_url()).content.decode()
    assert "<mark>(b) column " in text
    assert "Words of its author" not in text
    assert f'href="{PAGE}#clause-3b"' in text
    assert 'id="clause-3b"' in client.get(PAGE).content.decode()


def test_words_without_a_clause_are_shown_as_written(client, exercise):
    """Of a statement that has changed since, and of mistakes that every exercise knows."""
    for breaks in ("9c. Words of its author.", "Words of its author."):
        report = Report(Verdict.KNOWN_MISTAKE, known_mistake=replace(SWAP, breaks=breaks))
        text = client.get(graded(report, client=client).get_absolute_url()).content.decode()
        assert f"The task says: {breaks}" in text
        assert "Show it in the task" not in text


def test_a_page_is_headed_by_the_headline_and_a_list_by_the_verdict(client, exercise):
    said = "Not yet: your code stopped with an IndexError in line 3"
    row = graded(Report(Verdict.WRONG, headline=said), client=client)
    for address in pages_of(row)[:2]:
        assert f"</span> {said}</h2>" in client.get(address).content.decode()
    listed = client.get(PAGE).content.decode()
    assert "Not yet: the result differs" in listed
    assert said not in listed


def test_a_report_from_before_headlines_is_headed_by_its_verdict(client, exercise):
    row = graded(making.WRONG, client=client)
    stored = {key: part for key, part in row.report.items() if key != "headline"}
    Submission.objects.filter(pk=row.pk).update(report=stored)
    text = client.get(row.get_absolute_url()).content.decode()
    assert "</span> Not yet: the result differs</h2>" in text


def test_both_of_two_mistakes_link_to_their_steps_and_are_noted(client, exercise):
    row = graded(with_everything(), client=client)
    text = client.get(row.get_absolute_url()).content.decode()
    for step in ("sinusoidal-values/code-it", "rope/code-it"):
        assert f'href="{at(f"/learn/{step}/")}"' in text
    assert text.count("A known mistake.") == 2
    missed = ReviewCard.objects.filter(learner=row.learner).values_list("slug", flat=True)
    assert sorted(missed) == ["sinusoidal-table/late", "sinusoidal-table/swap"]


CONCAT = KnownMistake("concat", "convention", "Sines first.", None, "2. They alternate.")


@pytest.mark.parametrize(
    ("verdict", "words", "unsaid"),
    [
        (Verdict.WRONG, ["A different convention."], "Right numbers"),
        (
            Verdict.CORRECT_OTHER_CONVENTION,
            ["Right numbers, other convention", "does not solve", "2. They alternate."],
            "our fault",
        ),
    ],
)
def test_a_convention_is_called_right_for_right_numbers(client, exercise, verdict, words, unsaid):
    report = Report(verdict, known_mistake=CONCAT)
    text = client.get(graded(report, client=client).get_absolute_url()).content.decode()
    assert [one for one in words if one not in text] == []
    assert unsaid not in text


def test_two_calls_are_shown_in_their_order(client, exercise):
    row = graded(making.KEPT, client=client)
    text = client.get(row.get_absolute_url()).content.decode()
    first, second = text.index("base=100.0)"), text.index("base=500.0)")
    assert "Two calls, one after the other" in text[:first]
    assert first < second
    assert "Smallest failing input" not in text
    assert Submission.objects.get(pk=row.pk).known_mistake == "kept-between-calls"
    step = at(f"/learn/{row.exercise_version.step}/")
    assert f'href="{step}" data-explains>Read the step that explains it' in text
    card = ReviewCard.objects.get(learner=row.learner)
    assert (card.kind, card.slug) == ("mistake", "sinusoidal-table/kept-between-calls")


def test_the_picture_is_drawn_from_the_stored_arrays(client, exercise):
    row = graded(with_everything(), client=client)
    page = client.get(row.get_absolute_url()).content.decode()
    for layer, said in {
        "reference": "The reference value in row 0, column 0 is +0",
        "yours": "Your value in row 0, column 0 is +1",
        "difference": "The largest difference is +1, in row 0, column 0. 3 of 12 cells differ",
    }.items():
        assert said in page
        address = f"{PAGE}submissions/{row.pk}/{layer}.svg"
        assert address in page
        light, dark = client.get(address), client.get(address, {"scheme": "dark"})
        assert light["Content-Type"] == "image/svg+xml"
        assert light.content.startswith(b"<svg")
        assert light.content != dark.content
    assert client.get(f"{PAGE}submissions/{row.pk}/sum.svg").status_code == 404


def test_our_failure_is_said_to_be_ours(client, exercise):
    member = create_member(create_class(course=exercise.course))
    row = making.hand_in(exercise, member.user.learner)
    for _ in range(3):
        leases.give_back(lease=making.lease(), failure="secret detail")
    text = browser_of(member.user).get(row.get_absolute_url()).content.decode()
    assert "our fault, not yours" in text
    assert "secret detail" not in text


@pytest.mark.both_databases
def test_a_report_of_another_version_of_the_site_is_no_error(client, exercise):
    row = graded(making.WRONG, client=client)
    Submission.objects.update(report={"schema": 99})
    text = client.get(row.get_absolute_url()).content.decode()
    assert "report for this submission cannot be shown" in text


def test_a_verdict_cannot_be_posted(client, exercise):
    post(client)
    row = Submission.objects.get()
    assert client.post(row.get_absolute_url()).status_code == 405


@pytest.mark.parametrize("asked", ["x", "-1", "9" * 50, "", "²"])
def test_a_strange_count_asks_as_if_for_the_first_time(client, exercise, asked):
    post(client)
    row = Submission.objects.get()
    assert client.get(f"{PAGE}submissions/{row.pk}/verdict/", {"asked": asked}).status_code == 200


def test_a_submission_number_beyond_the_database_is_not_found(client, exercise):
    assert client.get(f"{PAGE}submissions/{10**30}/").status_code == 404


def test_a_report_or_picture_opened_alone_is_no_page(client, exercise):
    row = graded(with_everything(), client=client)
    for name, kind in (("report.json", "application/json"), ("yours.svg", "image/svg+xml")):
        answer = client.get(f"{row.get_absolute_url()}{name}")
        assert answer["Content-Type"] == kind
        assert answer["X-Content-Type-Options"] == "nosniff"
        assert "script-src 'self'" in answer["Content-Security-Policy"]
        assert b"<script" not in answer.content or "attachment" in answer["Content-Disposition"]


def test_no_page_carries_inline_style_or_script(client, exercise):
    row = graded(with_everything(), client=client)
    for address in (at("/exercises/"), PAGE, *pages_of(row)):
        text = client.get(address).content.decode()
        assert " style=" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"\son\w+=", text)
