"""The fields of exercise.yaml."""

from collections.abc import Iterator
from typing import Annotated, ClassVar

from pydantic import AfterValidator, Field

from quizzes.content_files.declaration import Declaration, Expected, OneOf, OptionalText, Text
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.renamed_from import FormerSlugs
from quizzes.grader.definitions.figure_call import FigureFields
from quizzes.grader.judge.case_pack import BIAS, SAME_DTYPE
from quizzes.grader.protocol.job import Limits

LEAST_SPEED, MOST_SPEED = 5, 1000  # a busy machine makes a right solution two or three times slower
DTYPES = ("float16", "float32", "float64", "int32", "int64", "bool", "complex64", "complex128")
Share = Annotated[float, Field(ge=0, le=0.1)]
Reasons = dict[str, Text]


def _name(text: str) -> str:
    if not text.isidentifier():
        raise ValueError(text)
    return text


class ToleranceFields(Declaration):
    """How far a result may be from the reference's."""

    prefix: ClassVar[str] = "tolerance"
    is_section: ClassVar[bool] = True
    rtol: Share = 0.0
    atol: Annotated[float, Field(ge=0, le=1e6)] = 0.0
    relative_to_max: Share = 0.0
    why: Text = Field(description="Why this much and not less.")


class LimitFields(Declaration):
    """What one case may take."""

    prefix: ClassVar[str] = "limits"
    is_section: ClassVar[bool] = True
    wall_seconds: Annotated[float, Field(ge=0.1, le=10)] = float(Limits.wall_seconds)
    memory_mb: Annotated[float, Field(ge=16, le=4096)] = float(Limits.memory_mb)


class SpeedFields(Declaration):
    """How slow a solution may be."""

    prefix: ClassVar[str] = "speed"
    is_section: ClassVar[bool] = True
    at_most: Annotated[float, Field(ge=LEAST_SPEED, le=MOST_SPEED)] = Field(
        description="How many times the reference's time it may take."
    )


class ExerciseFile(Declaration):
    """An exercise."""

    title: Text
    name: Annotated[Text, AfterValidator(_name), Expected("a Python name")] = Field(
        description="What the student's code defines."
    )
    kind: Annotated[str, OneOf(("function", "module"))]
    library: Annotated[str, OneOf(("numpy", "torch"))]
    signature: Text
    returns: Text
    dtypes: Annotated[tuple[Annotated[str, OneOf((*DTYPES, SAME_DTYPE))], ...], Field(min_length=1)]
    tolerance: ToleranceFields
    limits: LimitFields | None = None
    speed: SpeedFields | None = None
    scores: Annotated[str, OneOf((BIAS,))] = Field(
        "", description="bias: the result is added to scores, of which softmax sees differences."
    )
    no_pair: Reasons = Field({}, description="Arguments without a pair of cases, with the reason.")
    no_mistake: Reasons = Field({}, description="Clauses that no variant breaks, with the reason.")
    few_calls: OptionalText = Field("", description="Why no case is drawn from many calls.")
    step: Annotated[
        str,
        Field(max_length=20_000, pattern="^[a-z0-9-]+/[a-z0-9-]+$"),
        Expected("<lesson>/<step>"),
    ] = Field("", description="The step that the exercise belongs to.")
    hints: tuple[Annotated[str, Field(min_length=1)], ...] = ()
    renamed_from: FormerSlugs = Field((), description="The names that it had before.")
    figure: FigureFields | None = Field(None, description="On which a learner's numbers are drawn.")

    def faults(self) -> Iterator[ContentProblem]:
        if not self.few_calls and "few_calls" in self.node.children:
            words = "is empty, expected the reason why no case is drawn from more calls"
            yield self.problem("few_calls", words)
        if self.name and self.signature and self.name not in self.signature:
            yield self.problem("signature", f"{self.signature!r}: must mention {self.name}")
        if self.kind == "module" and self.library == "numpy":
            yield self.problem("library", "numpy: a module is a torch.nn.Module, must be torch")
