"""Reading questions and quizzes from files, with every fault and its line.

questions/<slug>/question.yaml   its fields by kind: question_fields
questions/<slug>/prompt.md       the prompt, where it is too long for the file above
questions/<slug>/generate.py     makes options or answer from a seed (generator/generator_files)
quizzes/<slug>.yaml              its fields: quiz_fields
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import PurePosixPath

from quizzes.assessment.generator.generator_files import GENERATOR_FILE, read_generator
from quizzes.assessment.question_fields import (
    OF_KIND,
    GeneratedQuestion,
    QuestionFields,
    SingleQuestion,
)
from quizzes.assessment.quiz_fields import (
    MAX_PROSE,
    MAX_QUESTIONS,
    QuizFile,
    QuizPool,
    QuizQuestion,
)
from quizzes.assessment.sources import OptionSource, PlaceSource, QuestionSource, QuizSource
from quizzes.content_files.fields import is_slug
from quizzes.content_files.files import Entry, Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.renamed_from import former_names
from quizzes.content_files.yaml_nodes import Node, read_yaml
from quizzes.pages.markdown import markdown_problems

QUESTION_FILE = "question.yaml"
PROMPT_FILE = "prompt.md"
UNREAD = "(cannot be read)"  # in place of a text, so that no more is said of it
QUESTION_FILES = {QUESTION_FILE, PROMPT_FILE, GENERATOR_FILE}


def read_questions(files: Files) -> tuple[list[QuestionSource], list[ContentProblem]]:
    """Return the questions under a course's folder, and everything wrong with their files."""
    questions: list[QuestionSource] = []
    problems: list[ContentProblem] = []
    for entry in _entries(files, "questions", problems):
        folder = f"questions/{entry.name}"
        if not entry.is_folder or not is_slug(entry.name):
            words = f"{entry.name!r}: must be a folder whose name is a slug"
            problems.append(ContentProblem(f"{folder}/question.yaml", 1, words))
            continue
        question = _question(files, entry.name, problems)
        if question is not None:
            questions.append(question)
        problems += _strangers(folder, _entries(files, folder, problems))
    return questions, problems


def _question(files: Files, slug: str, problems: list[ContentProblem]) -> QuestionSource | None:
    """Return one question, None where question.yaml cannot be read; look at all of its files."""
    folder = f"questions/{slug}"
    prompt = _prompt_file(files, folder, problems)
    try:
        node = read_yaml(files, f"{folder}/{QUESTION_FILE}", problems=problems)
    except ContentError as error:
        problems += error.problems
        read_generator(files, folder, Node(None, 1, QUESTION_FILE), problems)
        return None
    generator = read_generator(files, folder, node, problems)
    return question_from(slug, node, prompt, problems, generator)


def read_quizzes(files: Files) -> tuple[list[QuizSource], list[ContentProblem]]:
    """Return the quizzes under a course's folder, and everything wrong with their files."""
    quizzes: list[QuizSource] = []
    problems: list[ContentProblem] = []
    for entry in _entries(files, "quizzes", problems):
        path = PurePosixPath("quizzes", entry.name)
        if path.suffix != ".yaml" or not is_slug(path.stem):
            words = f"{entry.name!r}: must be <slug>.yaml"
            problems.append(ContentProblem(path.as_posix(), 1, words))
            continue
        try:
            node = read_yaml(files, path.as_posix(), problems=problems)
        except ContentError as error:
            problems += error.problems
            continue
        quizzes.append(quiz_from(path.stem, node, problems))
    return quizzes, problems


def _entries(files: Files, folder: str, problems: list[ContentProblem]) -> list[Entry]:
    try:
        entries = files.entries(folder)
    except ContentError as error:
        problems += error.problems
        return []
    return [entry for entry in entries if not entry.name.startswith((".", "_"))]


def _prompt_file(files: Files, folder: str, problems: list[ContentProblem]) -> str | None:
    """Return the prompt that stands in a file of its own, None where there is no such file."""
    path = f"{folder}/{PROMPT_FILE}"
    if not files.has(path):
        return None
    try:
        return files.text(path).strip()
    except ContentError as error:
        problems += error.problems
        return UNREAD


def _strangers(folder: str, entries: Iterable[Entry]) -> Iterator[ContentProblem]:
    """Yield a fault for every file that nobody reads: a misspelt name must not go unnoticed."""
    for entry in entries:
        if entry.name not in QUESTION_FILES:
            known = ", ".join(sorted(QUESTION_FILES))
            path = f"{folder}/{entry.name}"
            yield ContentProblem(path, 1, f"is not a question file ({known})")


