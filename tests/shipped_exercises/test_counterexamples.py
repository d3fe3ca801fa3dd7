"""Each known mistake that a learner may be asked to break has a witness among the cases."""

from dataclasses import replace

import pytest

from quizzes.exercises.counterexamples.choice import failing_variants
from quizzes.grader.definitions import verify
from quizzes.grader.programs.counterexample import Programs, find_witnesses
from tests.shared_sandboxes import shared_pack, shared_sandbox
from tests.shipped_exercises.folders import SLUGS, definition_of

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]
IN_THE_GATE = ("inv-freq", "sinusoidal-table")


@pytest.mark.parametrize("slug", IN_THE_GATE)
def test_first_mistake_has_a_witness(slug: str) -> None:
    definition = definition_of(slug)
    first = next(name for name, wrong in definition.wrong.items() if wrong.kind == "mistake")
    assert _has_witness(slug, first)


@pytest.mark.soak
@pytest.mark.torch
@pytest.mark.parametrize("slug", SLUGS)
def test_every_mistake_offered_has_a_witness(slug: str) -> None:
    """As verified: what only a gradient, a limit or two calls show is not offered."""
    definition = definition_of(slug)
    proof = verify(definition, shared_sandbox("author"), shared_sandbox("student")).proof
    names = [
        name
        for name in failing_variants(proof.as_json(), definition.kind)
        if definition.wrong[name].kind == "mistake"
    ]
    assert names
    assert [name for name in names if not _has_witness(slug, name)] == []


def _has_witness(slug: str, mistake: str) -> bool:
    pack = shared_pack(slug)
    limits = replace(pack.entry.limits, wall_seconds=10)
    programs = Programs(replace(pack, entry=replace(pack.entry, limits=limits)), _author(), 0.0)
    program = definition_of(slug).wrong[mistake].program
    return any(True for _ in find_witnesses(program, programs))


def _author():
    return shared_sandbox("author")
