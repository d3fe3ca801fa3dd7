"""Reading questions and quizzes from files, with every fault and its line.

questions/<slug>/question.yaml   kind, prompt, step, tags, keep_last, renamed_from,
                                 options: text, key, reason; kind multiple: scoring too
                                 kind numeric, text: answer instead of options (`read_answer`)
questions/<slug>/prompt.md       the prompt, where it is too long for the file above
questions/<slug>/generate.py     makes options or answer from a seed (generator/generator_files)
quizzes/<slug>.yaml              title, summary, questions in order (slugs, {slug, points} and
                                 {draw, tag, points}), shuffle, class_only, renamed_from
"""

from collections.abc import Iterable, Iterator, Mapping
from decimal import Decimal
from pathlib import PurePosixPath
from typing import Any

from quizzes.assessment.generator.generator_files import GENERATOR_FILE, read_generator
from quizzes.assessment.models import QuestionVersion
from quizzes.assessment.number_parser import NotANumberError, read_number
from quizzes.assessment.numeric_answer import MAX_UNIT, tolerance_of
from quizzes.assessment.quiz_fields import MAX_QUESTIONS, QuizFile, QuizPool, QuizQuestion
from quizzes.assessment.sources import OptionSource, PlaceSource, QuestionSource, QuizSource
from quizzes.assessment.text_answer import (
    MAX_ACCEPTED,
    MAX_ACCEPTED_LENGTH,
    pattern_problem,
)
from quizzes.content_files.fields import Fields, is_slug
from quizzes.content_files.files import Entry, Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.renamed_from import former_names, read_former_names
from quizzes.content_files.yaml_nodes import Node, read_yaml
from quizzes.pages.markdown import markdown_problems

MAX_OPTIONS = 8
FEWEST_KEYS = 2  # where several are right
MAX_OPTION_LENGTH = 400
MAX_PROSE = 4000
Kind = QuestionVersion.Kind
DRAWN = {Kind.SINGLE, Kind.NUMERIC}  # the kinds that generate.py makes
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
    fields = Fields(node, problems)
    kind = fields.choice("kind", Kind.values, default="single")
    has_options = kind not in {Kind.NUMERIC, Kind.TEXT}
    if generator:
        fields.take("exercise", required=False)  # read with the generator's files
        if kind in set(Kind) - DRAWN:
            words = f"{kind!r}: {GENERATOR_FILE} makes questions of the kinds single and numeric"
            fields.note("kind", words)
    step = fields.text("step")
    steps: tuple[tuple[str, ContentProblem], ...] = ()
    if step.count("/") == 1 and all(is_slug(part) for part in step.split("/")):
        steps = ((step, node.at("step").problem(f"there is no step {step}", key="step")),)
    elif step:
        fields.note("step", f"{step!r}: must be <lesson>/<step>")
    question = QuestionSource(
        slug=slug,
        path=node.path,
        line=node.line,
        kind=kind,
        prompt=_prose(fields, "prompt") if prompt is None else _long_prompt(fields, prompt),
        step=step,
        tags=fields.texts("tags", required=False),
        keep_last=fields.flag("keep_last", default=False),
        options=tuple(_options(fields, kind)) if has_options and not generator else (),
        answer=None if has_options or generator else _answer_of_kind(fields, kind),
        scoring=_scoring(fields) if kind == Kind.MULTIPLE else "",
        generator=generator or {},
        steps=steps,
        renamed_from=read_former_names(fields),
    )
    fields.done()
    return question


def _scoring(fields: Fields) -> str:
    rules = QuestionVersion.Scoring
    return fields.choice("scoring", rules.values, default=rules.ALL_OR_NOTHING.value)


def _answer_of_kind(fields: Fields, kind: str) -> dict[str, Any] | None:
    return read_answer(fields) if kind == Kind.NUMERIC else read_text_answer(fields)


def _options(fields: Fields, kind: str) -> Iterator[OptionSource]:
    """Yield the options, noting when they have not as many keys as the kind of question asks for.

    Where one was refused, or what its `key` says was, nobody knows how many there are.
    """
    list_node = fields.node.at("options")
    seen: set[str] = set()
    count = keys = 0
    are_known = has_known_keys = list_node.is_whole()
    for node in fields.list("options"):
        inner = Fields(node, fields.problems)
        option = OptionSource(
            _prose(inner, "text", max_length=MAX_OPTION_LENGTH, in_one_line=True),
            inner.flag("key", default=False),
            _prose(inner, "reason"),
            read_mistake(inner),
        )
        inner.done()
        if "\n" in option.text:
            inner.note("text", "must be one line")
        if option.text and option.text.casefold() in seen:
            fields.problems.append(node.problem(f"option {option.text!r} appears here twice"))
        seen.add(option.text.casefold())
        count, keys = count + 1, keys + option.is_key
        has_known_keys &= not node.at("key").is_refused
        yield option
    if are_known and not 2 <= count <= MAX_OPTIONS:
        fields.note("options", f"{count}, must be between 2 and {MAX_OPTIONS}")
    if has_known_keys and kind == Kind.MULTIPLE and (keys < FEWEST_KEYS or keys == count):
        words = f"{keys} have key: true, must be at least {FEWEST_KEYS}, and not all of them"
        fields.note("options", words, code="several_keys")
    if has_known_keys and kind != Kind.MULTIPLE and keys != 1:
        fields.note("options", f"{keys} have key: true, must be exactly 1", code="one_key")


