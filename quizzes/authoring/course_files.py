"""Read a whole course folder: every kind of file, and the references between them."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cached_property
from pathlib import PurePosixPath
from typing import Any

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.pools import pool_problems
from quizzes.assessment.question_files import read_questions, read_quizzes
from quizzes.assessment.store import save_question, save_quiz, stored_questions, stored_quizzes
from quizzes.concepts.files import read_maps, save_map, stored_map
from quizzes.concepts.models import ConceptMap
from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.renamed_from import FormerName
from quizzes.content_files.stored_hashes import Stored
from quizzes.courses.models import Course
from quizzes.courses.text_links import link_fault, links_in
from quizzes.exercises.files import read_exercises, save_exercise, stored_exercises
from quizzes.exercises.models import Exercise
from quizzes.grader.judge import BUILT_IN_MISTAKES
from quizzes.lessons.lesson_files import read_course, read_lessons
from quizzes.lessons.models import Lesson, Picture, Plot, ReleasedModels
from quizzes.lessons.pictures.picture_files import read_pictures, save_picture, stored_pictures
from quizzes.lessons.plots.plot_files import plot_block_problems, read_plots
from quizzes.lessons.plots.store import save_plot, stored_plots
from quizzes.lessons.released.model_files import read_models, save_models, stored_models
from quizzes.lessons.store import save_course, save_lesson, stored_course, stored_lessons

FOLDERS = {  # of the kinds that are one folder or file each
    "lessons": "lesson",
    "questions": "question",
    "quizzes": "quiz",
    "exercises": "exercise",
    "pictures": "picture",
    "plots": "plot",
}
OLD_HEADER = (
    "one sentence for the student, the older form of this header: expected lines `Does: You ...`"
    " and `Should: It should ...`, and `Number:` where a generated question offers this mistake"
)


@dataclass(frozen=True)
class Kind:
    """One kind of content: its rows, the reader of its files, its stored hashes, its saving."""

    name: str
    model: type[Any]  # with the column `loaded_hash`; its rows belong to a course
    read: Callable[[Files], tuple[Sequence[Any], list[ContentProblem]]]
    stored: Callable[[Course], Mapping[str, Stored]]
    save: Callable[[Course, Any], str]


# Kinds of which a course has at most one; nothing refers to its row.
ONE_OF_A_COURSE = (ConceptMap, ReleasedModels)
# In the order of saving: a quiz needs its questions.
KINDS = (
    Kind("course", Course, read_course, stored_course, save_course),
    Kind("question", Question, read_questions, stored_questions, save_question),
    Kind("quiz", Quiz, read_quizzes, stored_quizzes, save_quiz),
    Kind("exercise", Exercise, read_exercises, stored_exercises, save_exercise),
    Kind("plot", Plot, read_plots, stored_plots, save_plot),
    Kind("lesson", Lesson, read_lessons, stored_lessons, save_lesson),
    Kind("picture", Picture, read_pictures, stored_pictures, save_picture),
    Kind("concept map", ConceptMap, read_maps, stored_map, save_map),
    Kind("list of models", ReleasedModels, read_models, stored_models, save_models),
)


@dataclass(frozen=True)
class Rename:
    """What the files say of a thing's name before; `former` has the line."""

    kind: str  # of `OldName`
    old: str
    new: str
    former: FormerName


@dataclass(frozen=True)
class CourseFiles:
    """The content of a folder, whose name is the course's: sources by kind, and all faults."""

    slug: str
    sources: Mapping[str, Sequence[Any]]
    problems: tuple[ContentProblem, ...]

    @cached_property
    def names(self) -> Mapping[str, set[str]]:
        """Return the names of things by kind; "step" has "<lesson>/<step>"."""
        return _names_read(self.sources)

    @cached_property
    def renames(self) -> tuple[Rename, ...]:
        """Return everything that had another name before, in the order of the files."""
        return tuple(_renames(self.sources))

    def sound(self, kind: str) -> list[Any]:
        """Return the sources of a kind that is one folder each, without those with a problem."""
        spoilt = {problem.path.rpartition("/")[0] for problem in self.problems}
        return [one for one in self.sources[kind] if one.path.rpartition("/")[0] not in spoilt]

    def remarks(self, today: date) -> Iterator[ContentProblem]:
        """Yield what is no fault of the files, but deserves a look of their author."""
        for exercise in self.sources["exercise"]:
            folder = PurePosixPath(exercise.path).parent
            for slug, variant in exercise.definition.wrong.items():
                if variant.header.is_old:
                    path = (folder / f"wrong/{slug}.py").as_posix()
                    yield ContentProblem(path, 1, OLD_HEADER)
        for dated in (*self.sources["lesson"], *self.sources["list of models"]):
            yield from dated.remarks(today)

    def counted(self) -> str:
        """Return "1 course, 12 questions, 1 quiz"."""
        return ", ".join(_counted(len(found), kind) for kind, found in self.sources.items())


