"""What a report is made into: cards in the verdict, and JSON in the shape of autograders."""

import base64
import re
from dataclasses import replace

import numpy as np
import pytest

from quizzes.exercises import publishing
from quizzes.exercises.autograder import autograder_report
from quizzes.exercises.failure_picture import LAYERS, draw_layer, layers_of
from quizzes.exercises.templatetags.code_words import duration
from quizzes.grader.definitions.definition import read_definition
from quizzes.grader.judge.picture import crop_around_worst
from quizzes.grader.judge.report import (
    CaseResult,
    Property,
    Report,
    ReportedFinding,
    Speed,
    Stage,
    Verdict,
)
from tests.exercises import making
from tests.exercises.asking import PAGE, graded, post, with_everything

pytestmark = [pytest.mark.both_databases(postgresql="soak"), pytest.mark.django_db]

PROPERTIES = (
    Property("norm", "The norm is kept", True, "0.0001 at most", "two tokens"),
    Property("offset", "It depends on the <offset> only", False, "0.31 at most", "two tokens"),
)
SPEED = Speed("f(n=4096)", 0.0123, 0.0005, 24.6, "The reference needs about 1/25 of the time.")


def page_of(client, report):
    return client.get(graded(report, client=client).get_absolute_url()).content.decode()


def test_the_property_card_says_what_was_measured_and_is_open_where_it_decided(client, exercise):
    fault = ReportedFinding(Stage.PROPERTIES, "two tokens", "the scores differ")
    text = page_of(client, replace(making.WRONG, first_fault=fault, properties=PROPERTIES))
    assert '<details class="verdict__properties" open>' in text
    assert "Properties: 1 of 2 hold" in text
    assert "It depends on the &lt;offset&gt; only" in text
    assert "0.31 at most" in text
    folded = page_of(client, replace(making.WRONG, properties=PROPERTIES))
    assert '<details class="verdict__properties">' in folded


def test_the_speed_card_compares_with_the_reference_and_does_not_judge(client, exercise):
    text = page_of(client, replace(making.CORRECT, speed=SPEED))
    assert "12.3\u202fms; reference: 500\u202fµs" in text
    assert "about 1/25 of the time" in text
    assert "does not affect the verdict" in text
    assert '<rect width="220"' in text
    assert '<rect width="9"' in text


def test_a_time_that_counts_is_open_and_says_what_is_allowed(client, exercise):
    fault = ReportedFinding(Stage.TIME, "how fast", "This call takes your code too long.")
    speed = replace(SPEED, allowed_seconds=0.01)
    slow = replace(making.WRONG, verdict=Verdict.LIMIT_REACHED, first_fault=fault, speed=speed)
    text = page_of(client, slow)
    assert '<details class="verdict__speed" open>' in text
    assert "In this exercise, speed counts." in text
    assert "does not affect the verdict" not in text
    assert '<th scope="row">Allowed</th><td>10\u202fms</td>' in text
    assert "“it is fast enough”" in text
    assert "(case “how fast”)" in text
    assert "rung" not in text
    assert "Stage." not in text


def test_what_stands_between_backticks_is_code(client, exercise):
    """In the first fault and in hints; what a student wrote stays text."""
    message = "your code defines <b>: write `def f(x)`."
    text = page_of(
        client, replace(making.WRONG, first_fault=ReportedFinding(Stage.NAME, None, message))
    )
    assert "Your code defines &lt;b&gt;: write <code>def f(x)</code>." in text
    page = client.get(PAGE).content.decode()
    hints = page.split('<div class="exercise__hints">')[1].split("</div>")[0]
    assert "<code>" in hints
    assert "`" not in hints


