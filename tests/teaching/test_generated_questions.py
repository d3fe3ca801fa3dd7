"""A question that a program draws: written, drawn and published on its page."""

import re
from dataclasses import asdict

import numpy as np
import pytest

from quizzes.assessment.drawing.report import report_of
from quizzes.assessment.models import Attempt, Question, QuestionDraw, Quiz
from quizzes.assessment.services import start_attempt
from quizzes.authoring.exporting import export
from quizzes.courses.models import ContentDraft
from quizzes.exercises.models import ExerciseProof
from quizzes.learners.models import Learner
from quizzes.teaching.question.numbers import number_before
from quizzes.teaching.question.programs import NEW_SINGLE, drawn_content, fixed_content
from quizzes.teaching.question.question_page import QuestionPage
from tests.assessment.drawn import SOURCE, made
from tests.drafts import content_of_draft
from tests.factories import create_browser, create_exercise
from tests.pages.test_filled_forms import Sent
from tests.teaching.forms import address, form, teach

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

State = QuestionDraw.State


@pytest.fixture
def ada(generated):
    return create_browser("ada", role="editor")


def text(answer):
    return " ".join(answer.content.decode().split())


def written(browser, slug="drawn", **changes):
    """Return the fields of the form as the page shows it, changed."""
    html = browser.get(address(slug)).content.decode()
    html = html[html.index('id="writing"') :]
    fields = dict(Sent(html[: html.index("</form>")]).fields)
    return fields | {"do": "save"} | changes


def press(browser, button, slug="drawn", **changes):
    fields = written(browser, slug, do=button, **changes)
    return browser.post(address(slug), fields, follow=True)


def have_drawn(state=State.DRAWN, problems=()):
    """End the draw that waits as a worker does, without its sandbox."""
    draw = QuestionDraw.objects.get()
    assert draw.state == State.WAITING
    questions = [made(seed) for seed in range(1, 9)]
    QuestionDraw.objects.update(
        state=state, problems=list(problems), report=report_of(draw.files, questions, [])
    )


def test_unchanged_question_is_saved_unchanged(ada, generated):
    assert "Nothing was changed." in text(press(ada, "save"))
    press(ada, "publish")
    assert not ContentDraft.objects.exists()
    assert generated.versions.count() == 1


def test_changed_program_is_published_once_drawn(ada, generated, pool):
    quiz = Quiz.objects.get(slug="sums")
    attempt = start_attempt(learner=Learner.objects.create(), quiz=quiz)
    before = list(attempt.responses.values_list("instance", "version").order_by("pk"))
    program = f"{SOURCE}# more\n"
    refused = press(ada, "publish", generator=program)
    assert "Saved, not published: 1 problem" in text(refused)
    assert "has not been drawn without a fault yet" in text(refused)

    assert "Waiting to be drawn" in text(press(ada, "draw"))
    have_drawn(State.REFUSED, ["generate.py:2: seed 1: no"])
    assert "generate.py:2: seed 1: no" in text(ada.get(address("drawn")))
    assert "1 problem" in text(press(ada, "publish"))

    press(ada, "draw")
    have_drawn()
    shown = text(ada.get(address("drawn")))
    assert "How much is 8?" in shown
    assert "Ready to publish" in shown
    press(ada, "publish")
    question = Question.objects.get(slug="drawn")
    assert question.current.number == 2
    assert question.current.generator["generate.py"] == program
    assert question.current.instances.count() == 8  # it can be asked at once
    attempt = Attempt.objects.get(pk=attempt.pk)
    assert before == list(attempt.responses.values_list("instance", "version").order_by("pk"))


def test_later_change_is_drawn_again(ada):
    press(ada, "draw", generator=f"{SOURCE}# more\n")
    have_drawn()
    refused = text(press(ada, "publish", generator=f"{SOURCE}# much more\n"))
    assert "Saved, not published: 1 problem" in refused
    assert "That was another program, exercise or kind: draw again." in refused


