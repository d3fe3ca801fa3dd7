"""Arguments typed for a wrong program: what is said of them, and what stays in which sandbox."""

from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from quizzes.grader.judge import CasePack
from quizzes.grader.programs import Counterexample, try_arguments
from quizzes.grader.programs.counterexample import (
    BELOW_ALL,
    NOT_SMALLEST,
    SMALLEST,
    UNKNOWN,
    Programs,
    _is_raised_at,
    find_witnesses,
)
from quizzes.grader.protocol.job import Job, Run, Sandbox
from quizzes.grader.sandbox.factory import WORD
from tests.hostile.test_attacks import ATTACKS
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import definition_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]

TABLE, MODULE = "sinusoidal-table", "relative-position-bias"
FRAME = (
    "import os, struct, json; h = json.dumps({'kind': 'end', 'arrays': []}).encode(); "
    "os.write(3, struct.pack('<4sIQ', b'PEQ1', len(h), 0) + h); os._exit(0)"
)
# What a learner types, and a part of the sentence.
REFUSED = {
    "an endless loop": ("while True: pass", "was stopped after 0.4 s"),
    "a flood of output": ("print('y' * 10**7)", "prints too much"),
    "10^9 numbers": ("sinusoidal_table(np.ones(10**9), 4)", "too much memory"),
    "10^9 rows": ("sinusoidal_table(10**9, 4)", "Type smaller arguments"),
    "many numbers": ("sinusoidal_table(np.ones(5000), 4)", "more than 4096 numbers"),
    "a number without end": ("sinusoidal_table(10**30, 4)", "are too large"),
    "NaN": ("sinusoidal_table(2, 4, base=float('nan'))", "The argument base contains NaN"),
    "NaN that comes out": ("sinusoidal_table(2, 100, base=5e-324)", "returns NaN"),
    "a list": ("sinusoidal_table([1, 2], 4)", "The argument n is a list of 2"),
    "a complex number": ("sinusoidal_table(2, 4, 1j)", "The numbers of the argument base"),
    "a dict of arrays": ("sinusoidal_table({'a': np.ones(2)}, 4)", "n is a list or dict"),
    "an array": (
        "sinusoidal_table(np.ones(3), 4)",
        "The right program raises ValueError: The truth value of an array",
    ),
    "a wrong type": ("sinusoidal_table(2.5, 4)", "The right program raises TypeError"),
    "a long text": ("sinusoidal_table('a' * 90, 4)", "more than 80 characters"),
    "less than nothing": (
        "sinusoidal_table(-1, 4)",
        "The task has no such call: n is at least 1, d is at least 2, and base is positive.",
    ),
    "an argument too few": ("sinusoidal_table(3)", "missing a required argument: 'd'"),
    "no call": ("1 + 1", "exactly one call, in the form `sinusoidal_table(...)`"),
    "two calls": ("sinusoidal_table(2, 3); sinusoidal_table(2, 4)", "exactly one call"),
    "no Python": ("sinusoidal_table((", "The call is not Python"),
    "no such name": ("sinusoidal(3, 4)", "The call raised NameError"),
    "an end of its own": ("import os; os._exit(3)", "ends the program"),
    "a text that is a number": (
        "np.frombuffer = lambda *_: np.array(7, np.uint8); sinusoidal_table('a', 4)",
        "file descriptor 3",
    ),
    "a frame of its own": (FRAME, "file descriptor 3"),
    "a file": ("sinusoidal_table(len(open('/etc/passwd').read()), 4)", "The call raised"),
}


@dataclass
class Noted:
    """A sandbox that keeps what goes in."""

    sandbox: Sandbox
    jobs: list[Job] = field(default_factory=list)

    def run(self, job: Job) -> Run:
        self.jobs.append(job)
        return self.sandbox.run(job)


def attempt(
    typed: str,
    *,
    slug: str = TABLE,
    mistake: str = "base_1000",
    student: Sandbox | None = None,
    author: Sandbox | None = None,
    pack: CasePack | None = None,
    seconds: float = 5.0,
) -> Counterexample:
    definition, pack = definition_of(slug), pack or shared_pack(slug)
    return try_arguments(
        typed,
        wrong=definition.wrong[mistake].program,
        reference=definition.reference,
        pack=pack,
        student=student or shared_sandbox("student"),
        author=author or shared_sandbox("author"),
        limits=replace(pack.entry.limits, wall_seconds=seconds),
    )