def test_an_exercise_in_which_time_counts_says_so_beforehand(client, exercise):
    assert "Speed counts here." not in client.get(PAGE).content.decode()
    described = exercise.current.files["exercise.yaml"] + "speed: {at_most: 20}\n"
    files = exercise.current.files | {"exercise.yaml": described}
    definition = read_definition(exercise.slug, files)
    publishing.add_version(exercise=exercise, definition=definition, files=files)
    version = publishing.lease_unverified()
    publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 6})
    text = client.get(PAGE).content.decode()
    assert "20 times as long as the reference. A time of up to 2\u202fms is always" in text


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(2.5, "2.5 s"), (0.1234, "123 ms"), (0.0123, "12.3 ms"), (4e-6, "4 µs"), (0.0, "0 µs")],
)
def test_times_have_the_unit_that_suits_them(seconds, said):
    assert duration(seconds).replace("\u202f", " ") == said


def test_a_shrunk_input_is_said_to_be_found_by_trying(client, exercise):
    failing = CaseResult("n=1", shown=True, passed=False, message="It is (1,).", call="f(n=1)")
    report = replace(making.WRONG, smallest_failing=failing, shrunk=True)
    assert "Found by trying smaller inputs" in page_of(client, report)
    case = replace(failing, label="one position")
    pictured = replace(with_everything(), first_fault=report.first_fault, cases=(case,))
    told = replace(pictured, smallest_failing=failing, shrunk=True)
    first, second = autograder_report(told, exercise="e", arrays=told.picture.to_bytes())["tests"]
    assert first["name"] == "smallest failing input: f(n=1)"
    assert (first["images"], len(second["images"])) == ([], 3)
    assert "Case “one position” as a picture" in page_of(client, told)


def test_the_case_that_led_to_a_smaller_input_is_the_pictured_one(client, exercise):
    failing = CaseResult("n=1", shown=True, passed=False, message="It is (1,).", call="f(n=1)")
    case = replace(failing, label="one position")
    fault = ReportedFinding(Stage.SHAPE, "n=1", "It is (1,).")
    told = replace(with_everything(), first_fault=fault, cases=(case,), smallest_failing=failing)
    told = replace(told, shrunk=True, found_in="one position")
    smaller, pictured = autograder_report(told, exercise="e", arrays=told.picture.to_bytes())[
        "tests"
    ]
    assert (smaller["images"], len(pictured["images"])) == ([], 3)
    page = page_of(client, told)
    assert "Case “one position” as a picture" in page
    assert "than the one in case “one position”" in page
    assert page.count("It is (1,).") == 2


def test_the_report_is_downloaded_as_json_with_score_tests_output_and_images(client, exercise):
    row = graded(with_everything(), client=client)
    page = client.get(row.get_absolute_url()).content.decode()
    address = f"{row.get_absolute_url()}report.json"
    assert f'href="{address}"' in page
    answer = client.get(address)
    assert answer["Content-Type"] == "application/json"
    assert answer["Content-Disposition"] == f'attachment; filename="sinusoidal-table-{row.pk}.json"'
    told = answer.json()
    assert (told["score"], told["max_score"], told["verdict"]) == (0.0, 1.0, "known_mistake")
    assert (told["submission"], told["exercise"]) == (row.pk, "sinusoidal-table")
    failed, passed = told["tests"]
    assert (failed["status"], passed["status"]) == ("failed", "passed")
    assert (passed["name"], passed["visibility"], passed["output"]) == ("fine", "hidden", "")
    assert [image["name"] for image in failed["images"]] == ["reference", "yours", "difference"]
    kind, data = failed["images"][0]["src"].split(",")
    assert kind == "data:image/svg+xml;base64"
    assert base64.b64decode(data).startswith(b"<svg")


def test_a_waiting_submission_has_no_report_yet(client, exercise):
    post(client)
    row = making.Submission.objects.get()
    assert client.get(f"{row.get_absolute_url()}report.json").status_code == 404


def test_code_that_did_not_run_is_one_failed_test():
    fault = ReportedFinding(Stage.IMPORTS, None, "line 3 is no Python.")
    report = Report(Verdict.COULD_NOT_RUN, first_fault=fault, traceback="SyntaxError: x")
    (test,) = autograder_report(report, exercise="e", arrays=None)["tests"]
    assert (test["name"], test["status"]) == ("the code loads", "failed")
    assert (test["message"], test["output"]) == ("line 3 is no Python.", "SyntaxError: x")


