"""Pages of exercises, asked without a browser: who sees what, fragments, errors, hostile text."""

import re
from dataclasses import replace
from uuid import uuid4

import numpy as np
import pytest
from django.test import Client, override_settings
from django.urls import reverse

from quizzes.exercises import leases, publishing, waiting
from quizzes.exercises.models import Submission
from quizzes.grader.picture import crop_around_worst
from quizzes.grader.report import CaseResult, KnownMistake, Report, Verdict
from quizzes.learners.models import Learner, User
from quizzes.learners.services import record_progress
from tests.exercises import making

pytestmark = [pytest.mark.both_databases, pytest.mark.django_db]

PAGE = "/exercises/sinusoidal-table/"
HTMX = {"HTTP_HX_REQUEST": "true"}


@pytest.fixture(autouse=True)
def _nobody_waits(monkeypatch):
    monkeypatch.setattr(waiting, "WAIT_SECONDS", 0)


@pytest.fixture
def exercise():
    return making.ready_exercise()


def post(client, *, code="x = 1", kind="submit", **extra):
    key = extra.pop("key", uuid4())
    return client.post(PAGE, {"code": code, "kind": kind, "key": key}, **extra)


def graded(report, *, kind="submit", client=None) -> Submission:
    """Submit by the page and record this report."""
    post(client or Client(), kind=kind)
    leases.record(lease=making.lease(), report=report)
    return Submission.objects.order_by("-pk").first()


def test_the_index_lists_exercises_with_this_learners_state(client, exercise):
    assert "Not tried yet" in client.get("/exercises/").content.decode()
    post(client)
    record_progress(
        learner=Learner.objects.get(), kind="exercise", slug="sinusoidal-table", state="done"
    )
    assert "Solved" in client.get("/exercises/").content.decode()


def test_an_empty_index_says_what_to_do(client):
    assert "load_content" in client.get("/exercises/").content.decode()


def test_looking_writes_nothing(client, exercise):
    client.get("/exercises/")
    client.get(PAGE)
    assert not Learner.objects.exists()
    assert not client.cookies.get("learner")


def test_the_page_says_beforehand_what_check_and_submit_do(client, exercise):
    text = client.get(PAGE).content.decode()
    assert 'value="check"' in text
    assert 'value="submit"' in text
    assert "hidden" in text
    assert "def sinusoidal_table" in text  # the starter
    assert "You are not signed in" in text


def test_an_unknown_exercise_is_not_found(client):
    assert client.get("/exercises/nothing/").status_code == 404


def test_without_javascript_a_post_leads_to_the_submissions_page(client, exercise):
    answer = post(client)
    row = Submission.objects.get()
    assert answer.status_code == 302
    assert answer.url == row.get_absolute_url() == f"{PAGE}submissions/{row.pk}/"
    text = client.get(answer.url).content.decode()
    assert "Waiting for the verdict" in text
    assert "Look again" in text


def test_with_javascript_a_post_answers_with_a_fragment_that_asks_again(client, exercise):
    beat()
    text = post(client, **HTMX).content.decode()
    row = Submission.objects.get()
    assert "<html" not in text
    address = f"{PAGE}submissions/{row.pk}/verdict/"
    assert f'data-ask="{address}?asked=1"' in text
    assert 'data-ask-after-ms="150"' in text
    for asked, delay in ((1, 300), (2, 600), (3, 1000), (4, 2000), (50, 2000)):
        assert f'ask-after-ms="{delay}"' in client.get(f"{address}?asked={asked}").content.decode()


def test_a_fragment_brings_a_new_key_for_the_next_try(client, exercise):
    key = uuid4()
    text = post(client, key=key, **HTMX).content.decode()
    (new,) = re.findall(r'id="form-key" value="([^"]+)"', text)
    assert new != str(key)


def test_the_queue_position_is_told(client, exercise):
    making.waiting(exercise)
    making.waiting(exercise)
    beat()
    assert "2 submissions are before yours" in post(client, **HTMX).content.decode()


def beat():
    from django.utils import timezone

    from quizzes.exercises.models import WorkerHeartbeat

    now = timezone.now()
    WorkerHeartbeat.objects.create(
        host="h", pid=1, seen_at=now, self_test_at=now, self_test_ok=True
    )


def test_a_double_click_is_one_row(client, exercise):
    key = uuid4()
    first, second = post(client, key=key), post(client, key=key)
    assert first.url == second.url
    assert Submission.objects.count() == 1


