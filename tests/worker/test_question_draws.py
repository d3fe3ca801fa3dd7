"""A generated question is written in the browser, drawn by a worker, and published."""

from contextlib import nullcontext, suppress
from datetime import timedelta
from pathlib import Path

import pytest
from django.utils import timezone

from quizzes.assessment.drawing.draws import DrawRefusedError, ask_for_draw
from quizzes.assessment.models import Question, QuestionDraw
from quizzes.assessment.sources import QuestionSource
from quizzes.grader.api import SandboxBroken
from quizzes.learners.models import User
from quizzes.teaching.question.programs import NEW_NUMERIC, NEW_SINGLE
from quizzes.worker import question_draws
from quizzes.worker.mistake_proofs import ProofTime
from quizzes.worker.pool_keeper import AuthorSandboxes
from quizzes.worker.question_draws import draw_next_question, lease_draw
from tests.courses import some_course
from tests.shared_sandboxes import open_shared

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]

HOSTILE = Path(__file__).parents[1] / "hostile"
ATTACKS = (
    *("01_read_host_files", "04_network", "07_kill_all", "18_monkeypatch_numpy", "23_fill_tmp"),
    *("24_fork_bomb", "30_memory_bomb", "32_output_bomb", "35_sigkill_self", "37_os_exit"),
    *("environment", "channels_between_jobs", "result_channel_closed"),
)
State = QuestionDraw.State


def draw(urgent=lambda: False):
    """Carry out what waits, as a preparer does."""
    with AuthorSandboxes(open_shared) as sandboxes:
        return draw_next_question(sandboxes, lambda _: nullcontext(), urgent)


def source_of(program, kind="single"):
    files = {"generate.py": program}
    return QuestionSource("new", "", 1, kind, "Q?", "", (), False, (), (), generator=files)


def ask(question, program, *, kind="single", seeds=8, by="ada"):
    user, _ = User.objects.get_or_create(username=by)
    ask_for_draw(question, source_of(program, kind), seeds=seeds, by=user)
    return QuestionDraw.objects.get(question=question)


@pytest.fixture
def plain(db):
    return Question.objects.create(course=some_course(), slug="new")


@pytest.mark.sandbox
@pytest.mark.parametrize(("kind", "program"), [("single", NEW_SINGLE), ("numeric", NEW_NUMERIC)])
def test_program_of_a_new_question_is_drawn(plain, kind, program):
    ask(plain, program, kind=kind, seeds=200)
    assert draw()
    drawn = QuestionDraw.objects.get()
    assert (drawn.state, drawn.problems) == (State.DRAWN, [])
    assert len(drawn.report["questions"]) + len(drawn.report["refused"]) >= 8
    counts = drawn.report["counts"]
    assert counts["questions"] + len(drawn.report["refused"]) == 200
    assert counts["different"] > 100
    assert not draw()


FAULTS = {
    "raises": ("    return {}[1]\n", "generate.py:2: seed 1: KeyError"),
    "nonsense": ("    return 7\n", "generate.py:1: seed 1: generate() returned a int"),
    "endless": ("    while True: pass\n", "generate.py:2: seed 1"),
    "deep": ("    a = []\n    for _ in range(9**5): a = [a]\n    return a\n", "generate.py"),
    "huge": ("    return {'prompt': '9' * 10**8}\n", "generate.py"),
    "exits": ("    import os; os._exit(0)\n", "generate.py"),
    "prints": ("    print('x' * 10**8); return {}\n", "generate.py"),
    "large": ("    return {'prompt': 'q', 'facts': {'n': 10**5000}}\n", "generate.py"),
}


@pytest.mark.sandbox
@pytest.mark.slow
@pytest.mark.both_databases(postgresql="soak")
@pytest.mark.parametrize("fault", FAULTS)
def test_fault_is_named_at_its_line(plain, fault):
    body, words = FAULTS[fault]
    ask(plain, f"def generate(rng, exercise):\n{body}")
    assert draw()
    drawn = QuestionDraw.objects.get()
    assert drawn.state == State.REFUSED
    assert drawn.problems[0].startswith(words), drawn.problems


