"""Reading questions and quizzes from files, with every fault and its line.

questions/<slug>/question.yaml   kind, prompt, step, tags, keep_last, options: text, key, reason
                                 kind numeric: answer instead of options (reading_numeric)
questions/<slug>/prompt.md       the prompt, where it is too long for the file above
questions/<slug>/generate.py     makes options or answer from a seed (reading_generator)
quizzes/<slug>.yaml              title, summary, questions (slugs in order)
"""

from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path

from quizzes.assessment.models import QuestionVersion
from quizzes.assessment.reading_generator import GENERATOR_FILE, read_generator
from quizzes.assessment.reading_numeric import read_answer, read_mistake
from quizzes.assessment.sources import OptionSource, QuestionSource, QuizSource
from quizzes.pages.fields import Fields, is_slug
from quizzes.pages.markdown import markdown_faults
from quizzes.pages.source import ContentError, Fault, Node, read_entries, read_text, read_yaml

MAX_OPTIONS = 8
MAX_OPTION_LENGTH = 400
MAX_PROSE = 4000
MAX_QUESTIONS = 50
PROMPT_FILE = "prompt.md"
QUESTION_FILES = {"question.yaml", PROMPT_FILE, GENERATOR_FILE}


def read_questions(root: Path) -> tuple[list[QuestionSource], list[Fault]]:
    """Return the questions under a course's folder, and everything wrong with their files."""
    questions: list[QuestionSource] = []
    faults: list[Fault] = []
    for folder in _entries(root / "questions", root, faults):
        path = f"questions/{folder.name}/question.yaml"
        if not folder.is_dir() or not is_slug(folder.name):
            faults.append(Fault(path, 1, f"{folder.name!r}: must be a folder named by a slug"))
            continue
        try:
            node = read_yaml(folder / "question.yaml", root=root)
            prompt = _prompt_file(folder, root)
            generator = read_generator(folder, node, root)
        except ContentError as error:
            faults += error.faults
            continue
        questions.append(question_from(folder.name, node, prompt, faults, generator))
        faults += _strangers(_entries(folder, root, faults))
    return questions, faults


def read_quizzes(root: Path) -> tuple[list[QuizSource], list[Fault]]:
    """Return the quizzes under a course's folder, and everything wrong with their files."""
    quizzes: list[QuizSource] = []
    faults: list[Fault] = []
    for path in _entries(root / "quizzes", root, faults):
        name = f"quizzes/{path.name}"
        if path.suffix != ".yaml" or not is_slug(path.stem):
            faults.append(Fault(name, 1, f"{path.name!r}: must be <slug>.yaml"))
            continue
        try:
            node = read_yaml(path, root=root)
        except ContentError as error:
            faults += error.faults
            continue
        quizzes.append(quiz_from(path.stem, node, faults))
    return quizzes, faults


def _entries(folder: Path, root: Path, faults: list[Fault]) -> list[Path]:
    try:
        found = read_entries(folder, root=root)
    except ContentError as error:
        faults += error.faults
        return []
    return [path for path in found if not path.name.startswith((".", "_"))]


def _prompt_file(folder: Path, root: Path) -> str | None:
    path = folder / PROMPT_FILE
    return read_text(path, root=root).strip() if path.exists() or path.is_symlink() else None


def _strangers(entries: Iterable[Path]) -> Iterator[Fault]:
    """Yield a fault for every file that nobody reads: a misspelt name must not go unnoticed."""
    for path in entries:
        if path.name not in QUESTION_FILES:
            known = ", ".join(sorted(QUESTION_FILES))
            name = f"questions/{path.parent.name}/{path.name}"
            yield Fault(name, 1, f"is not a file of a question ({known})")