def test_others_submissions_do_not_exist(client, exercise):
    row = graded(with_everything())
    for address in pages_of(row):
        assert Client().get(address).status_code == 404
    assert Client().get(f"{PAGE}?from={row.pk}").status_code == 404
    other = Client()
    post(other)
    for address in pages_of(row):
        assert other.get(address).status_code == 404


def test_the_staff_sees_every_submission(client, exercise):
    row = graded(with_everything())
    sign_in_staff(client)
    for address in pages_of(row):
        assert client.get(address).status_code == 200


def test_a_submission_is_found_under_its_own_exercise_only(client, exercise):
    post(client)
    row = Submission.objects.get()
    assert client.get(f"/exercises/other/submissions/{row.pk}/").status_code == 404


def sign_in_staff(client):
    with override_settings(AXES_ENABLED=False):  # it wants an address, which force_login has not
        client.force_login(User.objects.create_user("teacher", is_staff=True))


def pages_of(row):
    base = f"{PAGE}submissions/{row.pk}/"
    return [base, f"{base}verdict/", f"{base}yours.svg"]


def with_everything() -> Report:
    """A report with every part a page can show, all of it hostile."""
    evil = "<script>alert(1)</script>"
    failing = CaseResult(
        label=evil,
        shown=True,
        passed=False,
        message=evil,
        call=f"f({evil!r})",
        expected_text=evil,
        got_text=evil,
        max_error=1.0,
        worst_index=(0, 1),
        tolerance_text=evil,
    )
    reference = np.arange(12.0).reshape(3, 4)
    return replace(
        making.WRONG,
        verdict=Verdict.KNOWN_MISTAKE,
        known_mistake=KnownMistake("swap", "mistake", evil, "sinusoidal-values/code-it", evil),
        smallest_failing=failing,
        cases=(failing, CaseResult(label="fine", shown=False, passed=True)),
        cases_passed=1,
        cases_total=2,
        stdout=evil,
        traceback=evil,
        picture=crop_around_worst(reference, reference + np.eye(3, 4)),
    )


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
    step = reverse("lessons:step", args=["sinusoidal-values", "code-it"])
    assert f'href="{step}"' in text
    assert "Read the step that explains it" in text


def test_the_other_convention_is_said_not_to_solve(client, exercise):
    mistake = KnownMistake("concat", "convention", "Sines first.", None, "2. They alternate.")
    report = Report(Verdict.CORRECT_OTHER_CONVENTION, known_mistake=mistake)
    text = client.get(graded(report, client=client).get_absolute_url()).content.decode()
    assert "Right numbers, other convention" in text
    assert "does not solve" in text
    assert "2. They alternate." in text