def test_change_besides_the_program_needs_no_draw(ada, pool):
    press(ada, "publish", tags="sums")
    question = Question.objects.get(slug="drawn")
    assert (question.current.number, question.current.tags) == (2, ["sums"])
    assert question.current.instances.count() == 4  # those of the version before it


def test_fault_of_the_text_has_its_line(ada):
    refused = text(press(ada, "draw", generator="x = 1\ny = (\n"))
    assert "Not drawn: fix the program first" in refused
    assert '<a href="#generator">Program</a>: line 2: the program cannot be read' in refused
    assert not QuestionDraw.objects.exists()


def test_unknown_exercise_is_named(ada):
    refused = text(press(ada, "draw", exercise="gone"))
    assert "there is no exercise &#x27;gone&#x27;" in refused


def test_draw_can_be_stopped(ada):
    press(ada, "draw")
    assert "The draw has been stopped." in text(press(ada, "stop"))
    assert not QuestionDraw.objects.exists()


def test_person_draws_one_question_at_a_time(ada):
    press(ada, "draw")
    ada.post(teach("questions/"), {"slug": "new", "kind": "drawn-numeric"})
    assert "Your question drawn is being drawn" in text(press(ada, "draw", "new"))


def test_fixed_question_gets_a_program_and_loses_it(ada):
    press(ada, "generate", "one")
    content = content_of_draft()
    assert content["kind"] == "single"
    compile(content["generator"], "generate.py", "exec")
    press(ada, "draw", "one")
    have_drawn()
    press(ada, "fix", "one")
    content = content_of_draft()
    assert content["prompt"] == "How much is 1?"
    assert [question["text"] for question in content["options"]] == [
        "right 1",
        "swapped 1",
        "off 1",
    ]
    assert content["options"][1]["mistake"] == "sinusoidal-table/swap"


def test_program_begins_with_what_was_written():
    fixed = {
        **{"kind": "single", "prompt": 'It\'s "?"', "step": "a/b", "tags": [], "keep_last": False},
        "options": [
            {"text": "y\n", "key": False, "reason": "No.", "mistake": "a/b"},
            {"text": "x", "key": True, "reason": "Yes."},
        ],
    }
    question = run(drawn_content(fixed)["generator"])
    assert question["prompt"] == fixed["prompt"]
    assert question["key"] == {"text": "x", "reason": "Yes."}
    assert question["proof"] == "x"
    assert question["distractors"] == [{"text": "y\n", "reason": "No.", "mistake": "a/b"}]


def test_program_of_a_number_begins_with_what_was_written():
    near = [{"value": "1/2", "reason": "Half.", "mistake": "a/b"}]
    answer = {"value": "2*pi", "within": 0.02, "unit": "rad", "reason": "A turn.", "near": near}
    fixed = {"kind": "numeric", "prompt": "?", "step": "", "tags": [], "keep_last": False}
    content = drawn_content({**fixed, "answer": answer})
    question = run(content["generator"])
    assert question["answer"]["value"] == pytest.approx(6.2831853)
    assert question["answer"]["near"] == [{"value": 0.5, "reason": "Half.", "mistake": "a/b"}]
    assert (question["answer"]["within"], question["answer"]["unit"]) == (0.02, "rad")
    empty = fixed_content(content, None)
    assert empty["answer"] == {"value": "", "unit": "", "reason": ""}


def run(program):
    names = {}
    exec(program, names)
    return names["generate"](np.random.default_rng(1), None)


def test_second_of_two_editors_gets_both_programs(ada):
    fields = written(ada, generator=f"{SOURCE}# mine\n")
    press(ada, "save", generator=f"{SOURCE}# theirs\n")
    stale = ada.post(address("drawn"), fields)
    assert stale.status_code == 409
    assert "# mine" in text(stale)
    assert "theirs" in text(stale)


def test_duplicate_has_the_program(ada):
    ada.post(address("drawn", name="question-duplicate"), {"slug": "copy"})
    draft = ContentDraft.objects.get(slug="copy")
    assert draft.files["generate.py"] == SOURCE