@pytest.mark.sandbox
@pytest.mark.soak
@pytest.mark.parametrize("attack", ATTACKS)
def test_attack_stays_in_the_sandbox(plain, attack):
    """Whatever a generator does, the draw ends, and the next one is drawn."""
    code = (HOSTILE / f"attacks/{attack}.py").read_text()
    calls = NEW_SINGLE.replace("    right =", "    pe(2, 4)\n    right =")
    ask(plain, f"{(HOSTILE / 'prelude.py').read_text()}\n{code}\n{calls}")
    for _ in range(question_draws.MOST_TRIES + 1):
        with suppress(SandboxBroken):
            draw()
    assert QuestionDraw.objects.get().state != State.WAITING
    ask(plain, NEW_SINGLE)
    assert draw()
    assert QuestionDraw.objects.get().state == State.DRAWN


@pytest.mark.sandbox
def test_refused_seed_has_its_reason(plain):
    program = NEW_SINGLE.replace("    right = a + b\n", "    right = a + b\n    few = a % 2\n")
    program = program.replace(
        "    }\n", "    } | ({'distractors': [{'text': '0', 'reason': 'No.'}]} if few else {})\n"
    )
    ask(plain, program)
    draw()
    drawn = QuestionDraw.objects.get()
    assert drawn.state == State.DRAWN, drawn.problems
    assert drawn.report["refused"]
    for seed, reason in drawn.report["refused"]:
        assert 1 <= seed <= 8
        assert reason == "1 distractors are far enough from the key"


def test_person_has_one_draw_at_a_time(plain):
    ask(plain, NEW_SINGLE)
    other = Question.objects.create(course=some_course(), slug="other")
    with pytest.raises(DrawRefusedError, match="Your question new is being drawn"):
        ask(other, NEW_SINGLE)
    assert ask(other, NEW_SINGLE, by="bob").requested_by.username == "bob"


def test_same_draw_keeps_its_place(plain):
    first = ask(plain, NEW_SINGLE)
    assert ask(plain, NEW_SINGLE).requested_at == first.requested_at
    assert ask(plain, NEW_NUMERIC).requested_at > first.requested_at


def test_draw_of_a_killed_worker_begins_again(plain):
    ask(plain, NEW_SINGLE)
    for tried in range(1, question_draws.MOST_TRIES + 1):
        assert lease_draw().tries_used == tried
        assert lease_draw() is None  # a living worker holds it
        past = timezone.now() - timedelta(seconds=1)
        QuestionDraw.objects.update(leased_until=past)
    assert lease_draw() is None
    drawn = QuestionDraw.objects.get()
    assert drawn.state == State.FAILED
    assert drawn.problems == ["The draw was started three times but never finished."]


@pytest.mark.sandbox
def test_stopped_draw_writes_nothing(plain):
    """Somebody asks for another text while a worker draws the first."""
    ask(plain, NEW_SINGLE)
    again = []

    def urgent():
        if not again:
            again.append(ask(plain, NEW_NUMERIC, kind="numeric"))
        return True

    assert draw(urgent)
    drawn = QuestionDraw.objects.get()
    assert (drawn.state, drawn.files["generate.py"]) == (State.WAITING, NEW_NUMERIC)
    assert draw()
    assert QuestionDraw.objects.get().state == State.DRAWN


@pytest.mark.sandbox
def test_long_draw_ends(plain, monkeypatch):
    monkeypatch.setattr(question_draws, "ProofTime", lambda: ProofTime(seconds=119.9999))
    ask(plain, NEW_SINGLE, seeds=200)
    draw()
    drawn = QuestionDraw.objects.get()
    assert drawn.problems == [
        "generate.py: drawing took longer than 120 seconds of running code; expected less"
    ]
