"""The property card of a report: which properties hold, and what was measured."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence

import numpy as np

from quizzes.grader.judge import property_messages
from quizzes.grader.judge.case_pack import SAME_DTYPE, CasePack
from quizzes.grader.judge.comparison import Tolerance, as_floats, difference
from quizzes.grader.judge.property_messages import PROPERTY_MESSAGES, UNSEEN
from quizzes.grader.judge.report import Property
from quizzes.grader.judge.stages import facts_with_messages
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.observation import (
    CHANGED,
    GRAD,
    Leaf,
    Observation,
    is_claimed,
    measured_by,
    results_of,
    value_of,
)
from quizzes.grader.protocol.verdict import Stage

UNLESS_ODD = ("frozen",)
DTYPE_KEPT = "dtype_kept"
WITH_DTYPE = ("array", "tensor", "random")

SeenCases = list[tuple[Case, Observation, Observation]]  # the case, expected, got


def property_report(
    pack: CasePack,
    got: Sequence[Observation | None],
    reported: Sequence[int],
    failing: Collection[int],
) -> tuple[Property, ...]:
    """Return what the reported cases say of properties; empty where no case looks at any.

    One line for each property: of the first case in which it does not hold, else of the first.
    `failing`: the places of the cases that did not pass.
    """
    seen_cases = [(pack.cases[i], pack.expected[i], seen) for i in reported if (seen := got[i])]
    found = [*_from_facts(seen_cases), *_from_gradients(seen_cases, pack)]
    if not found:
        return ()
    if SAME_DTYPE in pack.entry.dtypes:
        found = [item for item in found if item.name != DTYPE_KEPT]
        found.append(_from_dtypes(seen_cases))
    lines: dict[str, Property] = {}
    for item in found:
        known = lines.get(item.name)
        better = known is not None and item.measured != UNSEEN
        if (
            known is None
            or (better and known.measured == UNSEEN)
            or (better and known.holds and not item.holds)
        ):
            lines[item.name] = item
    return (
        *lines.values(),
        *_from_raises(pack, got, reported, failing),
        *_from_arguments(seen_cases),
    )


def _from_facts(seen_cases: SeenCases) -> Iterator[Property]:
    for case, expected, got in seen_cases:
        for key, name, words in facts_with_messages(expected):
            wanted, given = value_of(expected, key), value_of(got, key)
            if wanted is None or given is None:
                yield Property(name, words.title, holds=False, measured=UNSEEN, case=case.label)
                continue
            holds = wanted == given
            if holds and name in UNLESS_ODD and wanted == 0:
                continue
            measured = words.measured(int(wanted), int(given), measured_by(got, name))
            if not holds and words.stage is Stage.GRADIENTS and wanted > 1:
                measured = property_messages.measured_count(measured, int(wanted))
            claimed = is_claimed(expected, name)
            yield Property(name, words.title, holds, measured, case.label, claimed=claimed)


def _from_gradients(seen_cases: SeenCases, pack: CasePack) -> Iterator[Property]:
    for case, expected, got in seen_cases:
        for key, wanted in expected.leaves.items():
            if key.startswith(GRAD):
                name = key.removeprefix(GRAD)
                title = property_messages.gradient_title(name)
                holds, measured = _compare(wanted, got.leaves.get(key), pack.entry.tolerance)
                yield Property(key, title, holds, measured, case.label, claimed=True)


def _compare(expected: Leaf, got: Leaf | None, tolerance: Tolerance) -> tuple[bool, str]:
    if got is None or got.values is None or expected.values is None:
        return False, UNSEEN
    if got.shape != expected.shape:
        return False, property_messages.measured_shape(expected, got)
    mismatch = difference(expected.values, got.values, tolerance)
    if mismatch is not None:
        return False, property_messages.measured_error(mismatch.max_error, mismatch)
    error = np.max(np.abs(as_floats(got.values) - as_floats(expected.values)), initial=0.0)
    return True, property_messages.measured_error(float(error))


def _from_dtypes(seen_cases: SeenCases) -> Property:
    """Return what became of each dtype, in all cases that returned arrays where they are due."""
    became: dict[str, tuple[str, str]] = {}
    for case, expected, got in seen_cases:
        for key, wanted in results_of(expected).items():
            leaf = got.leaves.get(key)
            if leaf is None or leaf.kind not in WITH_DTYPE:
                continue
            known = became.get(wanted.dtype)
            if known is None or known[0] == wanted.dtype != leaf.dtype:
                became[wanted.dtype] = (leaf.dtype, case.label)
    title = PROPERTY_MESSAGES[DTYPE_KEPT].title
    if not became:
        return Property(
            DTYPE_KEPT, title, holds=False, measured=UNSEEN, case=seen_cases[0][0].label
        )
    changed = [label for wanted, (given, label) in became.items() if given != wanted]
    labels = changed or [label for _, label in became.values()]
    measured = property_messages.measured_dtypes(
        {wanted: given for wanted, (given, _) in became.items()}
    )
    return Property(DTYPE_KEPT, title, holds=not changed, measured=measured, case=labels[0])


def _from_raises(
    pack: CasePack,
    got: Sequence[Observation | None],
    reported: Sequence[int],
    failing: Collection[int],
) -> Iterator[Property]:
    for place in reported:
        seen, label = got[place], pack.cases[place].label
        if pack.expected[place].failure is not None and seen is not None:
            title, measured = (
                property_messages.raises_title(label),
                property_messages.measured_raising(seen),
            )
            yield Property("raises", title, place not in failing, measured, label, claimed=True)


def _from_arguments(seen_cases: SeenCases) -> Iterator[Property]:
    flags = [
        (case, bool(value_of(got, key)))
        for case, expected, got in seen_cases
        for key in expected.leaves
        if key.startswith(CHANGED) and got.failure is None
    ]
    if flags:
        changed = [case.label for case, flag in flags if flag]
        measured = property_messages.measured_arguments(len(changed), len(flags))
        label = changed[0] if changed else flags[0][0].label
        title = property_messages.ARGUMENTS_LEFT
        yield Property("input_unchanged", title, not changed, measured, label, claimed=True)
