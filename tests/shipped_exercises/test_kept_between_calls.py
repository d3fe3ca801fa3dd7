"""Code may keep what it likes between calls as long as the numbers are right; else it is told."""

from collections.abc import Callable, Iterator
from dataclasses import replace

import numpy as np
import pytest

from quizzes.grader.definitions.definition import ExerciseDefinition
from quizzes.grader.judge import BUILT_IN_MISTAKES, CasePack, Report, grade_code
from quizzes.grader.judge.built_in_mistakes import KEPT_BETWEEN_CALLS, OVERWRITTEN_RESULT
from quizzes.grader.judge.case_pack import FingerprintSet
from quizzes.grader.protocol.case import has_arrays
from quizzes.grader.protocol.job import Sandbox
from quizzes.grader.protocol.pairs import calls_of, pairs_of
from quizzes.grader.protocol.verdict import Verdict
from tests.shipped_exercises.folders import SLUGS, definition_of
from tests.shipped_exercises.keeping import (
    ATTRIBUTES,
    BY_IDENTITY,
    FORGETFUL,
    HONEST,
    HONEST_FUNCTIONS,
    HONEST_MODULES,
    LRU_CACHE,
    MODULE_BY_IDENTITY,
    without,
)

pytestmark = [pytest.mark.sandbox, pytest.mark.slow]


def takes_arrays(definition: ExerciseDefinition) -> bool:
    """Whether the signature says so; of a module, what it is called with."""
    said = f"{definition.signature.partition('->')[0]} {definition.returns}"
    return any(word in said for word in (": np.ndarray", ": torch.Tensor", "called with x "))


FUNCTIONS = [slug for slug in SLUGS if definition_of(slug).kind == "function"]
MODULES = [slug for slug in SLUGS if definition_of(slug).kind == "module"]
TAKING_ARRAYS = [slug for slug in SLUGS if takes_arrays(definition_of(slug))]
PLAIN = [slug for slug in FUNCTIONS if slug not in TAKING_ARRAYS]
BarePackOf = Callable[[str], CasePack]


@pytest.fixture(scope="module")
def bare_pack_of(pack_of: Callable[..., CasePack]) -> BarePackOf:
    """Give a pack by its slug that knows no mistake of its exercise."""

    def without_mistakes(slug: str) -> CasePack:
        pack = pack_of(slug)
        known = pack.fingerprints
        return replace(pack, fingerprints=FingerprintSet(known.cases, (), known.same_calls))

    return without_mistakes


def keeping(slug: str, wrapper: str) -> str:
    """The reference of an exercise with a wrapper."""
    definition = definition_of(slug)
    return definition.reference + wrapper.replace("NAME", definition.name)


