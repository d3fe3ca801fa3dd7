"""Running an author's generate.py in the author sandbox: seeds in, checked questions out.

Broken or endless code is an AuthorError with its line; nothing of an author runs in this process.
"""

import inspect
import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from quizzes.assessment.generator.generated_question import (
    Generated,
    RefusedError,
    generated_from,
    refuse_leftovers,
)
from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.sources import QuestionSource
from quizzes.content_files.problems import ContentProblem
from quizzes.grader.api import AuthorError, Sandbox, clean_line
from quizzes.grader.definitions import read_variant_header, run_author_program

PRELUDE = Path(__file__).with_name("generator_prelude.py").read_text()
HEADER_READER = Path(inspect.getfile(read_variant_header)).read_text()
WALL_SECONDS = 10.0
SEEDS_A_RUN = 12  # of which an endless one spends the whole time limit
MAX_REFUSED_SHARE = 0.75
INTERVAL_TELLS_THE_KEY = (
    "answer: plus_minus is the same share of each value, and learners see it before they "
    "answer, which gives the value away: use within"
)
A_FEW = range(4)  # seeds with which a generator is tried before anybody is asked


def generator_problems(
    questions: Iterable[QuestionSource], author: Sandbox
) -> Iterator[ContentProblem]:
    """Run every generator with a few seeds; yield the authors' faults. Raises SandboxBroken."""
    for question in questions:
        try:
            generate(question.generator, question.kind, A_FEW, author)
        except AuthorError as error:
            path = question.path.replace("question.yaml", error.path)
            yield ContentProblem(path, error.line, error.message)


def generate(
    files: Mapping[str, str],
    kind: str,
    seeds: Sequence[int],
    author: Sandbox,
    *,
    is_published: bool = False,
) -> list[Generated]:
    """Return the questions of these seeds. Raises AuthorError, SandboxBroken.

    `is_published`: it made questions before, so rules that are younger do not refuse it. A seed
    whose distractors are too close to the key or to each other is left out: draw another.
    """
    drawn: list[Generated] = []
    refused: list[RefusedSeed] = []
    for some in runs_of(seeds):
        for result in draw_run(files, kind, some, author, is_published=is_published):
            if isinstance(result, Generated):
                drawn.append(result)
            else:
                refused.append(result)
    refuse_useless(files, drawn, refused)
    return drawn


@dataclass(frozen=True)
class RefusedSeed:
    """A seed whose numbers make no good question, and why."""

    seed: int
    reason: str


def runs_of(seeds: Sequence[int]) -> Iterator[Sequence[int]]:
    """Yield the seeds of each run of the sandbox."""
    for start in range(0, len(seeds), SEEDS_A_RUN):
        yield seeds[start : start + SEEDS_A_RUN]


def draw_run(
    files: Mapping[str, str],
    kind: str,
    seeds: Sequence[int],
    author: Sandbox,
    *,
    is_published: bool = False,
) -> Iterator[Generated | RefusedSeed]:
    """Yield what one run makes of each seed. Raises AuthorError, SandboxBroken."""
    for seed, plain in zip(seeds, _run(files, seeds, author), strict=True):
        try:
            made = generated_from(plain, kind=kind, seed=seed)
            if not is_published:
                refuse_leftovers(made)
            yield made
        except RefusedError as error:
            yield RefusedSeed(seed, str(error))
        except ValueError as error:
            raise AuthorError(GENERATOR_FILE, _line(files), f"seed {seed}: {error}") from error


def refuse_useless(
    files: Mapping[str, str], drawn: Sequence[Generated], refused: Sequence[RefusedSeed]
) -> None:
    """Refuse a generator by all that it made: too little, or what gives the key away.

    Raises AuthorError.
    """
    count = len(drawn) + len(refused)
    if len(drawn) < (1 - MAX_REFUSED_SHARE) * count:
        words = f"{len(drawn)} of {count} seeds give a usable question; the last refusal was:"
        raise AuthorError(GENERATOR_FILE, _line(files), f"{words} {refused[-1].reason}")
    if _interval_tells_the_key(
        [question.answer for question in drawn if question.answer is not None]
    ):
        raise AuthorError(GENERATOR_FILE, _line(files), INTERVAL_TELLS_THE_KEY)


def _interval_tells_the_key(answers: Sequence[Mapping[str, Any]]) -> bool:
    """Say whether `plus_minus` is one share of every key: pages say it before the answer."""
    sizes = [(abs(float(one["value"])), one.get("plus_minus", 0.0)) for one in answers]
    shares = {f"{size / value:.9g}" for value, size in sizes if value and size}
    return len(shares) == 1 and len({size for _, size in sizes}) > 1


def _run(files: Mapping[str, str], seeds: Sequence[int], author: Sandbox) -> list[Any]:
    """Return the result of generate() for each seed, as plain values."""
    known = {name: text for name, text in files.items() if name != GENERATOR_FILE}
    # On one line behind the author's, so that his lines keep their numbers.
    prelude = f"_FILES = {known!r}\n_HEADER_READER = {HEADER_READER!r}\n{PRELUDE}"
    whole = f"{files[GENERATOR_FILE]}\n\nexec(compile({prelude!r}, 'prelude.py', 'exec'))\n"
    texts = run_author_program(
        whole,
        [{"seed": seed} for seed in seeds],
        author,
        path=GENERATOR_FILE,
        line=_line(files),
        wall_seconds=WALL_SECONDS,
    )
    try:
        return [json.loads(text) for text in texts]
    except (ValueError, RecursionError) as error:  # whole numbers too long, lists too deep
        words = clean_line(f"its question cannot be read: {type(error).__name__}: {error}")
        raise AuthorError(GENERATOR_FILE, _line(files), words) from error


def _line(files: Mapping[str, str]) -> int:
    """Return the line of `def generate`."""
    found = re.search(r"^def generate\(", files[GENERATOR_FILE], re.MULTILINE)
    return files[GENERATOR_FILE][: found.start()].count("\n") + 1 if found else 1
