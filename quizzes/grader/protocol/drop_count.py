"""Whether zeros in the result of dropout are what chance leaves, counted over rows and calls.

Right dropout draws for every number by itself: each is 0 with the probability `rate`, whatever its
neighbours are and whatever an earlier call did. So three things are counted, each a number of
successes in independent draws of one probability: zeros in a call; numbers that are 0 in both of
two calls or in neither; neighbours along an axis that are both 0 or both not.

A right solution must never be refused by bad luck. After n draws with probability p, the share of
successes is as far from p as q on its side of it with a probability of at most

    exp(-n KL(q, p)),  KL(q, p) = q ln(q / p) + (1 - q) ln((1 - q) / (1 - p))

(Hoeffding 1963, theorem 1), on both sides together twice that. A count is refused where this is
less than BAD_LUCK. A case looks at some 16 counts, so right dropout is refused less than once in
10^10 cases, and a pack has few of these.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import combinations

import numpy as np
import numpy.typing as npt

BAD_LUCK = 1e-12
_MOST_DISTANT = math.log(2 / BAD_LUCK)

Flags = npt.NDArray[np.bool_]


def fewest_counted(rate: float) -> int:
    """Return how many numbers tell dropping the same ones in two calls from chance.

    As many tell dropping none, or all, in three calls: chance does that less often.
    """
    return math.floor(_MOST_DISTANT / -math.log(_agreement(rate))) + 1


def is_likely(successes: int, draws: int, probability: float) -> bool:
    """Say whether so many successes may be chance, refusing right ones with BAD_LUCK at most."""
    if draws == 0:
        return True
    share = successes / draws
    distance = _term(share, probability) + _term(1 - share, 1 - probability)
    return draws * distance <= _MOST_DISTANT


def _term(share: float, probability: float) -> float:
    return share * math.log(share / probability) if share > 0 else 0.0


@dataclass(frozen=True, eq=False)
class DropCount:
    """Which numbers are 0 in some calls, of those that are `counted`, all in one shape."""

    rate: float
    counted: Flags
    zeros: Sequence[Flags]

    @property
    def share(self) -> float:
        """The share of zeros in all calls together."""
        return sum(self._counts) / (len(self._counts) * self._draws)

    @cached_property
    def has_rate(self) -> bool:
        """Whether each call, and all together, have about as many zeros as the rate says."""
        together = is_likely(sum(self._counts), len(self._counts) * self._draws, self.rate)
        return together and all(is_likely(count, self._draws, self.rate) for count in self._counts)

    @property
    def differ(self) -> bool:
        """Whether two calls drop the same numbers no more often than chance does."""
        pairs = combinations(self.zeros, 2)
        counted = None if self._all else self.counted
        return all(self._agree_by_chance(*pair, counted) for pair in pairs)

    @property
    def tells_repeats(self) -> bool:
        """Whether chance drops the same numbers twice too seldom to be taken for it."""
        return not is_likely(self._draws, self._draws, _agreement(self.rate))

    @property
    def are_alone(self) -> bool:
        """Whether neighbours along each axis go together no more often than chance has it."""
        calls, counted = np.stack(self.zeros), self.counted[None]
        return all(
            self._agree_by_chance(
                calls[one], calls[other], None if self._all else counted[one] & counted[other]
            )
            for axis in range(1, calls.ndim)
            for one, other in _pairs_along(axis, calls.shape)
        )

    @cached_property
    def _all(self) -> bool:
        """Whether all numbers are counted, as nearly always: half of the work is to ask which."""
        return bool(self.counted.all())

    @cached_property
    def _draws(self) -> int:
        return int(np.count_nonzero(self.counted))

    @cached_property
    def _counts(self) -> list[int]:
        return [int(np.count_nonzero(zeros & self.counted)) for zeros in self.zeros]

    def _agree_by_chance(self, flags: Flags, other: Flags, counted: Flags | None) -> bool:
        """Say so of two arrays of flags where they are counted, in each of the calls; None: all."""
        alike = flags == other
        if counted is None:
            agreeing, draws = int(np.count_nonzero(alike)), alike.size
        else:
            agreeing = int(np.count_nonzero(alike & counted))
            draws = int(np.count_nonzero(counted)) * (flags.size // max(1, counted.size))
        return is_likely(agreeing, draws, _agreement(self.rate))


def _agreement(rate: float) -> float:
    """Return the probability that of two numbers both are dropped or neither is."""
    return rate**2 + (1 - rate) ** 2


Place = tuple[slice, ...]


def _pairs_along(axis: int, shape: tuple[int, ...]) -> Iterator[tuple[Place, Place]]:
    """Yield the places of pairs along an axis, in which no number is twice.

    First with second, third with fourth ...; second with third ...; each with the one half of the
    axis further on.
    """
    length = shape[axis]
    for start in (0, 1):
        end = start + (length - start) // 2 * 2
        yield _along(axis, start, end, 2), _along(axis, start + 1, end, 2)
    yield _along(axis, 0, length // 2, 1), _along(axis, length // 2, length // 2 * 2, 1)


def _along(axis: int, start: int, end: int, step: int) -> Place:
    return (*(slice(None),) * axis, slice(start, end, step))