def _never() -> None:
    """Let a reader of a folder take the time that it takes."""


def read_course_files(files: Files, *, tick: Callable[[], None] = _never) -> CourseFiles:
    """Read the files of a course, whose slug is their name. The content of a file never raises.

    `tick` is called often while what was read is compared, and may raise to stop that.
    """
    sources: dict[str, Sequence[Any]] = {}
    problems: list[ContentProblem] = []
    for kind in KINDS:
        sources[kind.name], faults = kind.read(files)
        problems += faults
    problems += list(_references(sources, _names(files.name, sources, problems), tick))
    return CourseFiles(files.name, sources, tuple(sorted(set(problems))))


@dataclass(frozen=True)
class _Names:
    """What the course has by kind, and what it may have in files that could not be read.

    A file with a fault is told as that. Whatever refers to what it holds is no second fault.
    """

    course: str
    read: Mapping[str, set[str]]
    unread: Mapping[str, set[str]]  # "" where the whole folder of a kind could not be read

    def has(self, kind: str, slug: str) -> bool:
        """Say whether a thing is there or may be; "step" is <lesson>/<step>."""
        if slug in self.read.get(kind, {slug}):
            return True
        room = "lesson" if kind == "step" else kind
        return bool(self.unread[room] & {"", slug.split("/", maxsplit=1)[0]})


def _names(
    course: str, sources: Mapping[str, Sequence[Any]], problems: Sequence[ContentProblem]
) -> _Names:
    read = _names_read(sources)
    unread: dict[str, set[str]] = {kind: set() for kind in sources}
    for problem in problems:
        folder, _, rest = problem.path.partition("/")
        if folder in FOLDERS:
            kind, slug = FOLDERS[folder], rest.split("/")[0].partition(".")[0]
            unread[kind] |= {slug} - read[kind]
    return _Names(course, read, unread)


def _names_read(sources: Mapping[str, Sequence[Any]]) -> dict[str, set[str]]:
    read = {kind: {source.slug for source in found} for kind, found in sources.items()}
    read["step"] = {path for lesson in sources["lesson"] for path in lesson.step_paths}
    return read


def _renames(sources: Mapping[str, Sequence[Any]]) -> Iterator[Rename]:
    for lesson in sources["lesson"]:
        yield from (Rename("lesson", one.name, lesson.slug, one) for one in lesson.renamed_from)
        for step in lesson.steps_read:
            new = f"{lesson.slug}/{step.slug}"
            yield from (Rename("step", one.name, new, one) for one in step.renamed_from)
    for kind in ("question", "quiz", "exercise"):
        for source in sources[kind]:
            yield from (Rename(kind, one.name, source.slug, one) for one in source.renamed_from)


def _wrong_renames(sources: Mapping[str, Sequence[Any]], names: _Names) -> Iterator[ContentProblem]:
    """Yield a problem for every old name that is in use, or that two things claim."""
    claimed: dict[tuple[str, str], str] = {}
    for one in _renames(sources):
        if one.old in names.read[one.kind]:
            yield one.former.problem(f"is still a {one.kind} of this course")
        first = claimed.setdefault((one.kind, one.old), one.new)
        if first != one.new:
            yield one.former.problem(f"{one.kind} {first!r} says that it once had this name")