def test_the_call_before_is_in_the_output_of_its_test():
    (test,) = autograder_report(making.KEPT, exercise="e", arrays=None)["tests"]
    before, call = test["output"].splitlines()
    assert before == "called before: sinusoidal_table(n=9, d=8, base=100.0)"
    assert call == "sinusoidal_table(n=9, d=8, base=500.0)"


def test_a_correct_one_scores_one_and_our_failure_is_no_score_of_theirs():
    right = autograder_report(making.CORRECT, exercise="e", arrays=None)
    ours = autograder_report(Report(Verdict.NOT_GRADED), exercise="e", arrays=None)
    assert (right["score"], right["graded"]) == (1.0, True)
    assert (ours["score"], ours["graded"]) == (0.0, False)


def test_nan_is_seen_in_the_difference_and_said_in_words(client, exercise):
    reference = np.zeros((9, 8))
    yours = reference.copy()
    yours[3:, 5] = np.nan
    picture = crop_around_worst(reference, yours)
    drawn = {name: draw_layer(picture.to_bytes(), layer=name, scheme="light") for name in LAYERS}
    assert _pictured(drawn["reference"].svg) == _pictured(drawn["yours"].svg)
    assert _pictured(drawn["difference"].svg) != _pictured(drawn["yours"].svg)
    _, yours_told, difference_told = layers_of(picture.to_bytes())
    assert yours_told.caption == "Yours"
    assert "Heatmap, yours, rows 0 to 8" in yours_told.alt
    assert "in row 3, column 5 is not a number" in yours_told.alt
    assert "6 of 72 cells differ" in difference_told.alt
    fault = ReportedFinding(Stage.FINITE, "large", "The result has nan at [3, 5].")
    text = page_of(client, replace(making.WRONG, first_fault=fault, picture=picture))
    assert "NaN is drawn as 0 and counts as the largest difference." in text


def test_one_cell_is_told_and_not_drawn(client, exercise):
    one, other = (np.full((1, 1), value) for value in (1.0, 2.0))
    assert layers_of(crop_around_worst(one, other).to_bytes()) == ()
    assert layers_of(crop_around_worst(np.ones((1, 2)), np.zeros((1, 2))).to_bytes())
    text = page_of(client, replace(making.WRONG, picture=crop_around_worst(one, other)))
    assert "Heatmap" not in text


@pytest.mark.parametrize(
    ("shape", "worst", "returns", "said"),
    [
        ((9, 3, 4), (8, 1, 2), "array of shape (n_heads, Lq, Lk)", "head 8: [8, :, :]"),
        ((2, 9, 3, 4), (1, 8, 1, 2), "array of shape (B, H, L, D)", "head 8: [1, 8, :, :]"),
        ((9, 3, 4), (8, 1, 2), "array of shape (B, L, d_model)", "[8, :, :]"),
        ((2, 9, 3, 4), (1, 8, 1, 2), "array of shape (n_heads, Lq, Lk)", "[1, 8, :, :]"),
        ((2, 9, 3, 4), (1, 8, 1, 2), "two tensors in the shapes of q and k", "[1, 8, :, :]"),
    ],
)
def test_the_plane_that_is_shown_has_its_name(shape, worst, returns, said):
    yours = np.zeros(shape)
    yours[worst] = 1
    picture = crop_around_worst(np.zeros(shape), yours)
    layers = layers_of(picture.to_bytes(), returns=returns)
    names = ("Reference", "Yours", "Yours − reference")
    assert [layer.caption for layer in layers] == [f"{name}, {said}" for name in names]
    assert layers[1].alt == (
        f"Heatmap, yours, {said}, rows 0 to 2, columns 0 to 3. Your value in row 1, column 2 is +1."
    )


def _pictured(svg):
    return re.findall(r'data:image/png;base64,([^"]+)', svg)
