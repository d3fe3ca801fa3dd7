"""The form of a lesson: from and to the fields of its files, its buttons, and its faults."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.text import slugify

from quizzes.classes.publishing.lesson_drafts import MOST_STEPS, NEW_STEP
from quizzes.content_files.fields import MAX_SLUG
from quizzes.content_files.problems import ContentProblem
from quizzes.content_files.typed_text import read_whole_number
from quizzes.lessons.models import Lesson
from quizzes.teaching.forms import MissingField, clean_field

EMPTY_SOURCES = 1  # rows for works to be added
LABELS = {
    "title": "Title",
    "summary": "Summary",
    "form": "Form",
    "prerequisites": "What to know before",
}
PARTS = {
    "slug": "name",
    "title": "title",
    "text": "text",
    "going_deeper": "going deeper",
    "as_of": "day of its sources",
}
FIELDS = {
    "slug": "slug",
    "title": "title",
    "text": "text",
    "going_deeper": "deeper",
    "as_of": "day",
}
# NAME stands for what was chosen; of a figure, of which that is "rope/scores", VIEW for its view.
BLOCKS = {
    "question": "```question\nslug: NAME\n```\n",
    "exercise": "```exercise\nslug: NAME\n```\n",
    "plot": "```plot\nid: NAME\nslug: NAME\n```\n",
    "figure": "```figure\nid: VIEW\nencoding: NAME\nview: VIEW\n```\n",
    "picture": "```picture\nslug: NAME\nalt:\n```\n",
    "listing": "```listing\ntitle: What it does\n---\nprint(1 + 1)\n---\n2\n```\n",
    "check": '```check\nclaim: One and one make two.\nvalue: 1 + 1\nis: "2"\n```\n',
    "table": "| First | Second |\n|---|---|\n| a | b |\n",
}
FORMS = {
    Lesson.Form.STEPS: "Steps, read one after the other",
    Lesson.Form.CARDS: "Cards, each a short text",
    Lesson.Form.REFERENCE: "A reference to look things up in",
}


@dataclass(frozen=True)
class SourceRow:
    """A source of a step in the form. `key` is that of its fields, "2-1": both from 1."""

    key: str
    work: str
    where: str


@dataclass(frozen=True)
class StepRow:
    """A step in the form. `is_met`: learners know it, so that its name is fixed."""

    number: int  # counted from 1
    slug: str
    title: str
    text: str
    going_deeper: bool
    as_of: str
    sources: Sequence[SourceRow]
    is_met: bool
    missing: Sequence[MissingField]
    is_last: bool


def read_lesson(data: QueryDict) -> dict[str, Any]:
    """Return the form as the fields of lesson.yaml, each step with its text."""
    lines = clean_field(data, "prerequisites").split("\n")
    steps = [_read_step(data, key) for key in data.getlist("steps")]
    return {
        "title": clean_field(data, "title"),
        "summary": clean_field(data, "summary"),
        "form": clean_field(data, "form") or Lesson.Form.STEPS.value,
        "prerequisites": [line.strip() for line in lines if line.strip()],
        "steps": _with_names(steps),
    }


def _read_step(data: QueryDict, key: str) -> dict[str, Any]:
    return {
        "slug": clean_field(data, f"slug-{key}"),
        "title": clean_field(data, f"title-{key}"),
        "going_deeper": data.get(f"deeper-{key}") == "on",
        "as_of": clean_field(data, f"day-{key}"),
        "sources": list(_read_sources(data, key)),
        # White space at its beginning and end is the author's.
        "text": str(data.get(f"text-{key}", "")).replace("\r\n", "\n").replace("\r", "\n"),
    }


def _read_sources(data: QueryDict, key: str) -> Iterator[dict[str, str]]:
    number = 1
    while f"work-{key}-{number}" in data:
        work = clean_field(data, f"work-{key}-{number}")
        where = clean_field(data, f"where-{key}-{number}")
        if work or where:
            yield {"work": work, "where": where}
        number += 1


def _with_names(steps: Sequence[Mapping[str, Any]]) -> list[dict[str, Any]]:
    """Return the steps, each without a name with one that is made of its title."""
    taken = {step["slug"] for step in steps}
    named = []
    for step in steps:
        slug = step["slug"] or slugify(step["title"])[:MAX_SLUG].strip("-_").replace("_", "-")
        if slug in taken and not step["slug"]:
            slug = ""  # two steps with one title: their author names the second
        taken.add(slug)
        named.append({**step, "slug": slug})
    return named


def press_button(content: Mapping[str, Any], data: QueryDict, button: str) -> dict[str, Any]:
    """Return the content as the button leaves it: "add", "up:2", "down:2", "remove:2", "insert"."""
    act, _, named = button.partition(":")
    steps = [dict(step) for step in content["steps"]]
    place = (read_whole_number(data.get("into", "") if act == "insert" else named) or 0) - 1
    is_there = 0 <= place < len(steps)
    if act == "add" and len(steps) < MOST_STEPS:
        steps.append(dict(NEW_STEP))
    elif act == "insert" and is_there:
        block, text = block_of(data.get("block", "")), steps[place]["text"]
        gap = "\n" * (2 - min(2, len(text) - len(text.rstrip("\n")))) if text and block else ""
        steps[place]["text"] = f"{text}{gap}{block}"
    elif act == "remove" and is_there:
        del steps[place]
    elif act in {"up", "down"} and is_there:
        to = min(max(place + (1 if act == "down" else -1), 0), len(steps) - 1)
        steps.insert(to, steps.pop(place))
    return {**content, "steps": steps}


def place_after(data: QueryDict, button: str) -> str:
    """Return the fragment of the step that a button leaves the reader at."""
    act, _, named = button.partition(":")
    place, count = read_whole_number(named.partition(":")[0]) or 0, len(data.getlist("steps"))
    if act == "insert":
        return f"#text-{read_whole_number(data.get('into', '')) or 1}"
    if act in {"run", "fill"}:
        return f"#text-{place}" if place else "#listings"
    at = {"add": count + 1, "up": max(place - 1, 1), "down": min(place + 1, count)}
    return f"#step-{at[act]}" if act in at else "#steps" if act == "remove" else ""


def block_of(chosen: str) -> str:
    """Return the Markdown of a block that was chosen, "question:why-scale"; "" for another."""
    kind, _, name = chosen.partition(":")
    name, _, view = name.partition("/")
    return BLOCKS.get(kind, "").replace("NAME", name).replace("VIEW", view)


def step_rows(
    content: Mapping[str, Any], *, met: Sequence[str], missing: Iterable[MissingField]
) -> list[StepRow]:
    """Return the steps of the form, each with its own faults; `met` are names that are fixed."""
    faults: dict[str, list[MissingField]] = {}
    for fault in missing:
        faults.setdefault(fault.field.partition("-")[2].partition("-")[0], []).append(fault)
    return [
        StepRow(
            number,
            step["slug"],
            step["title"],
            step["text"],
            step["going_deeper"],
            step["as_of"],
            _source_rows(number, step["sources"]),
            step["slug"] in met,
            faults.get(str(number), []),
            number == len(content["steps"]),
        )
        for number, step in enumerate(content["steps"], start=1)
    ]


def _source_rows(step: int, sources: Sequence[Mapping[str, str]]) -> list[SourceRow]:
    rows = [*sources, *[{"work": "", "where": ""}] * EMPTY_SOURCES]
    return [
        SourceRow(f"{step}-{number}", source["work"], source["where"])
        for number, source in enumerate(rows, start=1)
    ]


def missing_in_lesson(
    problems: Iterable[ContentProblem], content: Mapping[str, Any]
) -> list[MissingField]:
    """Return faults in the words of the form, each with its step and its line there."""
    return [_missing(problem, content) for problem in problems]


def _missing(problem: ContentProblem, content: Mapping[str, Any]) -> MissingField:
    first, *rest = problem.path.split(".")
    if first != "steps" or not rest:
        label = "Steps" if first == "steps" else LABELS.get(first, "It")
        return MissingField(first, label, problem.words)
    number, part = int(rest[0]) + 1, rest[1] if len(rest) > 1 else "slug"
    title = content["steps"][number - 1]["title"]
    step = f"Step {number}, {title}" if title else f"Step {number}"
    if part == "text":
        words = f"line {problem.line}: {problem.message}"
        return MissingField(f"text-{number}", step, words)
    if part == "sources":
        source = int(rest[2]) + 1 if len(rest) > 2 else 1
        return MissingField(f"work-{number}-{source}", f"{step}, sources", problem.words)
    return MissingField(f"{FIELDS[part]}-{number}", f"{step}, {PARTS[part]}", problem.words)