@pytest.mark.parametrize(
    ("typed", "size"),
    [
        ("sinusoidal_table(2, 3)", SMALLEST),
        ("sinusoidal_table(n=2, d=4, base=100.0)", NOT_SMALLEST),
        ("n = 3; sinusoidal_table(n, d=4)", NOT_SMALLEST),
    ],
)
def test_witness_is_found_with_its_size(typed: str, size: str) -> None:
    result = attempt(typed)
    assert (result.state, result.size, result.problem) == ("witness", size, "")
    assert result.expected_text != result.got_text
    assert Counterexample.from_json(result.as_json()) == result


def test_smaller_witness_than_all_known_is_named() -> None:
    pack = shared_pack(TABLE)
    large = pack.keep([not case.spare for case in pack.cases])
    assert attempt("sinusoidal_table(2, 3)", pack=large).size == BELOW_ALL


def test_smaller_witness_of_no_case_is_tried() -> None:
    """Without spare cases none is smaller than the example, where a smaller call fails too."""
    pack = shared_pack(TABLE)
    large = pack.keep([not case.spare for case in pack.cases])
    assert attempt("sinusoidal_table(3, 4)", pack=large).size == UNKNOWN


def test_smaller_call_outside_the_task_is_none() -> None:
    """A single column, where degrees are no radians either, is less than the task allows."""
    assert attempt("sinusoidal_table(2, 2)", mistake="degrees").size == SMALLEST


def test_witness_says_which_array_differs() -> None:
    """Two arrays are returned, of which one is shown."""
    result = attempt("rope_cos_sin(n=2, head_dim=4)", slug="rope-angles", mistake="exp_double")
    assert result.state == "witness"
    for text in (result.expected_text, result.got_text):
        assert text.startswith("part 0 of the result:\n")


def test_equal_results_are_no_witness() -> None:
    result = attempt("sinusoidal_table(1, 3)")
    assert (result.state, result.expected_text) == ("same", "an array of shape (1, 3)")


SQUARES = "np.ones((1, 2, 3)), np.eye(3), np.eye(3), np.eye(3)"


@pytest.mark.parametrize(
    ("slug", "typed", "rule"),
    [
        ("alibi-bias", "alibi_bias(n_heads=3, Lq=4, Lk=2)", "Lq is at most Lk"),
        ("alibi-bias", "alibi_bias(n_heads=-3, Lq=1, Lk=2)", "numbers are at least 1"),
        ("rope-angles", "rope_cos_sin(n=3, head_dim=5)", "head_dim is even and positive"),
        ("shift-matrix", "shift(k=1, d=0)", "d is even and positive"),
        ("inv-freq", "inv_freq(d=4, base=0.5)", "base is greater than 1"),
        ("alibi-slopes", "alibi_slopes(n_heads=0)", "n_heads is at least 1"),
        (
            "apply-rope",
            "apply_rope(np.ones((1, 1, 2, 3)), np.ones((2, 1)), np.ones((2, 1)))",
            "even D",
        ),
        ("apply-rope", "apply_rope(np.ones((1, 1, 2, 4)), np.ones(2), np.ones(2))", "(L, D/2)"),
        ("attention-with-hooks", f"attention({SQUARES}, 2, 'none')", "divides d_model"),
        ("attention-with-hooks", f"attention({SQUARES}, 1, 'rope')", "an even D"),
        ("attention-with-hooks", f"attention({SQUARES}, 1, 'xpos')", "a name in ENCODINGS"),
        ("relative-index", "relative_index(Lq=2, Lk=2, k=-1)", "k is at least 0"),
    ],
)
def test_call_outside_the_task_is_refused(slug: str, typed: str, rule: str) -> None:
    first = next(iter(definition_of(slug).wrong))
    result = attempt(typed, slug=slug, mistake=first)
    assert result.state == "refused"
    assert result.problem.startswith("The task has no such call: ")
    assert rule in result.problem


@pytest.mark.parametrize("what", REFUSED)
def test_hostile_arguments_get_a_sentence(what: str) -> None:
    """And the next try works."""
    typed, sentence = REFUSED[what]
    result = attempt(typed, seconds=0.4)
    assert (result.state, sentence in result.problem) == ("refused", True), result.problem
    assert attempt("sinusoidal_table(2, 3)").state == "witness"


@pytest.mark.torch
def test_module_is_called_twice() -> None:
    result = attempt("RelativePositionBias(1, max_distance=1)(1, 2)", slug=MODULE, mistake="buffer")
    assert (result.state, result.is_filled) == ("witness", True)
    once = attempt("RelativePositionBias(1, 1)", slug=MODULE, mistake="buffer")
    assert "`RelativePositionBias(...)(...)`" in once.problem