def _references(
    sources: Mapping[str, Sequence[Any]], names: _Names, tick: Callable[[], None]
) -> Iterator[ContentProblem]:
    """Yield a problem for every reference to content that is not in the folder."""
    for source in (*sources["question"], *sources["exercise"]):
        yield from (problem for step, problem in source.steps if not names.has("step", step))
    yield from _unknown_mistakes(sources, names)
    yield from _wrong_renames(sources, names)
    yield from _missing_questions(sources, names)
    for source in (*sources["lesson"], *sources["concept map"]):
        for kind, slug, problem in source.refers_to:
            if not names.has(kind, slug):
                yield problem
    headers = {plot.slug: plot.header for plot in sources["plot"]}
    for step in (step for lesson in sources["lesson"] for step in lesson.steps_read):
        yield from plot_block_problems(step.page, headers)
    for text in _texts(sources):
        for number, target in links_in(text.text):
            tick()
            if fault := link_fault(target, names.course, names.has):
                yield ContentProblem(text.path, text.line + number - 1, f"{text.field}{fault}")


def _missing_questions(
    sources: Mapping[str, Sequence[Any]], names: _Names
) -> Iterator[ContentProblem]:
    """Yield a problem for everything that a quiz asks and the course does not have."""
    for quiz in sources["quiz"]:
        for slug, problem in quiz.questions:
            if not names.has("question", slug):
                yield problem
    if not names.unread["question"]:  # else nobody knows what can be drawn
        yield from _unfilled_pools(sources)


def _unfilled_pools(sources: Mapping[str, Sequence[Any]]) -> Iterator[ContentProblem]:
    """Yield a problem for every pool of a quiz that may find too few questions."""
    tags = {question.slug: question.tags for question in sources["question"]}
    for quiz in sources["quiz"]:
        pools = [(one.draw, one.tag) for one in quiz.pools]
        fixed = {slug for slug, _ in quiz.questions}
        for number, words in pool_problems(pools, fixed, tags):
            at = quiz.pools[number].problem
            yield ContentProblem(at.path, at.line, f"questions: a pool {words}")


def _unknown_mistakes(
    sources: Mapping[str, Sequence[Any]], names: _Names
) -> Iterator[ContentProblem]:
    """Yield a problem for every known mistake that a question names and no exercise has."""
    known = {
        f"{exercise.slug}/{slug}"
        for exercise in sources["exercise"]
        for slug in (*exercise.definition.wrong, *BUILT_IN_MISTAKES)
    }
    unread = names.unread["exercise"]
    for question in sources["question"]:
        named = [option.mistake for option in question.options]
        named += [miss.get("mistake", "") for miss in (question.answer or {}).get("near", ())]
        for name in named:
            if name and name not in known and not unread & {"", name.split("/")[0]}:
                words = f"mistake: there is no known mistake {name}"
                yield ContentProblem(question.path, question.line, words)


@dataclass(frozen=True)
class _Text:
    """A Markdown text that a page shows: where it stands, from which line, and in which field."""

    path: str
    line: int
    text: str
    field: str = ""  # "prompt: " where the line is that of a whole thing


def _texts(sources: Mapping[str, Sequence[Any]]) -> Iterator[_Text]:
    """Yield the texts of a course whose links lead somewhere: of every kind that has texts."""
    for lesson in sources["lesson"]:
        yield from (_Text(step.path, 1, step.text) for step in lesson.steps_read)
        words = " ".join(lesson.prerequisites)
        yield _Text(lesson.path, lesson.line, words, "prerequisites: ")
    for question in sources["question"]:
        for name, text in _texts_of_question(question):
            yield _Text(question.path, question.line, text.replace("\n", " "), f"{name}: ")
    for quiz in sources["quiz"]:
        yield _Text(quiz.path, quiz.line, quiz.summary.replace("\n", " "), "summary: ")
    for exercise in sources["exercise"]:
        folder = PurePosixPath(exercise.path).parent
        yield _Text((folder / "statement.md").as_posix(), 1, exercise.definition.statement)


def _texts_of_question(question: Any) -> Iterator[tuple[str, str]]:
    yield "prompt", question.prompt
    for option in question.options:
        yield "options", f"{option.text} {option.reason}"
    answer = question.answer or {}
    for part in (answer, *answer.get("near", ())):
        yield "answer", part.get("reason", "")


def _counted(number: int, noun: str) -> str:
    irregular = {"quiz": "quizzes", "list of models": "lists of models"}
    plural = irregular.get(noun, f"{noun}s")
    return f"{number} {noun if number == 1 else plural}"