def _prose(
    fields: Fields, key: str, *, max_length: int = MAX_PROSE, in_one_line: bool = False
) -> str:
    text = fields.text(key, max_length=max_length)
    node = fields.node.at(key)
    if len(text) > max_length:
        return text  # said already, and too much of it would take long to parse
    fields.problems.extend(
        markdown_problems(text, path=node.path, first_line=node.line, in_one_line=in_one_line)
    )
    return text


def _long_prompt(fields: Fields, text: str) -> str:
    """Return the prompt that stands in a file of its own."""
    path = fields.node.path.replace(QUESTION_FILE, PROMPT_FILE)
    if fields.take("prompt", required=False).exists:
        fields.note("prompt", f"{PROMPT_FILE} has it already")
    if not text or len(text) > MAX_PROSE:
        words = f"{len(text)} characters, must be between 1 and {MAX_PROSE}"
        fields.problems.append(ContentProblem(path, 1, words))
    fields.problems.extend(markdown_problems(text, path=path))
    return text


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


MAX_NEAR = 8
MAX_REASON = 4000


def read_answer(fields: Fields) -> dict[str, Any] | None:
    """Return the answer as it is stored, noting everything wrong with it; None when missing."""
    node = fields.take("answer")
    if node.value is None:
        return None
    inner = Fields(node, fields.problems)
    answer: dict[str, Any] = {"value": _numeral(inner, "value")}
    for name in ("within", "plus_minus"):
        size = _size(inner, name)
        if size is not None:
            answer[name] = size
    answer["unit"] = inner.text("unit", required=False, max_length=MAX_UNIT)
    answer["reason"] = _reason(inner)
    near = [_miss(item, fields) for item in inner.list("near", required=False)]
    if near:
        answer["near"] = near
    inner.done()
    _check(answer, fields)
    return answer


def read_text_answer(fields: Fields) -> dict[str, Any] | None:
    """Return the accepted texts as they are stored, noting everything wrong with them."""
    node = fields.take("answer")
    if node.value is None:
        return None
    inner = Fields(node, fields.problems, name="answer")
    accepts: list[str] = []
    seen: set[str] = set()  # what differs in its dashes was worth a line of its own once
    for item in inner.list("accepts"):
        text = str(item.value) if isinstance(item.value, int | float | str) else ""
        text = " ".join(text.split())
        problem = pattern_problem(text)
        if isinstance(item.value, bool) or not isinstance(item.value, int | float | str):
            problem = f"{item.value!r}: must be text (use quotes)"
        elif len(text) > MAX_ACCEPTED_LENGTH:
            problem = f"{len(text)} characters, at most {MAX_ACCEPTED_LENGTH} are allowed"
        elif text.casefold() in seen:
            problem = "appears here twice: case and spaces do not matter"
        if problem:
            inner.note("accepts", problem if not text else f"{text[:60]!r}: {problem}", at=item)
            continue
        accepts.append(text)
        seen.add(text.casefold())
    if len(accepts) > MAX_ACCEPTED:
        inner.note("accepts", f"{len(accepts)}, at most {MAX_ACCEPTED}")
    answer = {"accepts": accepts, "reason": _reason(inner)}
    inner.done()
    return answer


def _check(answer: dict[str, Any], fields: Fields) -> None:
    """Note what is wrong with the numbers taken together."""
    if {"within", "plus_minus"} <= answer.keys():
        fields.note("answer", "give within (a share of the value) or plus_minus, not both")
    if len(answer.get("near", ())) > MAX_NEAR:
        fields.note("answer", f"near: {len(answer['near'])}, at most {MAX_NEAR} are allowed")
    try:
        value = read_number(answer["value"])
        misses = [read_number(miss["value"]) for miss in answer.get("near", ())]
    except NotANumberError:
        return  # said already
    tolerance = tolerance_of(answer, value)
    if not value and "plus_minus" not in answer:
        fields.note("answer", "the value is 0: use plus_minus, since a share of 0 is 0")
    for miss in misses:
        if abs(miss - value) <= 1.5 * tolerance:
            words = f"near: {miss:g} cannot be told apart from {value:g}: make the interval smaller"
            fields.note("answer", words)


def _numeral(fields: Fields, key: str) -> str:
    """Return a number as its author wrote it: 0.25, "1/4" or "2*pi"."""
    node = fields.take(key)
    if node.value is None:
        return ""
    text = str(node.value)
    try:
        read_number(text)
    except NotANumberError as error:
        fields.note(key, f"{text!r}: {error}")
    return text


def _size(fields: Fields, key: str) -> float | None:
    node = fields.take(key, required=False)
    value = node.value
    if value is None:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        fields.note(key, f"{value!r}: must be a number, 0 or more")
        return None
    return float(value)


def _reason(fields: Fields) -> str:
    text = fields.text("reason", max_length=MAX_REASON)
    node = fields.node.at("reason")
    fields.problems.extend(markdown_problems(text, path=node.path, first_line=node.line))
    return text


def _miss(node: Node, fields: Fields) -> dict[str, str]:
    inner = Fields(node, fields.problems)
    miss = {"value": _numeral(inner, "value"), "reason": _reason(inner)}
    mistake = read_mistake(inner)
    if mistake:
        miss["mistake"] = mistake
    inner.done()
    return miss


def read_mistake(fields: Fields) -> str:
    """Return the known mistake that an answer shows, "<exercise>/<variant>", "" when not said."""
    text = fields.text("mistake", required=False, max_length=170)
    exercise, _, variant = text.partition("/")
    if text and not (exercise and variant and "/" not in variant):
        fields.note("mistake", f"{text!r}: must be <exercise>/<known mistake>")
        return ""
    return text