def test_arrays_and_texts_are_arguments() -> None:
    rows = "np.array([[[1.0, 2.0], [0.0, 1.0]]])"
    call = f"attention({rows}, np.eye(2), np.eye(2), np.eye(2), 1, 'rope', causal=True)"
    result = attempt(call, slug="attention-with-hooks", mistake="causal_ignored")
    assert result.state == "witness"
    assert "encoding='rope'" in result.call


@pytest.mark.soak
@pytest.mark.torch
def test_tensors_are_arguments() -> None:
    call = "apply_rope_half(torch.ones(1, 1, 1, 2), torch.zeros(1, 2), torch.ones(1, 2))"
    result = attempt(call, slug="apply-rope-half", mistake="additive")
    assert result.problem == ""
    assert "torch.tensor" in result.call


def test_reference_never_meets_what_is_typed() -> None:
    """Neither the reference is in the sandbox of submissions, nor what is typed in the author's."""
    student, author = Noted(shared_sandbox("student")), Noted(shared_sandbox("author"))
    typed = "sinusoidal_table(2, 3)  # SPY"
    assert attempt(typed, student=student, author=author).state == "witness"
    line = "The sinusoidal table of"
    assert line in definition_of(TABLE).reference
    assert len(student.jobs) == 1
    assert line not in student.jobs[0].source
    assert not any("SPY" in job.source for job in author.jobs)
    assert any(line in job.source for job in author.jobs)


def test_numpy_call_does_not_wait_for_torch() -> None:
    student = Noted(shared_sandbox("student"))
    attempt("sinusoidal_table(2, 3)", student=student)
    assert student.jobs
    assert not any(WORD in job.source for job in student.jobs)


@dataclass
class Slow(Noted):
    """A sandbox whose runs take a second each, by its own clock, on a busy machine."""

    def run(self, job: Job) -> Run:
        return replace(super().run(job), seconds=1.0, waited=5.0)


def test_all_processes_share_one_budget() -> None:
    """What is left of it is the time of the next; a size that is not known then is not said."""
    student, author = Slow(shared_sandbox("student")), Slow(shared_sandbox("author"))
    result = attempt("sinusoidal_table(2, 3)", student=student, author=author, seconds=1.2)
    times = [job.limits.wall_seconds for job in (*student.jobs, *author.jobs)]
    assert times == pytest.approx([1.2, 1.2, 0.4])
    assert (result.state, result.size) == ("witness", UNKNOWN)


def test_used_up_budget_is_named_as_such() -> None:
    """No single program is at fault where all of them together need too much."""
    student, author = Slow(shared_sandbox("student")), Slow(shared_sandbox("author"))
    result = attempt("sinusoidal_table(2, 3)", student=student, author=author, seconds=1.0)
    words = "The programs together need more than 2 s here. Type smaller arguments."
    assert (result.state, result.problem) == ("refused", words)
    assert len(author.jobs) == 1


def test_module_witness_is_a_call_in_eval_mode() -> None:
    """A typed call is none of a module in training, so such a case is no smallest one."""
    programs = Programs(shared_pack(MODULE), shared_sandbox("author"))
    broken = (
        "class RelativePositionBias:\n    def __init__(self, *_, **__):\n        raise ValueError"
    )
    witnesses = [case.probe for case, _ in find_witnesses(broken, programs)]
    assert set(witnesses) == {"call_eval"}


@pytest.mark.parametrize(
    ("code", "line", "is_author"),
    [
        ("if n < 0: raise ValueError('no')", 1, True),
        ("raise ValueError(\n    'no',\n)", 2, True),
        ("x = 'raise '  # raise the power", 1, False),
        ("raise ValueError", None, False),
        ("raise ValueError", 2, False),
    ],
)
def test_author_refuses_by_raise(code: str, line: int | None, *, is_author: bool) -> None:
    assert _is_raised_at(line, code) == is_author


@pytest.mark.soak
@pytest.mark.parametrize("path", ATTACKS, ids=lambda path: path.stem)
def test_attack_as_a_typed_call_changes_nothing(path: Path) -> None:
    """As a Run, an X-ray and a figure: what leaves is a case or a sentence, and the next works."""
    prelude = (path.parents[1] / "prelude.py").read_text()
    result = attempt(f"{prelude}\n{path.read_text()}\nsinusoidal_table(2, 3)", seconds=1)
    assert "LEAK" not in str(result.as_json())
    assert attempt("sinusoidal_table(2, 3)").state == "witness"