def test_earlier_program_is_brought_back(ada):
    press(ada, "draw", generator=f"{SOURCE}# more\n")
    have_drawn()
    press(ada, "publish")
    page = ada.get(address("drawn"))
    back = f"{address('drawn')}versions/1/bring-back/"
    ada.post(back, {"revision": page.context["revision"]})
    assert content_of_draft()["generator"] == SOURCE


def test_earlier_program_is_asked_again_once_drawn(ada, generated):
    first = generated.current
    press(ada, "draw", generator=f"{SOURCE}# more\n")
    have_drawn()
    press(ada, "publish")
    first.instances.all().delete()  # nobody is asked them any more
    type(first).objects.filter(pk=first.pk).update(problem="it broke once")
    press(ada, "draw", generator=SOURCE)
    have_drawn()
    press(ada, "publish")
    generated.refresh_from_db()
    assert generated.current_id == first.pk
    assert generated.current.problem == ""
    assert generated.current.instances.exists()


def test_draw_waits_behind_proofs_of_exercises(ada, generated):
    press(ada, "draw", generator=f"{SOURCE}# more\n")
    exercise = create_exercise("waiting", generated.course)
    before = number_before(QuestionDraw.objects.get())
    ExerciseProof.objects.create(exercise=exercise, files={}, state="waiting")
    assert number_before(QuestionDraw.objects.get()) == before + 1


def test_viewer_sees_and_writes_nothing(ada, generated):
    viewer = create_browser("vic", role="viewer")
    press(ada, "draw", generator=f"{SOURCE}# more\n")
    have_drawn()
    page = viewer.get(address("drawn"))
    assert "How much is 8?" in text(page)
    assert 'id="writing"' not in text(page)
    fields = form("drawn", generator=SOURCE, kind="single", do="draw")
    assert viewer.post(address("drawn"), fields).status_code == 403


def test_counts_of_many_seeds_are_shown(ada):
    press(ada, "draw-many")
    draw = QuestionDraw.objects.get()
    assert draw.seeds == 200
    questions = [made(seed) for seed in range(1, 201)]
    QuestionDraw.objects.update(state=State.DRAWN, report=report_of(draw.files, questions, []))
    shown = text(ada.get(address("drawn")))
    assert "200 gave a question, 200 of them different; 0 refused." in shown
    words = " ".join(re.sub(r"<[^>]+>", " ", shown).split())
    assert "sinusoidal-table/swap, which no exercise of the course has 200" in words


def test_key_that_lengths_give_away_is_named(ada):
    press(ada, "draw-many")
    draw = QuestionDraw.objects.get()
    plain = [asdict(made(seed)) for seed in range(1, 201)]
    for question in plain:
        question["options"][0]["text"] = "right, and said at length"
    report = report_of(draw.files, [], []) | {"questions": plain[:8]}
    report["counts"] |= {"questions": 200, "different": 1, "longest": [150, 200]}
    report["counts"]["place"] = {"place": 2, "options": 4, "times": 120, "of": 200}
    QuestionDraw.objects.update(state=State.DRAWN, report=report)
    shown = text(ada.get(address("drawn")))
    assert "<strong>Too often:</strong> The key is the longest option in 150 of 200 (75 %)" in shown
    assert "The key is the second smallest of the numbers in 120 of 200 (60 %)" in shown
    assert "Only 1 of 200 questions differ" in shown


def test_export_has_the_published_program(ada, generated, tmp_path):
    program = f"{SOURCE}# more\n"
    press(ada, "draw", generator=program)
    have_drawn()
    press(ada, "publish")
    (tmp_path / "out").mkdir()
    export(tmp_path / "out", generated.course)
    (written_file,) = (tmp_path / "out").rglob("questions/drawn/generate.py")
    assert written_file.read_text() == program


def test_new_program_is_a_draft(ada):
    ada.post(teach("questions/"), {"slug": "new", "kind": "drawn-single"})
    assert ContentDraft.objects.get(slug="new").files["generate.py"] == NEW_SINGLE
    assert QuestionPage().thing(Question.objects.get(slug="new").course, "new").blank()