def question_from(
    slug: str,
    node: Node,
    prompt: str | None,
    faults: list[Fault],
    generator: Mapping[str, str] | None = None,
) -> QuestionSource:
    """Return a question from its fields, noting in `faults` everything wrong with them."""
    fields = Fields(node, faults)
    kind = fields.choice("kind", QuestionVersion.Kind.values, default="single")
    numeric = kind == QuestionVersion.Kind.NUMERIC
    if generator:
        fields.take("exercise", required=False)  # read with the generator's files
    step = fields.text("step")
    step_node = node.at("step")
    if step and (step.count("/") != 1 or not all(is_slug(part) for part in step.split("/"))):
        faults.append(step_node.fault(f"step: {step!r}: must be <lesson>/<step>"))
    question = QuestionSource(
        slug=slug,
        path=node.path,
        line=node.line,
        kind=kind,
        prompt=_prose(fields, "prompt") if prompt is None else _long_prompt(fields, prompt),
        step=step,
        tags=fields.texts("tags", required=False),
        keep_last=fields.flag("keep_last", default=False),
        options=() if numeric or generator else tuple(_options(fields)),
        answer=read_answer(fields) if numeric and not generator else None,
        generator=generator or {},
        steps=((step, step_node.fault(f"step: there is no step {step}")),) if step else (),
    )
    fields.done()
    return question


def _options(fields: Fields) -> Iterator[OptionSource]:
    """Yield the options, noting when they cannot make a question with exactly one key."""
    list_node = fields.node.at("options")
    seen: set[str] = set()
    count = keys = 0
    for node in fields.list("options"):
        inner = Fields(node, fields.faults)
        option = OptionSource(
            _prose(inner, "text", max_length=MAX_OPTION_LENGTH),
            inner.flag("key", default=False),
            _prose(inner, "reason"),
            read_mistake(inner),
        )
        inner.done()
        if "\n" in option.text:
            fields.faults.append(node.at("text").fault("text: must be one line"))
        if option.text.casefold() in seen:
            fields.faults.append(node.fault(f"option {option.text!r} stands here twice"))
        seen.add(option.text.casefold())
        count, keys = count + 1, keys + option.is_key
        yield option
    if not 2 <= count <= MAX_OPTIONS:
        fields.faults.append(
            list_node.fault(f"options: {count}, must be between 2 and {MAX_OPTIONS}")
        )
    if keys != 1:
        fields.faults.append(list_node.fault(f"options: {keys} have key: true, must be exactly 1"))


def _prose(fields: Fields, key: str, *, max_length: int = MAX_PROSE) -> str:
    text = fields.text(key, max_length=max_length)
    node = fields.node.at(key)
    if len(text) > max_length:
        return text  # said already, and too much of it would take long to parse
    fields.faults.extend(markdown_faults(text, path=node.path, first_line=node.line))
    return text


def _long_prompt(fields: Fields, text: str) -> str:
    """Return the prompt that stands in a file of its own."""
    path = fields.node.path.replace("question.yaml", PROMPT_FILE)
    if fields.take("prompt", required=False).exists:
        fields.faults.append(
            fields.node.at("prompt").fault(f"prompt: {PROMPT_FILE} has it already")
        )
    if not text or len(text) > MAX_PROSE:
        words = f"{len(text)} characters, must be between 1 and {MAX_PROSE}"
        fields.faults.append(Fault(path, 1, words))
    fields.faults.extend(markdown_faults(text, path=path))
    return text


def quiz_from(slug: str, node: Node, faults: list[Fault]) -> QuizSource:
    """Return a quiz from its fields, noting in `faults` everything wrong with them."""
    fields = Fields(node, faults)
    questions: list[tuple[str, Fault]] = []
    title = fields.text("title", max_length=200)
    summary = _prose(fields, "summary")
    for item in fields.list("questions"):
        named = str(item.value)
        if named in {known for known, _ in questions}:
            faults.append(item.fault(f"questions: {named!r} is named twice"))
            continue
        questions.append((named, item.fault(f"questions: there is no question {named!r}")))
    if len(questions) > MAX_QUESTIONS:
        faults.append(
            node.at("questions").fault(f"questions: {len(questions)}, at most {MAX_QUESTIONS}")
        )
    fields.done()
    return QuizSource(slug, node.path, node.line, title, summary, tuple(questions))
