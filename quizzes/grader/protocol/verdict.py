"""The words of a report: seven verdicts, and the stages in their order."""

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


class Stage(StrEnum):
    """The checks of a submission, in order; a report names the first stage that fails."""

    IMPORTS = "imports"
    NAME = "name"
    SIGNATURE = "signature"
    RETURNED = "returned"
    STRUCTURE = "structure"
    SHAPE = "shape"
    DTYPE = "dtype"
    FINITE = "finite"
    VALUES = "values"
    RAISES = "raises"
    SIDE_EFFECTS = "side_effects"
    PROPERTIES = "properties"
    GRADIENTS = "gradients"
    TIME = "time"
    LIMIT = "limit"

    @property
    def order(self) -> int:
        """Place in that order, 0 is the first stage."""
        return _ORDER[self]

    @property
    def label(self) -> str:
        """What holds when the stage is passed, in words for people."""
        return _STAGE_LABELS[self]


_ORDER = {stage: place for place, stage in enumerate(Stage)}

_STAGE_LABELS = {
    Stage.IMPORTS: "the code loads",
    Stage.NAME: "it defines the name",
    Stage.SIGNATURE: "it takes the arguments",
    Stage.RETURNED: "it returns something",
    Stage.STRUCTURE: "it returns the right kind of thing",
    Stage.SHAPE: "the shape is right",
    Stage.DTYPE: "the dtype is right",
    Stage.FINITE: "numbers are finite where they should be",
    Stage.VALUES: "the values are right",
    Stage.RAISES: "it raises an error where one is asked for",
    Stage.SIDE_EFFECTS: "the inputs are left unchanged",
    Stage.PROPERTIES: "the properties hold",
    Stage.GRADIENTS: "gradients and parameters are right",
    Stage.TIME: "it is fast enough",
    Stage.LIMIT: "it stays within the limits",
}