def test_the_picture_is_drawn_from_the_stored_arrays(client, exercise):
    row = graded(with_everything(), client=client)
    page = client.get(row.get_absolute_url()).content.decode()
    for layer, said in {
        "reference": "The reference in row 0, column 0 is +0",
        "yours": "Yours in row 0, column 0 is +1",
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
    row = making.hand_in(exercise)
    for _ in range(3):
        leases.give_back(lease=making.lease(), failure="secret detail")
    sign_in_staff(client)
    text = client.get(row.get_absolute_url()).content.decode()
    assert "our fault, not yours" in text
    assert "secret detail" not in text


def test_a_report_of_another_version_of_the_site_is_no_error(client, exercise):
    row = graded(making.WRONG, client=client)
    Submission.objects.update(report={"schema": 99})
    text = client.get(row.get_absolute_url()).content.decode()
    assert "cannot be shown any more" in text


@pytest.mark.parametrize(
    ("fields", "told"),
    [
        ({"code": "", "kind": "submit"}, "There is no code"),
        ({"code": "  \n", "kind": "submit"}, "There is no code"),
        ({"code": "x" * 20_001, "kind": "check"}, "20001 characters; at most 20000"),
        ({"code": "é\0", "kind": "check"}, "NUL"),
        ({"code": "x = 1", "kind": "cheat"}, "Choose Check or Submit"),
        ({"code": "x = 1"}, "Choose Check or Submit"),
        ({"code": "x = 1", "kind": "check", "key": "7"}, "damaged"),
        ({"code": "\U0001f600" * 16_000, "kind": "check"}, "64000 bytes long; at most 60000"),
        ({}, "There is no code"),
    ],
)
def test_what_cannot_be_sent_is_a_400_that_says_why_and_keeps_the_code(
    client, exercise, fields, told
):
    page = client.post(PAGE, fields)
    fragment = client.post(PAGE, fields, **HTMX)
    assert (page.status_code, fragment.status_code) == (400, 400)
    assert told in page.content.decode()
    assert told in fragment.content.decode()
    assert not Submission.objects.exists()
    assert not Learner.objects.exists()
    if fields.get("code", "").startswith("x = 1"):
        assert "x = 1</textarea>" in page.content.decode()


def test_windows_line_ends_count_once(client, exercise):
    code = "x\r\n" * 9_999
    assert post(client, code=code).status_code == 302
    assert len(Submission.objects.get().code) == 19_998


def test_too_many_is_a_429_that_says_when(client, exercise):
    post(client, kind="check")
    page, fragment = post(client, kind="check"), post(client, kind="check", **HTMX)
    for answer in (page, fragment):
        assert answer.status_code == 429
        assert answer["Retry-After"] == "1"
        assert "once a second" in answer.content.decode()
    assert "x = 1</textarea>" in page.content.decode()
    assert "<html" not in fragment.content.decode()


def test_a_refused_exercise_says_so_and_takes_nothing(client):
    making.unverified_exercise()
    publishing.refuse(version=publishing.lease_unverified(), problems=["starter.py: secret"])
    text = client.get(PAGE).content.decode()
    assert "takes no code now" in text
    assert "starter.py: secret" not in text
    assert post(client).status_code == 409


def test_grading_that_is_off_is_said_with_the_reason_and_code_is_kept(client, exercise):
    assert "Grading is off" in client.get(PAGE).content.decode()
    text = post(client, **HTMX).content.decode()
    assert "No worker is running" in text
    assert 'ask-after-ms="5000"' in text
    assert Submission.objects.count() == 1


def test_a_post_without_its_token_is_refused(exercise):
    strict = Client(enforce_csrf_checks=True)
    assert post(strict).status_code == 403
    assert not Submission.objects.exists()


@pytest.mark.parametrize("method", ["put", "delete", "patch"])
def test_other_methods_are_refused(client, exercise, method):
    assert getattr(client, method)(PAGE).status_code == 405


def test_a_verdict_cannot_be_posted(client, exercise):
    post(client)
    row = Submission.objects.get()
    assert client.post(row.get_absolute_url()).status_code == 405


def test_one_goes_on_with_a_submissions_code(client, exercise):
    client.post(PAGE, {"code": "mine = 'é'\n", "kind": "submit"})
    row = Submission.objects.get()
    assert (
        "\nmine = &#x27;é&#x27;\n</textarea>"
        in client.get(f"{PAGE}?from={row.pk}").content.decode()
    )


@pytest.mark.parametrize("wanted", ["0", "x", "-1", "9" * 30, "starter", "%00"])
def test_a_from_that_names_nothing_is_no_error_of_ours(client, exercise, wanted):
    assert client.get(f"{PAGE}?from={wanted}").status_code in (200, 404)


@pytest.mark.parametrize("asked", ["x", "-1", "9" * 50, "", "²"])
def test_a_strange_count_asks_as_if_for_the_first_time(client, exercise, asked):
    post(client)
    row = Submission.objects.get()
    assert client.get(f"{PAGE}submissions/{row.pk}/verdict/", {"asked": asked}).status_code == 200


def test_a_submission_number_beyond_the_database_is_not_found(client, exercise):
    assert client.get(f"{PAGE}submissions/{10**30}/").status_code == 404


def test_pages_take_a_constant_number_of_queries(client, exercise, django_assert_num_queries):
    for _ in range(3):
        graded(with_everything(), client=client)
    client.get(PAGE)
    with django_assert_num_queries(6):
        client.get(PAGE)
    graded(with_everything(), client=client)
    with django_assert_num_queries(6):
        client.get(PAGE)
    address = Submission.objects.first().get_absolute_url()
    with django_assert_num_queries(3):
        client.get(address)


def test_no_page_carries_inline_style_or_script(client, exercise):
    row = graded(with_everything(), client=client)
    for address in ("/exercises/", PAGE, *pages_of(row)):
        text = client.get(address).content.decode()
        assert " style=" not in text
        assert not re.search(r"<script(?![^>]*\bsrc=)", text)
        assert not re.search(r"\son\w+=", text)


def test_the_history_comes_with_the_verdict_when_the_page_asks_for_it(client, exercise):
    row = graded(making.CORRECT, client=client)
    address = f"{PAGE}submissions/{row.pk}/verdict/"
    assert 'id="history"' not in client.get(address).content.decode()
    assert 'id="history"' in client.get(address, {"with": "history"}).content.decode()