def assert_told(report: Report, what: str) -> None:
    """Of what is kept between calls, with the call and the one before it."""
    assert report.verdict is Verdict.KNOWN_MISTAKE, (what, report.verdict, report.first_fault)
    assert report.known_mistake == BUILT_IN_MISTAKES[KEPT_BETWEEN_CALLS], what
    assert report.smallest_failing is not None
    assert report.first_fault is not None
    assert report.smallest_failing.label == report.first_fault.case
    assert report.smallest_failing.call
    assert report.smallest_failing.before
    assert not report.shrunk


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("how", HONEST_FUNCTIONS)
@pytest.mark.parametrize("slug", FUNCTIONS)
def test_a_function_that_keeps_what_fits_is_correct(
    slug: str, how: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    report = grade_code(bare_pack_of(slug), keeping(slug, HONEST_FUNCTIONS[how]), student)
    assert report.verdict is Verdict.CORRECT, report.first_fault


@pytest.mark.covering
@pytest.mark.parametrize("how", HONEST_MODULES)
@pytest.mark.parametrize("slug", MODULES)
def test_a_module_that_keeps_what_fits_is_correct(
    slug: str, how: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    report = grade_code(bare_pack_of(slug), keeping(slug, HONEST_MODULES[how]), student)
    assert report.verdict is Verdict.CORRECT, report.first_fault


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("slug", PLAIN)
def test_lru_cache_is_correct_wherever_it_can_be_written(
    slug: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    assert len(PLAIN) > 5
    pack = bare_pack_of(slug)
    assert not any(map(has_arrays, pack.cases))
    report = grade_code(pack, keeping(slug, LRU_CACHE), student)
    assert report.verdict is Verdict.CORRECT, report.first_fault


@pytest.mark.covering(most=3)
@pytest.mark.parametrize(("slug", "how"), HONEST)
def test_what_is_kept_by_all_that_it_depends_on_is_correct(
    slug: str, how: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    report = grade_code(bare_pack_of(slug), HONEST[slug, how], student)
    assert report.verdict is Verdict.CORRECT, report.first_fault


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("slug", FUNCTIONS)
def test_a_result_kept_without_looking_at_an_argument_is_found(
    slug: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    pack = bare_pack_of(slug)
    arguments = {pair.argument for pair in pairs_of(pack.cases)}
    assert arguments | definition_of(slug).no_pair.keys() == set(_arguments(pack))
    for argument in sorted(arguments):
        assert_told(grade_code(pack, keeping(slug, without(argument)), student), argument)


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("slug", TAKING_ARRAYS)
def test_a_result_kept_by_the_identity_of_an_array_is_found(
    slug: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    pack = bare_pack_of(slug)
    assert any(map(has_arrays, pack.cases))
    wrapper = MODULE_BY_IDENTITY if slug in MODULES else BY_IDENTITY
    assert_told(grade_code(pack, keeping(slug, wrapper), student), slug)


@pytest.mark.covering(most=3)
@pytest.mark.parametrize(("slug", "how"), FORGETFUL)
def test_what_no_longer_fits_is_found(
    slug: str, how: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    assert_told(grade_code(bare_pack_of(slug), FORGETFUL[slug, how], student), how)


@pytest.mark.parametrize(("slug", "how"), ATTRIBUTES)
def test_a_tensor_kept_as_an_attribute_stays_behind(
    slug: str, how: str, pack_of: Callable[..., CasePack], student: Sandbox
) -> None:
    report = grade_code(pack_of(slug), ATTRIBUTES[slug, how], student)
    assert report.known_mistake is not None
    assert report.known_mistake.slug == "kept_in_forward"


OVERWRITING = """
import numpy as _np
_right, _buffers = NAME, {}
def _same(value):
    size, key = int(_np.prod(value.shape)), str(value.dtype)
    if key not in _buffers:
        flat = value.reshape(-1)
        _buffers[key] = flat.repeat(1 + (1 << 20) // max(1, len(flat)))
    result = _buffers[key][:size].reshape(value.shape)
    result[...] = value
    return result
def NAME(**kwargs):
    result = _right(**kwargs)
    if isinstance(result, tuple):
        return result[:-1] + (_same(result[-1]),)
    return _same(result)
"""


@pytest.mark.covering(most=3)
@pytest.mark.parametrize("slug", FUNCTIONS)
def test_a_result_that_the_next_call_changes_is_found(
    slug: str, bare_pack_of: BarePackOf, student: Sandbox
) -> None:
    report = grade_code(bare_pack_of(slug), keeping(slug, OVERWRITING), student)
    assert report.verdict is Verdict.KNOWN_MISTAKE, report.first_fault
    assert report.known_mistake == BUILT_IN_MISTAKES[OVERWRITTEN_RESULT]


@pytest.mark.parametrize("slug", MODULES)
def test_a_pack_holds_what_a_module_gives_once_it_is_filled_anew(
    slug: str, bare_pack_of: BarePackOf
) -> None:
    pack = CasePack.from_bytes(bare_pack_of(slug).to_bytes())
    assert pack.to_bytes() == bare_pack_of(slug).to_bytes()
    anew = [call for call in calls_of(pack.find_pairs(), pack.cases) if call.refilled]
    assert bool(anew) == bool(pack.refilled) == any(case.fill for case in pack.cases)
    shown = pack.keep([case.shown for case in pack.cases])
    for call in anew:
        first = pack.expected[call.place].leaves["out"].values
        again = pack.expected_of(call).leaves["out"].values
        assert first is not None
        assert again is not None
        case = pack.cases[call.place]
        numbers = np.random.default_rng(case.refill_seed).uniform(-3, 3, 1000)
        gone = again - case.kwargs.get("x", 0)  # what was read of them
        assert np.isclose(np.unique(gone)[:, None], numbers, atol=1e-5).any(axis=1).all()
        assert not np.isclose(again, first).all()
        if pack.cases[call.place].shown:
            labels = [case.label for case in shown.cases]
            assert shown.refilled[labels.index(pack.cases[call.place].label)].leaves


def _arguments(pack: CasePack) -> Iterator[str]:
    for case in pack.cases:
        if case.returns:
            yield from (*case.kwargs, *(case.init or {}))


def test_another_convention_that_keeps_what_it_learned_once_is_none(
    pack_of: Callable[..., CasePack], student: Sandbox
) -> None:
    """Each module is made anew for a case, so only the call after learning shows it."""
    offset = definition_of("learned-positions").wrong["offset2"].source
    pack = pack_of("learned-positions")
    assert grade_code(pack, offset, student).verdict is Verdict.CORRECT_OTHER_CONVENTION
    stale = offset.replace(
        "        return x + self.table(positions + 2)",
        "        if not hasattr(self, 'rows'):\n"
        "            self.rows = self.table.weight.detach().clone()\n"
        "        learned = self.table(positions + 2)\n"
        "        return x + self.rows[positions + 2] + learned - learned.detach()",
    )
    assert stale != offset
    assert grade_code(pack, stale, student).verdict is not Verdict.CORRECT_OTHER_CONVENTION
