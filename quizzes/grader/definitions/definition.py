"""An exercise as its author wrote it: the folder's files, read and checked, nothing executed.

Authors' Python (`reference.py`, `right/*.py`, `cases.py`, `wrong/*.py`) is text here: it is
compiled to see that it can be read, and runs in the author sandbox only, see `case_pack_builder`.

A known-wrong variant is a whole solution that makes exactly one mistake. The module docstring is
its only metadata, see `variant_header`.
"""

from __future__ import annotations

import ast
import hashlib
import re
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath

from quizzes.content_files.files import Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.python_source import defines, find_syntax_error
from quizzes.content_files.renamed_from import FormerName, former_names
from quizzes.content_files.yaml_nodes import Node, parse_yaml
from quizzes.grader.definitions.exercise_fields import ExerciseFile
from quizzes.grader.definitions.figure_call import FigureCall
from quizzes.grader.definitions.variant_header import (
    VariantHeader,
    read_variant_header,
    wording_problems,
)
from quizzes.grader.errors import DefinitionError
from quizzes.grader.judge.built_in_mistakes import RESERVED_MISTAKES
from quizzes.grader.judge.comparison import Tolerance
from quizzes.grader.protocol.job import Limits

MAX_FILE_BYTES = 128 << 10
MAX_FILES = 128
YAML = "exercise.yaml"
CASES = "cases.py"
REFERENCE = "reference.py"
BELOW = "below.py"
REQUIRED = (YAML, "statement.md", "starter.py", REFERENCE, CASES)
SUFFIXES = (".yaml", ".md", ".py")
WRONG, RIGHT = "wrong", "right"
MOST_RIGHT = 6
_WRONG_SLUG = re.compile(r"\A[a-z0-9][a-z0-9_-]{0,63}\Z")


@dataclass(frozen=True)
class WrongSolution:
    """Source and metadata of one variant."""

    slug: str
    source: str
    header: VariantHeader

    @property
    def program(self) -> str:
        """Return the source without its header, which says what is wrong with it."""
        try:
            first = ast.parse(self.source).body[0]
        except (SyntaxError, ValueError, RecursionError, MemoryError, IndexError):
            return ""  # of an old version: nothing to show
        return "".join(self.source.splitlines(keepends=True)[first.end_lineno :]).lstrip("\n")

    @property
    def sentence(self) -> str:
        """Return the sentence for a learner whose code makes this mistake."""
        return self.header.sentence

    @property
    def step(self) -> str | None:
        """Return the lesson step, None where no step explains it."""
        return self.header.step or None

    @property
    def kind(self) -> str:
        """Return `mistake` or `convention`."""
        return self.header.kind

    @property
    def breaks(self) -> str:
        """Return the line of the statement that it breaks."""
        return self.header.breaks


@dataclass(frozen=True)
class ExerciseDefinition:
    """One exercise; `wrong` maps the slug of each known-wrong variant to its solution.

    `speed_at_most`: how many times the reference's time code may take; None where time does not
    count. `scores`: "bias" where the result is added to scores, of which softmax sees differences
    within a row only; else "". `no_pair`: arguments without a pair of cases, each with the reason.
    `below`: code that runs below the student's, in the same module; "" in most exercises.
    `no_mistake`: clauses of the statement that no variant breaks alone, each with the reason.
    `few_calls`: the reason why no hidden case is drawn from many calls; "" where one is.
    `figure`: of a lesson, on which what the code returns is drawn; None where there is none.
    `right`: maps the name of each further right solution to its text.
    """

    slug: str
    title: str
    name: str
    kind: str
    library: str
    signature: str
    returns: str
    dtypes: tuple[str, ...]
    tolerance: Tolerance
    limits: Limits
    speed_at_most: float | None
    scores: str
    no_pair: Mapping[str, str]
    no_mistake: Mapping[str, str]
    few_calls: str
    step: str | None
    hints: tuple[str, ...]
    statement: str
    starter: str
    reference: str
    cases: str
    below: str
    wrong: Mapping[str, WrongSolution]
    content_hash: str
    renamed_from: tuple[FormerName, ...] = ()
    figure: FigureCall | None = None
    right: Mapping[str, str] = field(default_factory=dict)

    @property
    def right_sources(self) -> tuple[str, ...]:
        """Return all right solutions, the reference first."""
        return (self.reference, *(self.right[name] for name in sorted(self.right)))


