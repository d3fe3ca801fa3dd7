"""The words of a report: seven verdicts, and the rungs of the ladder in their order."""

from __future__ import annotations

from enum import StrEnum


class Verdict(StrEnum):
    """The seven endings of a grading."""

    CORRECT = "correct"
    CORRECT_OTHER_CONVENTION = "correct_other_convention"
    KNOWN_MISTAKE = "known_mistake"
    WRONG = "wrong"
    COULD_NOT_RUN = "could_not_run"
    LIMIT_REACHED = "limit_reached"
    NOT_GRADED = "not_graded"

    @property
    def label(self) -> str:
        """The verdict in words for people."""
        return _LABELS[self]

    @property
    def solves(self) -> bool:
        """Whether the exercise counts as solved. The other convention does not solve it."""
        return self is Verdict.CORRECT


_LABELS = {
    Verdict.CORRECT: "Correct",
    Verdict.CORRECT_OTHER_CONVENTION: "Right numbers, other convention",
    Verdict.KNOWN_MISTAKE: "Not yet: a known mistake",
    Verdict.WRONG: "Not yet: the result differs",
    Verdict.COULD_NOT_RUN: "Your code could not run",
    Verdict.LIMIT_REACHED: "Your code reached a limit",
    Verdict.NOT_GRADED: "Not graded: something failed on our side",
}


class Rung(StrEnum):
    """The ladder a submission climbs, in order; a report names the first rung that fails."""

    IMPORTS = "imports"
    NAME = "name"
    SIGNATURE = "signature"
    RETURNED = "returned"
    STRUCTURE = "structure"
    SHAPE = "shape"
    DTYPE = "dtype"
    FINITE = "finite"
    VALUES = "values"
    SIDE_EFFECTS = "side_effects"
    PROPERTIES = "properties"
    GRADIENTS = "gradients"
    TIME = "time"
    LIMIT = "limit"

    @property
    def order(self) -> int:
        """Place on the ladder, 0 is the lowest rung."""
        return _ORDER[self]

    @property
    def label(self) -> str:
        """What holds when the rung is passed, in words for people."""
        return _RUNG_LABELS[self]


_ORDER = {rung: place for place, rung in enumerate(Rung)}

_RUNG_LABELS = {
    Rung.IMPORTS: "the code loads",
    Rung.NAME: "it defines the name",
    Rung.SIGNATURE: "it takes the arguments",
    Rung.RETURNED: "it returns something",
    Rung.STRUCTURE: "it returns the right kind of thing",
    Rung.SHAPE: "the shape is right",
    Rung.DTYPE: "the dtype is right",
    Rung.FINITE: "every number is finite",
    Rung.VALUES: "the values are right",
    Rung.SIDE_EFFECTS: "the inputs are left unchanged",
    Rung.PROPERTIES: "the properties hold",
    Rung.GRADIENTS: "gradients and parameters are right",
    Rung.TIME: "it is fast enough",
    Rung.LIMIT: "it stays within the limits",
}
