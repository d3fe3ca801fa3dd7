"""What is ambiguous in an exercise: a tolerance that swallows a mistake, promises nobody tests."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

import numpy as np

from quizzes.grader.definitions.definition import ExerciseDefinition
from quizzes.grader.definitions.verification_report import VerifiedCase, Warned
from quizzes.grader.definitions.worked_examples import Example
from quizzes.grader.judge import messages
from quizzes.grader.judge.case_pack import CasePack, Variant
from quizzes.grader.judge.comparison import Tolerance, as_floats, cell_errors, same_observation
from quizzes.grader.judge.timed_results import PLACES
from quizzes.grader.judge.timing import ALWAYS_ALLOWED, allowed_seconds, largest_timed
from quizzes.grader.protocol.case import arguments
from quizzes.grader.protocol.observation import Observation

NEAR = 4.0  # a mistake less than this many tolerances away may be lost in rounding
MEASURING = ("norm_change", "relative_scores", "rows_unique", "causal")
_DTYPE = re.compile(r"\b(float16|bfloat16|float32|float64|complex64|complex128|int32|int64)\b")
_PARAMETER = re.compile(r"(?:\(|,\s*)(?:\*,\s*)?(\w+)\s*[:=,)]")


def find_ambiguities(
    definition: ExerciseDefinition,
    pack: CasePack,
    cases: Sequence[VerifiedCase],
    examples: Sequence[Example],
) -> Iterator[Warned]:
    """Yield warnings for the author; none of them keeps an exercise from being published."""
    yield from _tolerances(pack)
    yield from _dtypes(definition, pack)
    yield from _parameters(definition, pack)
    yield from _idle_cases(cases, len(definition.wrong))
    yield from _too_quick(pack)
    if not examples:
        yield Warned("example", "The statement has no worked example that can be run.")


def _tolerances(pack: CasePack) -> Iterator[Warned]:
    places = [place for place, case in enumerate(pack.cases) if case.identify]
    expected = [pack.expected[place] for place in places]
    for variant in pack.fingerprints.variants:
        distance = _distance(variant, expected, pack.entry.tolerance)
        slug = variant.mistake.slug
        if distance is not None and distance <= 1:
            yield Warned(
                "tolerance", f"The tolerance is too wide to catch {slug}: its numbers pass."
            )
        elif distance is not None and distance < NEAR:
            yield Warned(
                "tolerance",
                f"{slug} differs from the right result by only {distance:.1f} times the tolerance.",
            )


def _distance(
    variant: Variant, expected: Sequence[Observation], tolerance: Tolerance
) -> float | None:
    """Return how many tolerances the variant is away; None when it differs in more than numbers."""
    largest = 0.0
    for wanted, given in zip(expected, variant.observations, strict=True):
        if same_observation(given, wanted, Tolerance()):
            continue
        if given.failure or wanted.failure or given.leaves.keys() != wanted.leaves.keys():
            return None
        for key, leaf in wanted.leaves.items():
            other = given.leaves[key]
            if leaf.values is None or other.values is None or other.shape != leaf.shape:
                return None
            if not key.startswith(("out", "grad.")):
                if not np.array_equal(leaf.values, other.values) and not key.startswith("seen."):
                    return None
                continue
            expected_numbers = as_floats(leaf.values)
            allowed = np.maximum(tolerance.allowed_error(expected_numbers), 1e-300)
            with np.errstate(over="ignore"):  # an infinite error, of NaN too, stays infinite
                share = cell_errors(expected_numbers, as_floats(other.values)) / allowed
            largest = max(largest, float(np.max(share, initial=0.0)))
    return largest if largest > 0 else None


def _dtypes(definition: ExerciseDefinition, pack: CasePack) -> Iterator[Warned]:
    tested = set(definition.dtypes)
    for case, observation in zip(pack.cases, pack.expected, strict=True):
        leaves = observation.leaves.items()
        tested |= {leaf.dtype for key, leaf in leaves if not key.startswith(PLACES)}
        tested |= {str(value.dtype) for _, value in arguments(case) if hasattr(value, "dtype")}
        if case.probe == "call_half":
            tested.add("float16")
    for name in sorted(set(_DTYPE.findall(definition.statement)) - tested):
        yield Warned("dtype", f"The statement names {name}, but no case tests it.")


def _parameters(definition: ExerciseDefinition, pack: CasePack) -> Iterator[Warned]:
    passed = {name for case in pack.cases for name, _ in arguments(case)}
    signature = definition.signature[definition.signature.index(definition.name) :]
    for name in _PARAMETER.findall(signature.partition("->")[0]):
        if name not in passed and name != "self":
            yield Warned("case", f"No case passes a value for the argument {name}.")


def _idle_cases(cases: Sequence[VerifiedCase], variants: int) -> Iterator[Warned]:
    """Yield a warning of each case that catches no known mistake.

    A case for the property card is there for what it measures, so none is given of it.
    """
    for case in cases:
        if variants and len(case.passed_by) == variants and case.probe not in MEASURING:
            yield Warned("case", f"The case “{case.label}” catches no known mistake.")


def _too_quick(pack: CasePack) -> Iterator[Warned]:
    """Yield a warning where the reference is done in no time.

    What is always allowed decides there, not its factor.
    """
    timed = largest_timed(pack, pack.expected)
    if timed is not None and allowed_seconds(pack.entry, timed.reference) == ALWAYS_ALLOWED:
        most, label = messages.duration(ALWAYS_ALLOWED), pack.cases[timed.place].label
        taken = messages.duration(timed.reference)
        what = f"The reference takes {taken} for “{label}”, but {most} are always allowed"
        yield Warned(
            "speed", f"{what}: speed.at_most has no effect unless you time a larger input."
        )
