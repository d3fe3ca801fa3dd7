"""The two cards of a report: which properties hold, with what was measured, and how fast it is."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from quizzes.grader import wording
from quizzes.grader.case import Case
from quizzes.grader.case_pack import SAME_DTYPE, CasePack
from quizzes.grader.cellwise import as_floats
from quizzes.grader.comparison import difference
from quizzes.grader.fact_words import WORDS
from quizzes.grader.facts import CHANGED, FACT, GRAD, is_claimed, measured_by, results_of, value_of
from quizzes.grader.observation import Leaf, Observation
from quizzes.grader.report import Property, Speed
from quizzes.grader.rungs import find_fault
from quizzes.grader.showing import call_text
from quizzes.grader.timing import WHOLE_ARRAYS, allowed_seconds, largest_timed
from quizzes.grader.tolerance import Tolerance
from quizzes.grader.verdict import Rung

UNSEEN = "could not be looked at: the code raised, or returned something else"
UNLESS_ODD = ("frozen",)
DTYPE_KEPT = "dtype_kept"
WITH_DTYPE = ("array", "tensor", "random")
AS_FAST_RATIO = 2.0  # below that, the machine's mood decides
SLOW_RATIO = 5.0  # above that, it is a loop rather than a detour
SLOW_SECONDS = 5e-4  # below that, nobody needs to care

Looked = list[tuple[Case, Observation, Observation]]  # the case, expected, got


def property_card(
    pack: CasePack, got: Sequence[Observation | None], told: Sequence[int]
) -> tuple[Property, ...]:
    """What the told cases say of properties; empty for exercises whose cases look at none.

    One line for each property: of the first case in which it does not hold, else of the first.
    """
    looked = [(pack.cases[i], pack.expected[i], seen) for i in told if (seen := got[i])]
    found = [*_from_facts(looked), *_from_gradients(looked, pack)]
    if not found:
        return ()
    if SAME_DTYPE in pack.entry.dtypes:
        found = [item for item in found if item.name != DTYPE_KEPT]
        found.append(_from_dtypes(looked))
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
    return (*lines.values(), *_from_raises(looked, pack), *_from_arguments(looked))


def speed_card(
    pack: CasePack, got: Sequence[Observation | None], failed: Rung | None
) -> Speed | None:
    """Of the largest input on which both were timed; None unless the values are right.

    `failed`: the first rung that failed. How fast something else is computed teaches nothing.
    """
    timed = largest_timed(pack, got)
    wrong = failed is not None and (failed is Rung.LIMIT or failed.order <= Rung.VALUES.order)
    if timed is None or wrong:
        return None
    return Speed(
        call_text(pack.entry, pack.cases[timed.place]),
        timed.seconds,
        timed.reference,
        timed.ratio,
        _speed_sentence(timed.seconds, timed.ratio),
        allowed_seconds(pack.entry, timed.reference),
    )


def _from_facts(looked: Looked) -> Iterator[Property]:
    for case, expected, got in looked:
        for key in expected.leaves:
            name = key.removeprefix(FACT)
            if not key.startswith(FACT) or name not in WORDS:
                continue
            words, wanted, given = WORDS[name], value_of(expected, key), value_of(got, key)
            if wanted is None or given is None:
                yield Property(name, words.title, holds=False, measured=UNSEEN, case=case.label)
                continue
            holds = wanted == given
            if holds and name in UNLESS_ODD and wanted == 0:
                continue
            measured = words.measured(int(wanted), int(given), measured_by(got, name))
            if not holds and words.rung is Rung.GRADIENTS and wanted > 1:
                measured += f", expected {int(wanted)}"
            claimed = is_claimed(expected, name)
            yield Property(name, words.title, holds, measured, case.label, claimed=claimed)


def _from_gradients(looked: Looked, pack: CasePack) -> Iterator[Property]:
    for case, expected, got in looked:
        for key, wanted in expected.leaves.items():
            if key.startswith(GRAD):
                name = key.removeprefix(GRAD)
                of_what = "what is trained" if name == "parameters" else name
                title = f"The gradient of {of_what} is right"
                holds, measured = _compare(wanted, got.leaves.get(key), pack.entry.tolerance)
                yield Property(key, title, holds, measured, case.label, claimed=True)


def _compare(wanted: Leaf, given: Leaf | None, tolerance: Tolerance) -> tuple[bool, str]:
    if given is None or given.values is None or wanted.values is None:
        return False, UNSEEN
    if given.shape != wanted.shape:
        return False, f"its shape is {given.shape}, expected {wanted.shape}"
    found = difference(wanted.values, given.values, tolerance)
    if found is not None:
        share = f"in {found.failing} of {found.total} numbers"
        return False, f"the largest error is {found.max_error:.2g}, {share}"
    error = np.max(np.abs(as_floats(given.values) - as_floats(wanted.values)), initial=0.0)
    return True, f"the largest error is {float(error):.2g}"


def _from_dtypes(looked: Looked) -> Property:
    """What became of each dtype, in all cases that returned arrays where arrays are expected."""
    became: dict[str, tuple[str, str]] = {}
    for case, expected, got in looked:
        for key, wanted in results_of(expected).items():
            leaf = got.leaves.get(key)
            if leaf is None or leaf.kind not in WITH_DTYPE:
                continue
            known = became.get(wanted.dtype)
            if known is None or known[0] == wanted.dtype != leaf.dtype:
                became[wanted.dtype] = (leaf.dtype, case.label)
    title = WORDS[DTYPE_KEPT].title
    if not became:
        return Property(DTYPE_KEPT, title, holds=False, measured=UNSEEN, case=looked[0][0].label)
    changed = [label for wanted, (given, label) in became.items() if given != wanted]
    labels = changed or [label for _, label in became.values()]
    measured = "; ".join(
        f"given {wanted}, it returns {given}" for wanted, (given, _) in became.items()
    )
    return Property(DTYPE_KEPT, title, holds=not changed, measured=measured, case=labels[0])


def _from_raises(looked: Looked, pack: CasePack) -> Iterator[Property]:
    for case, expected, got in looked:
        if expected.failure is not None:
            holds = find_fault(expected, got, pack.entry, str) is None
            measured = (
                "it raised an error"
                if got.failure
                else (f"it returned {wording.describe_result(got)}")
            )
            title = f"Raises an error: {case.label}"
            yield Property("raises", title, holds, measured, case.label, claimed=True)


def _from_arguments(looked: Looked) -> Iterator[Property]:
    flags = [
        (case, bool(value_of(got, key)))
        for case, expected, got in looked
        for key in expected.leaves
        if key.startswith(CHANGED) and got.failure is None
    ]
    if flags:
        changed = [case.label for case, flag in flags if flag]
        measured = (
            f"unchanged after {len(flags)} calls"
            if not changed
            else (f"changed in {len(changed)} of {len(flags)} calls")
        )
        label = changed[0] if changed else flags[0][0].label
        title = "Arguments are left as they were"
        yield Property("input_unchanged", title, not changed, measured, label, claimed=True)


def _speed_sentence(seconds: float, ratio: float) -> str:
    if ratio <= 1 / AS_FAST_RATIO:
        return f"Faster than the reference, which takes about {1 / ratio:.1f} times as long."
    if ratio < AS_FAST_RATIO:
        return "About as fast as the reference."
    if ratio < SLOW_RATIO:
        return f"It takes about {ratio:.1f} times as long as the reference."
    if seconds < SLOW_SECONDS:
        return "Slower than the reference, but both are done in no time."
    return (
        f"The reference needs about 1/{wording.times(ratio)} of the time. {WHOLE_ARRAYS} that much."
    )
