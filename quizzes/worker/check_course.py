"""Exercises, generators, plots and listings of a course folder, run before it is loaded."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import PurePath

from quizzes.assessment.generator.run_generator import generator_problems
from quizzes.assessment.sources import QuestionSource
from quizzes.content_files.problems import ContentProblem
from quizzes.exercises.files import ExerciseSource
from quizzes.grader.api import AuthorError, DefinitionError, Sandbox
from quizzes.grader.definitions import PatientSandbox, printed_by, verify
from quizzes.grader.sandbox import is_installed, open_sandbox
from quizzes.lessons.lesson_files import LessonSource
from quizzes.lessons.listing_block import listing_of
from quizzes.lessons.listing_runs import failure, output_faults
from quizzes.lessons.plots.draw_plot import draw_plot
from quizzes.lessons.plots.plot_files import PlotSource
from quizzes.pages.blocks import Block
from quizzes.worker.mistake_proofs import TooLongError, timed


@dataclass(frozen=True)
class CheckedExercise:
    """One exercise after it ran: problems (`path/of/file: message`), and remarks to look at."""

    slug: str
    problems: tuple[str, ...]
    remarks: tuple[str, ...]


def check_exercises(exercises: Sequence[ExerciseSource]) -> Iterator[CheckedExercise]:
    """Yield each exercise once it ran.

    Raises SandboxUnavailable and SandboxBroken where there is an exercise to run.
    """
    if not exercises:
        return
    with open_sandbox("author") as author, open_sandbox("student") as student:
        for exercise in exercises:
            try:
                verified = verify(exercise.definition, author, student)
                problems, remarks = verified.problems, verified.proof.remarks
            except DefinitionError as error:
                problems, remarks = tuple(map(str, error.problems)), ()
            folder = PurePath(exercise.path).parent
            yield CheckedExercise(
                exercise.slug,
                tuple(f"{folder}/{problem}" for problem in problems),
                tuple(f"{folder}: {remark}" for remark in remarks),
            )


def check_generators(questions: Iterable[QuestionSource]) -> list[ContentProblem]:
    """Run every generator with a few seeds; return the authors' faults.

    Raises SandboxUnavailable and SandboxBroken where there is a generator to run.
    """
    generated = [question for question in questions if question.generator]
    if not generated:
        return []
    with open_sandbox("author") as author:
        return list(generator_problems(generated, author))


def check_plots(plots: Iterable[PlotSource]) -> Iterator[ContentProblem]:
    """Draw every frame of every plot; yield the authors' faults.

    Raises SandboxUnavailable and SandboxBroken where there is a plot to draw.
    """
    there = list(plots)
    if not there:
        return
    with open_sandbox("author") as author:
        for plot in there:
            try:
                draw_plot(plot, plot.header.places(), timed(author))
            except AuthorError as error:
                yield ContentProblem(plot.path, error.line, error.message)
            except TooLongError as error:
                words = f"drawing took {error}; expected less"
                yield ContentProblem(plot.path, plot.line, words)


def listings_of(lessons: Iterable[LessonSource]) -> list[Block]:
    """Return every listing of these lessons."""
    steps = [step for lesson in lessons for step in lesson.steps_read]
    return [block for step in steps for block in step.page.blocks if block.kind == "listing"]


def check_listings(lessons: Iterable[LessonSource]) -> Iterator[ContentProblem]:
    """Run every listing as its readers can; yield those that fail or print something else.

    That is in the sandbox of students, so nothing can be imported that they do not have. Raises
    SandboxUnavailable and SandboxBroken where there is a listing to run.
    """
    listings = [block for block in listings_of(lessons) if can_run(block)]
    if not listings:
        return
    with open_sandbox("student") as student:
        for block in listings:
            yield from listing_problems(block, PatientSandbox.of(student))


def can_run(listing: Block) -> bool:
    """Say whether this machine can run the listing: torch may not be installed."""
    return can_run_code(listing_of(listing).code)


def can_run_code(code: str) -> bool:
    """Say whether this machine has what a program imports: torch may not be installed."""
    return is_installed("torch") or "torch" not in code


def listing_problems(block: Block, student: Sandbox) -> Iterator[ContentProblem]:
    """Yield the fault of a listing, at the line of its program or of its output."""
    try:
        printed = printed_by(listing_of(block).code, student, path=block.path)
    except AuthorError as error:
        yield failure(block, error.line, error.message)
        return
    yield from output_faults(block, printed)