def question_from(
    slug: str,
    node: Node,
    prompt: str | None,
    problems: list[ContentProblem],
    generator: Mapping[str, str] | None = None,
) -> QuestionSource:
    """Return a question from its fields, noting in `problems` everything wrong with them."""
    by_kind = OF_KIND.get(str(node.at("kind").value).strip(), SingleQuestion)
    fields = (GeneratedQuestion if generator else by_kind).read(node, problems)
    answer = getattr(fields, "answer", None)
    options = getattr(fields, "options", ())
    if prompt is None:
        problems += _no_prompt(fields)
    else:
        problems += _long_prompt(fields, prompt)
    steps: tuple[tuple[str, ContentProblem], ...] = ()
    if fields.step.count("/") == 1 and all(is_slug(part) for part in fields.step.split("/")):
        no_step = node.at("step").problem(f"there is no step {fields.step}", key="step")
        steps = ((fields.step, no_step),)
    return QuestionSource(
        slug=slug,
        path=node.path,
        line=node.line,
        kind=fields.kind,
        prompt=fields.prompt if prompt is None else prompt,
        step=fields.step,
        tags=fields.tags,
        keep_last=fields.keep_last,
        options=tuple(
            OptionSource(each.text, each.key, each.reason, each.mistake) for each in options
        ),
        answer=answer.content() if answer and node.at("answer").value is not None else None,
        scoring=getattr(fields, "scoring", ""),
        generator=generator or {},
        steps=steps,
        renamed_from=former_names(node),
    )


def _no_prompt(fields: QuestionFields) -> Iterator[ContentProblem]:
    """Yield a fault where neither question.yaml nor a file of its own has the prompt."""
    prompt = fields.node.at("prompt")
    is_lacking = isinstance(fields.node.value, dict | None) and not prompt.is_refused
    if is_lacking and prompt.value is None and not fields.node.is_refused:
        yield fields.problem("prompt", "missing", code="missing")
    elif isinstance(prompt.value, str) and not prompt.value.strip():
        yield fields.problem("prompt", "must not be empty", code="empty")


def _long_prompt(fields: QuestionFields, text: str) -> Iterator[ContentProblem]:
    """Yield the faults of the prompt that stands in a file of its own."""
    path = fields.node.path.replace(QUESTION_FILE, PROMPT_FILE)
    if fields.node.at("prompt").exists:
        yield fields.problem("prompt", f"{PROMPT_FILE} has it already")
    if not text or len(text) > MAX_PROSE:
        words = f"{len(text)} characters, must be between 1 and {MAX_PROSE}"
        yield ContentProblem(path, 1, words)
    yield from markdown_problems(text, path=path)


def quiz_from(slug: str, node: Node, problems: list[ContentProblem]) -> QuizSource:
    """Return a quiz from its fields, noting in `problems` everything wrong with them."""
    fields = QuizFile.read(node, problems)
    places: list[PlaceSource] = []
    for entry, item in zip(fields.questions, node.at("questions").items(), strict=False):
        place = _place(entry, item)
        if place.question and place.question in {known.question for known in places}:
            problems.append(
                fields.problem("questions", f"{place.question!r} is listed twice", at=item)
            )
        elif isinstance(entry, str) or place.question or place.tag:
            places.append(place)
    quiz = QuizSource(
        slug,
        node.path,
        node.line,
        fields.title,
        fields.summary,
        tuple(places),
        renamed_from=former_names(node),
        shuffle=fields.shuffle,
        class_only=fields.class_only,
    )
    if quiz.size > MAX_QUESTIONS:
        problems.append(fields.problem("questions", f"{quiz.size}, at most {MAX_QUESTIONS}"))
    return quiz


def _place(entry: str | QuizQuestion | QuizPool, item: Node) -> PlaceSource:
    """Return one entry of `questions`, with the fault to tell if nothing has its name."""
    points = Decimal(1) if isinstance(entry, str) else Decimal(str(entry.points))
    if isinstance(entry, QuizPool):
        problem = item.problem(f"no question has the tag {entry.tag!r}", key="questions")
        return PlaceSource(problem, draw=entry.draw, tag=entry.tag, points=points)
    named = entry if isinstance(entry, str) else entry.slug
    problem = item.problem(f"there is no question {named!r}", key="questions")
    return PlaceSource(problem, named, points=points)
