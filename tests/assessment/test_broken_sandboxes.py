"""A generator under which the sandbox breaks."""

from contextlib import contextmanager

import pytest

from quizzes.assessment import pools
from quizzes.assessment.models import Question
from quizzes.assessment.pools import PoolKeeper, store_instance
from quizzes.grader.errors import SandboxBroken
from tests.assessment.content import write_question
from tests.assessment.drawn import SOURCE, YAML, made

pytestmark = [pytest.mark.django_db, pytest.mark.both_databases]


def test_a_generator_that_breaks_the_sandbox_holds_up_no_other(tmp_path, load, monkeypatch):
    for slug in ("drawn", "other"):
        (write_question(tmp_path, slug, YAML).parent / "generate.py").write_text(SOURCE)
    load()
    broken, other = Question.objects.order_by("slug")

    @contextmanager
    def opener(profile):
        yield profile

    def fill(version, wanted, author):
        if version == broken.current:
            raise SandboxBroken("it died")
        for seed in range(pools.POOL_SIZE):
            store_instance(version, made(seed))

    monkeypatch.setattr(pools, "_fill", fill)
    keeper = PoolKeeper(opener=opener)
    with pytest.raises(SandboxBroken):
        keeper()
    assert keeper()
    assert other.current.instances.count() == pools.POOL_SIZE
    for _ in range(2):
        with pytest.raises(SandboxBroken):
            keeper()
    broken.current.refresh_from_db()
    assert broken.current.problem.startswith("generate.py:1: the sandbox broke 3 times")
    assert not keeper()
