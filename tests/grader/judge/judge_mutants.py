"""Judges that look away somewhere: the fuzzer must find each, or it proves nothing of the judge.

Each is sought in the exercise that it is named with. Where the judge looks twice (a result of
chance is a fault, and is not compared), a mutant looks away twice.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from quizzes.grader.judge import comparison, evaluation, judge, naming, stages
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.protocol import frame_grammar, read_results
from quizzes.grader.protocol.job import Ending
from quizzes.grader.protocol.observation import Leaf, Observation, Observed

Mutate = Callable[[pytest.MonkeyPatch], None]


def _without(patch: pytest.MonkeyPatch, *skipped: Any) -> None:
    kept = tuple(check for check in stages._LEAF_CHECKS if check not in skipped)
    patch.setattr(stages, "_LEAF_CHECKS", kept)


def skip_the_dtype(patch: pytest.MonkeyPatch) -> None:
    _without(patch, stages._check_dtype)


def believe_the_word_for_a_dtype(patch: pytest.MonkeyPatch) -> None:
    """As before: an imaginary part was dropped, and the word said what the dtype is."""
    patch.setattr(frame_grammar, "is_carried_in", lambda word, dtype: True)


def skip_the_numbers(patch: pytest.MonkeyPatch) -> None:
    _without(patch, stages._check_values)


def skip_the_last_leaf(patch: pytest.MonkeyPatch) -> None:
    honest = stages._result_findings

    def faults(results: Any, given: Any, entry: Any) -> Iterator[Any]:
        keys = list(results)[: max(1, len(results) - 1)]
        if results.keys() == given.keys():
            results, given = ({key: part[key] for key in keys} for part in (results, given))
        return honest(results, given, entry)

    patch.setattr(stages, "_result_findings", faults)


def accept_chance(patch: pytest.MonkeyPatch) -> None:
    honest = stages._findings

    def faults(expected: Observation, got: Observation, entry: Any) -> Iterator[Any]:
        if any(leaf.kind == "random" for leaf in got.leaves.values()):
            return stages._fact_findings(expected, got)
        return honest(expected, got, entry)

    patch.setattr(stages, "_findings", faults)
    patch.setattr(evaluation, "_is_proved", lambda results: True)


def trust_facts(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stages, "_fact_findings", lambda expected, got: iter(()))


def trust_flags(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stages, "_flag", lambda leaf: False)


def skip_gradients(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(stages, "_gradient_findings", lambda *_: iter(()))


def accept_what_is_no_number(patch: pytest.MonkeyPatch) -> None:
    """NaN is within every tolerance, since no comparison with it is true."""
    _without(patch, stages._check_finite)

    def errors(wanted: Any, given: Any) -> Any:
        with np.errstate(all="ignore"):
            error = np.abs(given - wanted)
        return np.where((wanted == given) | np.isnan(error), 0.0, error)

    patch.setattr(comparison, "cell_errors", errors)


def widen_the_tolerance(patch: pytest.MonkeyPatch) -> None:
    honest = stages.difference

    def difference(expected: Any, got: Any, tolerance: Tolerance) -> Any:
        parts = (tolerance.rtol, tolerance.atol, tolerance.relative_to_max)
        return honest(expected, got, Tolerance(*(1e6 * part for part in parts)))

    patch.setattr(stages, "difference", difference)


def accept_any_failure(patch: pytest.MonkeyPatch) -> None:
    """A claimed failure is enough, as it is for a case that must raise."""
    honest = stages.check_case

    def check_case(expected: Observation, got: Observation, *more: Any) -> Any:
        return None if got.failure is not None else honest(expected, got, *more)

    patch.setattr(naming, "check_case", check_case)


def accept_any_result_where_an_error_is_due(patch: pytest.MonkeyPatch) -> None:
    honest = stages.check_case

    def check_case(expected: Observation, got: Observation, *more: Any) -> Any:
        return None if expected.failure is not None else honest(expected, got, *more)

    patch.setattr(naming, "check_case", check_case)


def _look_away(patch: pytest.MonkeyPatch, prepare: Callable[..., Any]) -> None:
    """Evaluate what `prepare` leaves of the observations and of the reported places."""
    honest = evaluation.evaluate

    def evaluate(pack: Any, observed: Observed, reported: Sequence[int], **more: Any) -> Any:
        return honest(pack, *prepare(pack, observed, reported), **more)

    patch.setattr(judge, "evaluate", evaluate)
    patch.setattr(evaluation, "_is_proved", lambda results: True)


def _with_missing(pack: Any, observed: Observed, reported: Any) -> tuple[Observed, Any]:
    """Take what is missing as right."""
    if observed.ending is Ending.GARBLED:
        return observed, reported
    every = zip(pack.cases, observed.observations, pack.expected, strict=True)
    # What was timed may be missing; a pack holds a part of its result, which none sends.
    seen = tuple(
        got or (expected if case.probe != "time" else None) for case, got, expected in every
    )
    observed = replace(observed, observations=seen, ending=Ending.FINISHED, loaded=True)
    again = ((call, got or pack.expected_of(call)) for call, got in observed.paired)
    return replace(observed, paired=tuple(again)), reported


def _in_shape(pack: Any, observed: Observed, reported: Any) -> tuple[Observed, Any]:
    both = zip(observed.observations, pack.expected, strict=True)
    return replace(observed, observations=tuple(_cut(*pair) for pair in both)), reported


def _shown_alone(pack: Any, observed: Observed, reported: Any) -> tuple[Observed, Any]:
    return observed, [place for place in reported if pack.cases[place].shown]


def _cut(got: Observation | None, expected: Observation) -> Observation | None:
    """Results in the shape expected, whatever theirs is."""

    def cut(key: str, leaf: Leaf) -> Leaf:
        wanted = expected.leaves.get(key)
        if not key.startswith("out") or wanted is None or leaf.values is None:
            return leaf
        return replace(leaf, values=np.resize(leaf.values, wanted.shape), shape=wanted.shape)

    return got and replace(got, leaves={key: cut(key, leaf) for key, leaf in got.leaves.items()})


def skip_the_shape(patch: pytest.MonkeyPatch) -> None:
    _look_away(patch, _in_shape)


def ignore_hidden_cases(patch: pytest.MonkeyPatch) -> None:
    _look_away(patch, _shown_alone)


def accept_a_missing_case(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(read_results._Reading, "check_complete", lambda self: None)
    _look_away(patch, _with_missing)


def accept_another_cases_frame(patch: pytest.MonkeyPatch) -> None:
    """The frame that comes is taken for the case that is due, whichever it names."""
    honest = read_results._Reading._take_result

    def take(self: Any, frame: Any, kind: str) -> None:
        if (kind, frame.header.get("index")) != self._look_back:
            kind, due = self._due[min(self._read, len(self._due) - 1)]
            frame = replace(frame, header={**frame.header, "index": due})
        honest(self, frame, kind)

    patch.setattr(read_results._Reading, "_take_result", take)


def accept_late_frames(patch: pytest.MonkeyPatch) -> None:
    honest = judge.read_run
    patch.setattr(judge, "read_run", lambda run, *asked: honest(replace(run, in_time=None), *asked))


def skip_the_pairs(patch: pytest.MonkeyPatch) -> None:
    patch.setattr(evaluation, "check_pairs", lambda pack, paired: {})


def believe_in_conventions(patch: pytest.MonkeyPatch) -> None:
    """The fixed cases that tell mistakes apart are enough."""
    patch.setattr(naming, "_keeps_to", lambda results, convention: True)


MUTANTS: Mapping[Mutate, str] = {
    skip_the_dtype: "relative-index",
    believe_the_word_for_a_dtype: "relative-index",
    skip_the_shape: "alibi-bias",
    skip_the_numbers: "apply-rope",
    skip_the_last_leaf: "rope-angles",
    accept_chance: "sinusoidal-module",
    trust_facts: "learned-positions",
    trust_flags: "apply-rope",
    skip_gradients: "learned-positions",
    accept_what_is_no_number: "rope-angles",
    widen_the_tolerance: "apply-rope",
    accept_any_failure: "relative-index",
    accept_any_result_where_an_error_is_due: "learned-positions",
    ignore_hidden_cases: "rope-angles",
    accept_a_missing_case: "relative-index",
    accept_another_cases_frame: "relative-index",
    accept_late_frames: "relative-index",
    skip_the_pairs: "relative-index",
    believe_in_conventions: "alibi-bias",
}
