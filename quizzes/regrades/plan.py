"""What a regrade would change: the form that both planners, of answers and of code, fill.

Pages show a plan before anything is done. The digest of a plan of answers goes with the button, and
only a plan with the same digest is applied.
"""

import hashlib
import json
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Generic, TypeVar

UP, DOWN, SAME = "up", "down", "same"


class RegradeRefusedError(Exception):
    """A regrade cannot be begun, applied or undone; the message says why, for staff."""


class PlanChangedError(RegradeRefusedError):
    """What a regrade would do is not what its preview said: somebody was faster."""


@dataclass(frozen=True)
class Change:
    """One response or submission (`work`) that counts differently afterwards.

    `direction` is that of its mark, `words` say how it counted before and counts afterwards.
    """

    work: int
    learner: int
    direction: str
    words: tuple[str, str]


C = TypeVar("C", bound=Change)


@dataclass(frozen=True)
class Plan(Generic[C]):
    """What a regrade does."""

    changes: tuple[C, ...]
    unchanged: int
    kept_better: int = 0  # of those that would lose, which keep the better mark
    incomparable: Mapping[str, int] = field(default_factory=dict)  # reason to number

    @property
    def directions(self) -> Mapping[str, int]:
        """Count the marks that go up, go down and stay the same."""
        count = Counter(change.direction for change in self.changes)
        return {UP: count[UP], DOWN: count[DOWN], SAME: count[SAME] + self.unchanged}

    @property
    def transitions(self) -> list[tuple[str, str, int]]:
        """Return the words before and after with the number of changes, the largest first."""
        count = Counter(change.words for change in self.changes)
        return [(was, now, number) for (was, now), number in count.most_common()]

    @property
    def learners(self) -> tuple[int, ...]:
        return tuple(sorted({change.learner for change in self.changes}))

    @property
    def looked_at(self) -> int:
        return len(self.changes) + self.unchanged

    @property
    def digest(self) -> str:
        """Return a text that two plans share exactly when they do the same."""
        rows = [str(change) for change in self.changes]
        text = json.dumps([rows, self.unchanged, sorted(self.incomparable.items())])
        return hashlib.sha256(text.encode()).hexdigest()
