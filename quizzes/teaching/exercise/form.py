"""The form of an exercise: from and to its files, its buttons, and its faults."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, count
from pathlib import PurePosixPath
from typing import Any

from django.http import QueryDict

from quizzes.classes.publishing.exercise_drafts import BELOW, MAIN_FILES, SETTINGS, place_of
from quizzes.content_files.problems import ContentProblem
from quizzes.grader.definitions import HEADER_KEYS, MAX_FILES, is_exercise_file
from quizzes.teaching.exercise.header_form import VariantForm, variant_form

WRONG, RIGHT = "wrong/", "right/"
NEW_NAME = "new_mistake"
TITLES = {
    "statement.md": "Task",
    "starter.py": "Starter",
    "reference.py": "Reference",
    "cases.py": "Cases",
    SETTINGS: "Settings",
}
HELP = {
    "statement.md": "What learners read, in Markdown. Number the requirements: 1., 2., …",
    "starter.py": "What learners begin with. It must end, and must not be right.",
    "reference.py": "The right solution.",
    "cases.py": "The calls that are compared: a function cases(rng, reference).",
    BELOW: "Code that runs below the learner’s, in the same module.",
    SETTINGS: "Title, name, signature, tolerance and limits, in YAML.",
}
HELP_OF_WRONG = "A whole solution that makes this mistake and no other."
HELP_OF_RIGHT = "A right solution that goes another way than the reference. Learners never see it."
HELP_ELSE = "A further file of the exercise."
SENTENCES = {  # by key of the header: its label, and what stands below that
    "Does": ("Does", "What this code does: “You …”. Learners read it."),
    "Should": ("Should", "What is right: “It should …”. Learners read it."),
    "Number": ("Number", "What its number is, for questions that offer it. May be empty."),
    "Step": ("Step", "The step of a lesson that explains it. May be empty."),
    "Breaks": ("Breaks", "The requirement that it breaks. Choose it from the list."),
}
_PROBLEM = re.compile(
    r"\A(?P<path>[\w./-]+\.(?:py|md|yaml))(?::(?P<line>\d+))?: (?P<words>.*)\Z", re.S
)


@dataclass(frozen=True)
class Fault:
    """Something wrong with a file: the id of its field, "statement.md:12", and what it is.

    `line` is that of the field's text, 0 where the fault is about all of it.
    """

    field: str
    place: str
    line: int
    words: str


@dataclass(frozen=True)
class HeaderField:
    """One line of a known mistake's header in the form."""

    key: str
    label: str
    help: str
    value: str
    list: str  # the id of the values to choose from, "" for none


@dataclass(frozen=True)
class FileRow:
    """One file in the form. `key` is that of its fields, counted from 1.

    `fields`: the header of a known mistake; none where the file is edited as text. `text`: what is
    below the header, which begins in the line after `lines_above`.
    """

    key: int
    name: str
    title: str
    help: str
    text: str
    form: VariantForm | None
    faults: Sequence[Fault]

    @property
    def stem(self) -> str:
        """Return the name of a known mistake, "" for another file."""
        return self.name.removeprefix(WRONG).removesuffix(".py") if self.is_wrong else ""

    @property
    def field(self) -> str:
        """Return the name of the field with its text."""
        return f"{'code' if self.form else 'text'}-{self.key}"

    @property
    def is_wrong(self) -> bool:
        return self.name.startswith(WRONG)

    @property
    def is_code(self) -> bool:
        return self.name.endswith(".py")

    @property
    def may_go(self) -> bool:
        """Say whether an exercise can be without it."""
        return self.name not in TITLES

    @property
    def lines_above(self) -> int:
        return self.form.lines_above if self.form else 0

    @property
    def does(self) -> str:
        """Return what a known mistake does, as its header says it."""
        return self.form.header.get("Does", "") if self.form else ""

    @property
    def kinds(self) -> list[tuple[str, str]]:
        """Return the kinds to choose from, value and words; the first is that of the file."""
        kind = self.form.header.get("Kind", "") if self.form else ""
        mistake = "mistake" if kind == "mistake" else ""  # a file needs no line to say that
        words = {mistake: "A mistake", "convention": "Right by another convention"}
        return [(kind, words.pop(kind, kind)), *words.items()]

    @property
    def fields(self) -> list[HeaderField]:
        header = self.form.header if self.form else {}
        lists = {"Step": "known-steps", "Breaks": "requirements"}
        return [
            HeaderField(key, label, words, header.get(key, ""), lists.get(key, ""))
            for key, (label, words) in SENTENCES.items()
        ]


# ---- from the form


def read_exercise_form(data: QueryDict, button: str) -> dict[str, Any]:
    """Return the form as files by name, without the one that "remove:7" removes.

    That is left out while reading: two of one name have other names afterwards.
    """
    removed = button.removeprefix("remove:") if button.startswith("remove:") else ""
    files: dict[str, str] = {}
    for key in data.getlist("files"):
        name = _name(data, key)
        if is_exercise_file(name) and (key != removed or name in TITLES):
            files[_free(name, files)] = _text(data, key)
    return {"files": {name: files[name] for name in sorted(files, key=place_of)}}


