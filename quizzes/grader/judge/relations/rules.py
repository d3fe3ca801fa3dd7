"""The relations that are looked for: the first one that is true of every compared result is said.

Each is a guess at what a result is (half of the expected one), computed for every case and compared
with what the code returned. A number in a sentence comes from a case that the learner sees, and
`only_differs_in` looks at no other cases; of hidden ones, nothing but "true" or "not true" is used.
So a sentence says no more of hidden cases than the name of a known mistake does.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from itertools import permutations

import numpy as np

from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.judge.comparison import Floats
from quizzes.grader.judge.relations import words
from quizzes.grader.judge.relations.samples import (
    LEAST_DISTINCT,
    LEAST_SAMPLES,
    Sample,
    read_samples,
)
from quizzes.grader.protocol.observation import Observation

# What is to be compared: predicted and submitted numbers, and those expected at the same places.
View = tuple[Floats, Floats, Floats]
Predict = Callable[[Sample], View | None]
Rule = Callable[[Sequence[Sample]], str]
SHIFTS = (1, -1, 2, -2)
MOST_PARTS = 64  # along an axis whose order is looked for
MOST_AXES = 4
DIGITS = (4, 5, 6, 7)  # of a number in a sentence: as few as make it true
SIZES = (1e-6, 1e9)  # of a number that people read with all its digits


def find_relation(pack: CasePack, got: Sequence[Observation | None], places: Sequence[int]) -> str:
    """Return how results are related to the expected ones, "" where no relation is certain.

    `places` are those of the cases that are looked at.
    """
    samples = read_samples(pack, got, places)
    if samples is None or len(samples) < LEAST_SAMPLES:
        return ""
    with np.errstate(all="ignore"):
        if any(sample.expected.shape != sample.got.shape for sample in samples):
            return _axes_swapped(samples)
        missing = _infinities_missing(samples)
        if missing:
            return missing
        return next(filter(None, (rule(samples) for rule in _RULES)), "")


def _holds(samples: Sequence[Sample], predict: Predict) -> bool:
    """Say whether a prediction is true of all samples, and says something of several."""
    telling = 0
    for sample in samples:
        view = predict(sample)
        if view is None:
            return False
        predicted, got, right = view
        if not sample.agrees(predicted, got):
            return False
        if telling < LEAST_SAMPLES:
            telling += sample.tells(predicted, right)
    return telling >= LEAST_SAMPLES


def _whole(change: Callable[[Floats], Floats]) -> Predict:
    return lambda sample: (change(sample.expected), sample.got, sample.expected)


# ---- constants, arguments, functions of each number


def _constant_result(samples: Sequence[Sample]) -> str:
    if not all(np.ptp(sample.got) == 0 for sample in samples if sample.got.size):
        return ""
    varied = [
        sample for sample in samples if sample.count_distinct(sample.expected) >= LEAST_DISTINCT
    ]
    if len(varied) < LEAST_SAMPLES:
        return ""
    zero = all(not sample.got.any() for sample in samples)
    return words.ALL_ZERO if zero else words.ALL_EQUAL


def _argument(samples: Sequence[Sample]) -> str:
    for name in samples[0].arguments:

        def returned(sample: Sample, name: str = name) -> View | None:
            array = sample.arguments.get(name)
            return None if array is None else (array, sample.got, sample.expected)

        if _holds(samples, returned):
            return words.equals_argument(name)
        for sign, sided in (("+", 1.0), ("-", -1.0)):

            def added(sample: Sample, name: str = name, sided: float = sided) -> View | None:
                array = sample.arguments.get(name)
                if array is None or array.shape != sample.expected.shape:
                    return None
                return sample.expected + sided * array, sample.got, sample.expected

            if _holds(samples, added):
                return words.with_argument(sign, name)
    return ""


def _function(samples: Sequence[Sample]) -> str:
    functions: tuple[tuple[Callable[[Floats], Floats], str], ...] = (
        (np.negative, words.NEGATED),
        (np.reciprocal, words.RECIPROCAL),
        (np.log, words.LOGARITHM),
        (np.exp, words.EXPONENTIAL),
        (np.square, words.SQUARE),
        (np.sqrt, words.ROOT),
        (np.rint, words.ROUNDED),
        (np.floor, words.ROUNDED_DOWN),
        (np.trunc, words.CUT_OFF),
    )
    return next((said for change, said in functions if _holds(samples, _whole(change))), "")


def _factor(samples: Sequence[Sample]) -> str:
    shown = (_ratio(sample) for sample in samples if sample.shown)
    number = next((ratio for ratio in shown if ratio), None)
    if number is not None:

        def divides(by: float) -> bool:
            return by == round(by) and _holds(samples, _whole(lambda expected: expected / by))

        def multiplies(by: float) -> bool:
            return _holds(samples, _whole(lambda expected: expected * by))

        divisor = _printed(1 / number, divides) if abs(number) < 1 else None
        if divisor is not None:
            return words.divisor(divisor)
        factor = _printed(number, multiplies)
        if factor is not None:
            return words.factor(factor)

    def own(sample: Sample) -> View | None:
        ratio = _ratio(sample)
        ratio = 1.0 if ratio is None else ratio
        return sample.expected * ratio, sample.got, sample.expected

    return words.VARYING_FACTOR if _ratios_differ(samples) and _holds(samples, own) else ""


def _ratios_differ(samples: Sequence[Sample]) -> bool:
    """Say whether the ratio of one sample is clearly not that of all."""
    rated = [(sample, ratio) for sample in samples if (ratio := _ratio(sample)) is not None]
    return any(
        sample.differs(sample.expected * rated[0][1], sample.expected * ratio)
        for sample, ratio in rated
    )


def _ratio(sample: Sample) -> float | None:
    """Return got / expected at the largest number; None where there are too few to compare."""
    if sample.count_distinct(sample.expected) < LEAST_DISTINCT:
        return None
    usable = np.isfinite(sample.expected) & np.isfinite(sample.got)
    size = np.where(usable, np.abs(sample.expected), 0.0)
    place = np.unravel_index(int(size.argmax()), size.shape)
    return float(sample.got[place] / sample.expected[place]) if size[place] > 0 else None


def _added(samples: Sequence[Sample]) -> str:
    off = (_offset(sample) for sample in samples if sample.shown)
    number = next((offset for offset in off if offset is not None), None)
    if not number:
        return ""
    constant = _printed(
        number, lambda printed: _holds(samples, _whole(lambda expected: expected + printed))
    )
    return words.constant(constant) if constant is not None else ""


def _offset(sample: Sample) -> float | None:
    finite = np.isfinite(sample.expected) & np.isfinite(sample.got)
    if sample.count_distinct(sample.expected) < LEAST_DISTINCT or not finite.any():
        return None
    return float(sample.got[finite][0] - sample.expected[finite][0])


def _printed(number: float, holds: Callable[[float], bool]) -> float | None:
    """Return a number with as few digits as hold; None where a sentence cannot name it."""
    if not SIZES[0] <= abs(number) <= SIZES[1]:  # nor where it is NaN
        return None
    return next(filter(holds, (_rounded(number, digits) for digits in DIGITS)), None)


def _rounded(number: float, digits: int) -> float:
    return float(f"{number:.{digits}g}")


def _signs(samples: Sequence[Sample]) -> str:
    return words.ONLY_SIGNS if _agree_as(samples, np.abs) else ""


def _agree_as(samples: Sequence[Sample], form: Callable[[Floats], Floats]) -> bool:
    """Return whether all results agree in this form, and enough of them differ without it."""
    telling = 0
    for sample in samples:
        predicted, got = form(sample.expected), form(sample.got)
        if not sample.agrees(predicted, got):
            return False
        if telling < LEAST_SAMPLES and sample.differs(sample.got, sample.expected):
            telling += sample.count_distinct(predicted) >= LEAST_DISTINCT
    return telling >= LEAST_SAMPLES


# ---- places


def _reversed(samples: Sequence[Sample]) -> str:
    for axis in _axes_from_last(samples):

        def flipped(expected: Floats, axis: int = axis) -> Floats:
            return np.flip(expected, axis)

        if _holds(samples, _whole(flipped)):
            return words.reversed_along(axis, samples[0].expected.ndim)
    return ""


def _axes_swapped(samples: Sequence[Sample]) -> str:
    axes = samples[0].expected.ndim
    if any(side.ndim != axes for sample in samples for side in (sample.expected, sample.got)):
        return ""
    if not 2 <= axes <= MOST_AXES:
        return ""
    for order in permutations(range(axes)):

        def turned(expected: Floats, order: tuple[int, ...] = order) -> Floats:
            return np.transpose(expected, order)

        if order != tuple(range(axes)) and _holds(samples, _whole(turned)):
            return words.other_axes(order)
    return ""


def _moved(samples: Sequence[Sample]) -> str:
    for axis in _axes_from_last(samples):
        for steps in SHIFTS:

            def shifted(sample: Sample, axis: int = axis, steps: int = steps) -> View:
                return _shift(sample, axis, steps)

            if _holds(samples, shifted):
                return words.moved(axis, samples[0].expected.ndim, steps)
    return ""


def _shift(sample: Sample, axis: int, steps: int) -> View:
    expected, got = (np.moveaxis(side, axis, 0) for side in (sample.expected, sample.got))
    if steps > 0:
        return expected[:-steps], got[steps:], expected[steps:]
    return expected[-steps:], got[:steps], expected[:steps]


def _permuted(samples: Sequence[Sample]) -> str:
    for axis in _axes_from_last(samples):

        def reordered(sample: Sample, axis: int = axis) -> View | None:
            order = _order_along(sample, axis)
            if order is None:
                return None
            return np.take(sample.expected, order, axis), sample.got, sample.expected

        if _holds(samples, reordered):
            orders = (_order_along(sample, axis) for sample in samples if sample.shown)
            moves = (order for order in orders if order and order != sorted(order))
            return words.permuted(axis, samples[0].expected.ndim, next(moves, []))
    return ""


def _order_along(sample: Sample, axis: int) -> list[int] | None:
    """Return which expected part stands where along an axis; None where one is not among them."""
    parts = sample.expected.shape[axis]
    if not 1 <= parts <= MOST_PARTS:
        return None
    expected, got = (
        np.moveaxis(side, axis, 0).reshape(parts, -1) for side in (sample.expected, sample.got)
    )
    left = list(range(parts))
    order = []
    for row, part in enumerate(got):
        candidates = [row, *left] if row in left else left
        match = next((at for at in candidates if sample.agrees(expected[at], part)), None)
        if match is None:
            return None
        left.remove(match)
        order.append(match)
    return order


def _same_numbers(samples: Sequence[Sample]) -> str:
    def in_order(numbers: Floats) -> Floats:
        return np.sort(numbers, axis=None)

    return words.ELSEWHERE_PLACED if _agree_as(samples, in_order) else ""


# ---- parts along an axis


def _factors(samples: Sequence[Sample]) -> str:
    axes = samples[0].expected.ndim
    if axes < 2:
        return ""
    for axis in sorted(_axes_from_last(samples)):

        def scaled(sample: Sample, axis: int = axis) -> View | None:
            ratios = _ratios(sample, axis)
            if ratios is None:
                return None
            return _scaled(sample, ratios, axis), sample.got, sample.expected

        if _holds(samples, scaled) and any(_parts_differ(sample, axis) for sample in samples):
            listed = (_printed_ratios(sample, axis) for sample in samples if sample.shown)
            return words.factors(axis, axes, next(filter(None, listed), ()))
    return ""


def _printed_ratios(sample: Sample, axis: int) -> list[float]:
    """Return the factors of the parts along an axis with as few digits as hold for all of them.

    An empty list where they do not differ, or where a part of zeros has none.
    """
    ratios = _ratios(sample, axis)
    if ratios is None or np.isnan(ratios).any() or not _parts_differ(sample, axis):
        return []
    sizes = np.abs(ratios[ratios != 0])
    if sizes.min() < SIZES[0] or sizes.max() > SIZES[1]:
        return []
    for digits in DIGITS:
        printed = [_rounded(float(ratio), digits) for ratio in ratios]
        if sample.agrees(_scaled(sample, np.asarray(printed), axis), sample.got):
            return printed
    return []


def _parts_differ(sample: Sample, axis: int) -> bool:
    """Say whether the factors along an axis are clearly not one factor of the whole result."""
    ratios = _ratios(sample, axis)
    known = None if ratios is None else ratios[~np.isnan(ratios)]
    if ratios is None or known is None or not known.size:
        return False
    return sample.differs(_scaled(sample, ratios, axis), sample.expected * known[0])


def _scaled(sample: Sample, ratios: Floats, axis: int) -> Floats:
    """Return the expected result with each part along an axis times its ratio; NaN is none."""
    shape = [1] * sample.expected.ndim
    shape[axis] = -1
    return sample.expected * np.where(np.isnan(ratios), 1.0, ratios).reshape(shape)


def _ratios(sample: Sample, axis: int) -> Floats | None:
    """Return got / expected of each part along an axis; None where a part has too few numbers.

    NaN stands for a part that has nothing but zeros.
    """
    ratios = []
    parts = zip(
        np.moveaxis(sample.expected, axis, 0), np.moveaxis(sample.got, axis, 0), strict=True
    )
    for expected, got in parts:
        part = replace(sample, expected=expected, got=got)
        nonzero = expected[np.isfinite(expected) & (expected != 0)]
        if nonzero.size == 0:
            ratios.append(np.nan)
            continue
        ratio = _ratio(part)
        if ratio is None:
            if sample.expected.shape[axis] > 1 and not sample.agrees(expected, got):
                return None
            ratio = 1.0
        ratios.append(ratio)
    return np.asarray(ratios)


def _only_differs_in(samples: Sequence[Sample]) -> str:
    """Say which parts along an axis differ, of the cases that the learner sees."""
    wrong = [
        sample
        for sample in samples
        if sample.shown and not sample.agrees(sample.expected, sample.got)
    ]
    telling = [
        sample for sample in wrong if sample.count_distinct(sample.expected) >= LEAST_DISTINCT
    ]
    if len(telling) < LEAST_SAMPLES or any(sample.expected.ndim == 0 for sample in wrong):
        return ""
    for axis in _axes_from_last(wrong):
        patterns = [_pattern(sample, axis) for sample in wrong]
        if patterns[0] and len(set(patterns)) == 1:
            return words.only(patterns[0], axis, wrong[0].expected.ndim)
    return ""


def _pattern(sample: Sample, axis: int) -> str:
    """Name which parts along an axis differ, "" where that is no pattern."""
    parts = zip(
        np.moveaxis(sample.expected, axis, 0), np.moveaxis(sample.got, axis, 0), strict=True
    )
    differs = [not sample.agrees(expected, got) for expected, got in parts]
    count = len(differs)
    if count < 4:
        return ""
    patterns = {
        "odd": [at % 2 == 1 for at in range(count)],
        "even": [at % 2 == 0 for at in range(count)],
        "first": [at == 0 for at in range(count)],
        "last": [at == count - 1 for at in range(count)],
        "all_but_first": [at > 0 for at in range(count)],
        "all_but_last": [at < count - 1 for at in range(count)],
    }
    return next((name for name, marks in patterns.items() if marks == differs), "")


# ---- infinities


def _infinities_missing(samples: Sequence[Sample]) -> str:
    """Say that finite numbers stand wherever infinite ones are expected, and what else is wrong."""
    places = [np.isinf(sample.expected) for sample in samples]
    holding = [(sample, at) for sample, at in zip(samples, places, strict=True) if at.any()]
    if len(holding) < LEAST_SAMPLES:
        return ""
    if not all(np.isfinite(sample.got[at]).all() for sample, at in holding):
        return ""
    signs = {bool(sign) for sample, at in holding for sign in np.signbit(sample.expected[at])}
    if len(signs) > 1:
        return ""
    rest = [_without(sample, at) for sample, at in zip(samples, places, strict=True)]
    right = all(sample.agrees(sample.expected, sample.got) for sample in rest)
    right = right and not all(at.all() for at in places)
    said = words.infinities(negative=signs == {True}, right_elsewhere=right)
    more = next(filter(None, (rule(rest) for rule in _ELEMENTWISE)), "")
    return said if right or not more else f"{said}; {words.in_other_places(more)}"


def _without(sample: Sample, places: Floats) -> Sample:
    """Return the sample with NaN in these places, which equals itself and is no number."""
    expected, got = (np.where(places, np.nan, side) for side in (sample.expected, sample.got))
    return Sample(expected, got, sample.shown, {}, sample.tolerance)


def _axes_from_last(samples: Sequence[Sample]) -> Iterator[int]:
    """Yield the axes that all samples have, columns first."""
    least = min(sample.expected.ndim for sample in samples)
    if all(sample.expected.ndim == least for sample in samples):
        yield from reversed(range(least))


_ELEMENTWISE: tuple[Rule, ...] = (_function, _factor, _added, _signs, _factors)
_RULES: tuple[Rule, ...] = (
    _constant_result,
    _argument,
    _function,
    _factor,
    _added,
    _axes_swapped,
    _reversed,
    _moved,
    _signs,
    _permuted,
    _factors,
    _same_numbers,
    _only_differs_in,
)