def check_folder(files: Files, folder: str = "") -> tuple[dict[str, str], list[ContentProblem]]:
    """Return an exercise's files as `read_folder` does, and all that is wrong with them.

    That is, all that can be seen without running anything: of every file, also beside one that
    cannot be read. Files without a problem are an exercise (`read_definition`).
    """
    problems: list[ContentProblem] = []
    texts = _read_files(files, folder, problems)
    unread = {problem.path for problem in problems}
    slug = folder.rpartition("/")[2] or files.name
    definition = _definition(slug, texts, problems, unread)
    problems += _code_problems(texts, definition.name if definition else "")
    return texts, sorted(set(problems))


def read_folder(files: Files, folder: str = "") -> dict[str, str]:
    """Return the text files of an exercise folder by relative name; raise DefinitionError.

    Only the kinds of file that make an exercise are read. `files` are those of the course, or of
    the exercise alone, whose folder is "".
    """
    problems: list[ContentProblem] = []
    texts = _read_files(files, folder, problems)
    if problems:
        raise DefinitionError(sorted(problems))
    return texts


def read_definition(slug: str, files: Mapping[str, str]) -> ExerciseDefinition:
    """Return the exercise that these files describe.

    Raises DefinitionError with everything that is wrong with their form; Python is not looked at.
    The files of a stored version are read too: what was once accepted is (`Reading.is_stored`).
    """
    problems: list[ContentProblem] = []
    definition = _definition(slug, files, problems, is_stored=True)
    if problems or definition is None:
        raise DefinitionError(sorted(problems))
    return definition


def read_wrong(path: str, source: str, *, is_stored: bool = False) -> WrongSolution:
    """Return the variant in `wrong/<slug>.py`; raise DefinitionError with the lines.

    The sentences of a stored variant are taken as they are.
    """
    slug = PurePosixPath(path).stem
    problems: list[ContentProblem] = []
    if not _WRONG_SLUG.match(slug):
        words = f"{slug!r}: expected a lower-case name such as exp_double"
        problems.append(ContentProblem(path, 1, words))
    if slug in RESERVED_MISTAKES:
        words = f"{slug!r}: is the name of a built-in mistake; expected another name"
        problems.append(ContentProblem(path, 1, words))
    header, found = read_variant_header(source)
    if not is_stored:
        found += wording_problems(header)
    problems += [ContentProblem(path, line, message) for line, message, _ in found]
    if problems:
        raise DefinitionError(problems)
    return WrongSolution(slug, source, header)


def check_variant(path: str, source: str, name: str) -> list[ContentProblem]:
    """Return all that is wrong with the file of one variant, as `check_folder` says it.

    `name`: what the exercise asks for.
    """
    problems = list(_code_problems({path: source}, name))
    try:
        read_wrong(path, source)
    except DefinitionError as error:
        problems += error.problems
    return sorted(set(problems))


def hash_files(files: Mapping[str, str]) -> str:
    """Return the SHA-256 over names and texts, the same on every system's line endings."""
    digest = hashlib.sha256()
    for name in sorted(files):
        text = _normalised(files[name]).encode()
        digest.update(f"{name}\0{len(text)}\0".encode() + text)
    return digest.hexdigest()


def _read_files(files: Files, folder: str, problems: list[ContentProblem]) -> dict[str, str]:
    """Return the files that can be read, noting those that cannot."""
    names: list[str] = []
    for inside in ("", f"{WRONG}/", f"{RIGHT}/"):
        try:
            entries = files.entries(_join(folder, inside.rstrip("/")))
            names += [f"{inside}{entry.name}" for entry in entries]
        except ContentError as error:
            problems += _named(error, inside.rstrip("/") or ".")
    if not problems and not files.has(folder):
        problems.append(ContentProblem(".", 1, "is not a folder"))
    names = [name for name in names if is_exercise_file(name)]
    texts: dict[str, str] = {}
    if len(names) > MAX_FILES:
        words = f"has {len(names)} files, expected at most {MAX_FILES}"
        problems.append(ContentProblem(".", 1, words))
        return texts
    for name in names:
        try:
            texts[name] = files.text(_join(folder, name), max_bytes=MAX_FILE_BYTES)
        except ContentError as error:
            problems += _named(error, name)
    return texts


def _join(folder: str, name: str) -> str:
    return "/".join(filter(None, (folder, name)))


def _named(error: ContentError, name: str) -> Iterator[ContentProblem]:
    """Yield the problems of a file under its name within the exercise."""
    yield from (replace(problem, path=name) for problem in error.problems)


def is_exercise_file(name: str) -> bool:
    """Say whether a file, by its path in an exercise's folder, is one of the exercise."""
    path = PurePosixPath(name)
    if path.parent in (PurePosixPath(WRONG), PurePosixPath(RIGHT)):
        return path.suffix == ".py"
    return path.suffix in SUFFIXES and len(path.parts) == 1