def _name(data: QueryDict, key: str) -> str:
    """Return the name of a file; that of a known mistake as it was typed."""
    name = str(data.get(f"name-{key}", "")).replace("\0", "")
    if not name.startswith(WRONG):
        return name
    typed = str(data.get(f"stem-{key}", "")).replace("\0", "").strip().removesuffix(".py")
    return f"{WRONG}{typed.replace('/', '_')}.py" if typed else name


def _free(name: str, taken: Mapping[str, str]) -> str:
    """Return a name that no other file of the form has: two of one name stay two."""
    stem = name.removesuffix(".py")
    names = chain([name], (f"{stem}_{number}.py" for number in count(2)))
    return next(free for free in names if free not in taken)


def _text(data: QueryDict, key: str) -> str:
    if f"code-{key}" not in data:
        return _lines(data, f"text-{key}")
    header = {name: " ".join(_lines(data, f"{name}-{key}").split("\n")) for name in HEADER_KEYS}
    return VariantForm(header, _lines(data, f"code-{key}")).text


def _lines(data: QueryDict, name: str) -> str:
    """Return a field with the line ends of files. Its white space is the author's."""
    return str(data.get(name, "")).replace("\r\n", "\n").replace("\r", "\n")


def press_button(content: Mapping[str, Any], button: str) -> dict[str, Any]:
    """Return the content as the button leaves it: "add", "below"."""
    files = dict(content["files"])
    if button == "add" and len(files) < MAX_FILES:
        name = _free(f"{WRONG}{NEW_NAME}.py", files)
        files[name] = VariantForm({}, files.get("reference.py", "")).text
    elif button == "below":
        files.setdefault(BELOW, "")
    return {"files": {name: files[name] for name in sorted(files, key=place_of)}}


# ---- to the form


def file_rows(content: Mapping[str, Any], faults: Sequence[Fault]) -> list[FileRow]:
    """Return the files in the order of the form, each with its own faults."""
    of_field: dict[str, list[Fault]] = {}
    for fault in faults:
        of_field.setdefault(fault.field.rpartition("-")[2], []).append(fault)
    rows = []
    for key, (name, text) in enumerate(in_order(content), start=1):
        form = variant_form(text) if name.startswith(WRONG) else None
        shown = form.code if form else text
        title, words = TITLES.get(name, name), HELP.get(name, HELP_ELSE)
        words = HELP_OF_WRONG if name.startswith(WRONG) else words
        words = HELP_OF_RIGHT if name.startswith(RIGHT) else words
        rows.append(FileRow(key, name, title, words, shown, form, of_field.get(str(key), [])))
    return rows


def in_order(content: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return names and texts in the order of the form: a database has an order of its own."""
    files = content["files"]
    return [(name, files[name]) for name in sorted(files, key=place_of)]


def faults_of(problems: Iterable[ContentProblem], content: Mapping[str, Any]) -> list[Fault]:
    """Return faults of files with their fields, in the order of the form."""
    rows = [(fault.path, fault.line, fault.message) for fault in problems]
    return sorted(_faults(rows, content), key=_place(content))


def faults_of_proof(problems: Iterable[str], content: Mapping[str, Any]) -> list[Fault]:
    """Return what a proof found, "wrong/half.py: was graded correct", with the fields."""
    rows = []
    for problem in problems:
        match = _PROBLEM.match(problem)
        if match:
            rows.append((match["path"], int(match["line"] or 0), match["words"]))
        else:
            rows.append(("", 0, problem))
    return list(_faults(rows, content))


def _faults(
    problems: Iterable[tuple[str, int, str]], content: Mapping[str, Any]
) -> Iterator[Fault]:
    keys = {name: key for key, (name, _) in enumerate(in_order(content), start=1)}
    for path, line, words in problems:
        name = PurePosixPath(path).as_posix() if path else ""
        place = f"{name}:{line}" if line else name
        if name not in keys:
            yield Fault("files", place if name in {*MAIN_FILES, SETTINGS} else "", 0, words)
            continue
        form = variant_form(content["files"][name]) if name.startswith(WRONG) else None
        if form is None:
            yield Fault(f"text-{keys[name]}", place, line, words)
        elif key := form.key_of(line, words):
            yield Fault(f"{key}-{keys[name]}", place, 0, words)
        else:
            yield Fault(f"code-{keys[name]}", place, max(line - form.lines_above, 0), words)


def _place(content: Mapping[str, Any]) -> Any:
    order = [name for name, _ in in_order(content)]

    def place(fault: Fault) -> tuple[int, int]:
        name = fault.place.partition(":")[0]
        return order.index(name) if name in order else -1, fault.line

    return place