def _normalised(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def _definition(
    slug: str,
    files: Mapping[str, str],
    problems: list[ContentProblem],
    unread: Collection[str] = (),
    *,
    is_stored: bool = False,
) -> ExerciseDefinition | None:
    """Return the exercise as well as its files say it, None where exercise.yaml says nothing."""
    texts = {name: _normalised(text) for name, text in files.items()}
    if "." not in unread:
        missing = [name for name in REQUIRED if not texts.get(name, "").strip()]
        problems += [
            ContentProblem(name, 1, "is missing or empty") for name in missing if name not in unread
        ]
    wrong = _read_variants(texts, problems, is_stored=is_stored)
    right = _read_right(texts, problems)
    node = _read_yaml(texts.get(YAML, ""), problems)
    if node is None:
        return None
    fields = ExerciseFile.read(node, problems, is_stored=is_stored)
    return _from_fields(slug, fields, texts, wrong, right)


def _read_yaml(text: str, problems: list[ContentProblem]) -> Node | None:
    if not text.strip():
        return None  # said already
    try:
        return parse_yaml(text, path=YAML, problems=problems)
    except ContentError as error:
        problems += error.problems
        return None


def _from_fields(
    slug: str,
    fields: ExerciseFile,
    texts: Mapping[str, str],
    wrong: Mapping[str, WrongSolution],
    right: Mapping[str, str],
) -> ExerciseDefinition:
    limits, speed, figure = fields.limits, fields.speed, fields.figure
    return ExerciseDefinition(
        slug=slug,
        title=fields.title,
        name=fields.name,
        kind=fields.kind,
        library=fields.library,
        signature=fields.signature,
        returns=fields.returns,
        dtypes=fields.dtypes,
        tolerance=Tolerance(**fields.tolerance.model_dump()),
        limits=Limits(limits.wall_seconds, int(limits.memory_mb)) if limits else Limits(),
        speed_at_most=speed.at_most if speed else None,
        scores=fields.scores,
        no_pair=fields.no_pair,
        no_mistake=fields.no_mistake,
        few_calls=fields.few_calls,
        step=fields.step or None,
        hints=fields.hints,
        statement=texts.get("statement.md", ""),
        starter=texts.get("starter.py", ""),
        reference=texts.get(REFERENCE, ""),
        cases=texts.get(CASES, ""),
        below=texts.get(BELOW, ""),
        wrong=wrong,
        content_hash=hash_files(texts),
        renamed_from=former_names(fields.node),
        figure=figure.figure_call() if figure else None,
        right=right,
    )


def _read_variants(
    texts: Mapping[str, str], problems: list[ContentProblem], *, is_stored: bool
) -> dict[str, WrongSolution]:
    """Return the variants by slug, noting those that cannot be read."""
    variants = {}
    for name in sorted(texts):
        if not name.startswith(f"{WRONG}/"):
            continue
        try:
            variant = read_wrong(name, texts[name], is_stored=is_stored)
            variants[variant.slug] = variant
        except DefinitionError as error:
            problems += error.problems
    return variants


def _read_right(texts: Mapping[str, str], problems: list[ContentProblem]) -> dict[str, str]:
    """Return the further right solutions by name, noting what is wrong with their names."""
    names = [name for name in sorted(texts) if name.startswith(f"{RIGHT}/")]
    for name in names:
        if not _WRONG_SLUG.match(PurePosixPath(name).stem):
            words = f"{PurePosixPath(name).stem!r}: expected a lower-case name such as with_loops"
            problems.append(ContentProblem(name, 1, words))
    if len(names) > MOST_RIGHT:
        words = f"has {len(names)} files, expected at most {MOST_RIGHT}: all run for each X-ray"
        problems.append(ContentProblem(RIGHT, 1, words))
    return {PurePosixPath(name).stem: texts[name] for name in names}


def _code_problems(files: Mapping[str, str], name: str) -> Iterator[ContentProblem]:
    """Yield what keeps authors' Python from defining what it must.

    `name`: what the exercise asks for, "" where nobody knows. The starter may be unfinished.
    """
    wanted = {CASES: "cases", REFERENCE: name, BELOW: ""}
    wanted |= {path: name for path in files if path.startswith((f"{WRONG}/", f"{RIGHT}/"))}
    for path in wanted.keys() & files.keys():
        broken = find_syntax_error(files[path])
        if broken is not None:
            yield ContentProblem(path, *broken)
        elif files[path].strip() and wanted[path] and not defines(files[path], wanted[path]):
            yield ContentProblem(path, 1, f"does not define `{wanted[path]}`")
