"""The clauses of a statement's requirements, and whether a known mistake breaks each alone.

The requirements are the numbered list of statement.md. One that asks for several things letters
them, and each is a clause: `6. Tensors that are kept are buffers: (a) those of __init__ and (b)
those of forward.` has the clauses 6a and 6b; a requirement without letters is one clause.

A variant says with `Breaks: 6b. ...` which clause it breaks. It breaks this clause alone if every
case passes that is for other clauses only (`clause=` of a case; a case without it is for every
clause). What no variant breaks alone, no case is known to look at: such clauses keep an exercise
from being published, unless exercise.yaml has a reason under `no_mistake`.
"""

from __future__ import annotations

import re
import string
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from textwrap import shorten

from markdown_it import MarkdownIt
from markdown_it.token import Token
from mdit_py_plugins.dollarmath import dollarmath_plugin

from quizzes.grader.definitions.definition import CASES, WRONG, YAML, ExerciseDefinition
from quizzes.grader.definitions.verification_report import VerifiedClause
from quizzes.grader.definitions.worked_examples import STATEMENT
from quizzes.grader.protocol.case import Case

REQUIREMENTS = "requirements"  # the heading of the list, where there are several
LONGEST = 160  # characters of a clause that are quoted
_LETTER = re.compile(r"(?<!\S)\(([a-z])\)(?!\S)")
_BROKEN = re.compile(r"\A(\d+[a-z]?)(?:\.?\Z|\.\s)")
_SENTENCE = re.compile(r"[.!?](?=\s|\Z)")
_BRACKETED = re.compile(r"\\\(.*?\\\)|\\\[.*?\\\]")  # formulas, as pages read them
# What was escaped stays as it was typed: brackets with a backslash are no letters.
_MARKDOWN = MarkdownIt().use(dollarmath_plugin).disable("text_join")


@dataclass(frozen=True)
class Clause:
    """One thing that a statement asks for: `6b`, and its words."""

    name: str
    text: str


@dataclass(frozen=True)
class Requirements:
    """What a statement asks for, what is wrong with its letters, and what may lack some."""

    clauses: tuple[Clause, ...]
    problems: tuple[str, ...]
    warnings: tuple[str, ...]


def read_requirements(statement: str) -> Requirements:
    """Return the clauses of the numbered list under `## Requirements`, or of every such list."""
    clauses: list[Clause] = []
    problems: list[str] = []
    warnings: list[str] = []
    for number, text, plain in _numbered(_MARKDOWN.parse(statement)):
        places = letters_in(plain)
        letters = [place[1] for place in places]
        if not places:
            clauses.append(Clause(f"{number}", text.strip()))
            sentences = len(_SENTENCE.findall(plain))
            if sentences > 1:
                words = f"Requirement {number} has {sentences} sentences but no letters"
                warnings.append(
                    f"{words}: mark each thing that it asks for with (a), (b) and so on."
                )
            continue
        if len(letters) < 2 or letters != list(string.ascii_lowercase[: len(letters)]):
            marked = ", ".join(f"({letter})" for letter in letters)
            problems.append(f"requirement {number}: {marked}: expected (a), (b), ... in this order")
        ends = [*(place.start() for place in places[1:]), len(text)]
        for place, end in zip(places, ends, strict=True):
            clauses.append(Clause(f"{number}{place[1]}", text[place.end() : end].strip()))
    if not clauses:
        problems.append(
            "has no numbered requirements; expected a list 1., 2., ... of what the code must do"
        )
    return Requirements(tuple(clauses), tuple(problems), tuple(warnings))


def letters_in(plain: str) -> list[re.Match[str]]:
    """Return the places of (a), (b) and so on in a requirement, none where it has no (a) first.

    `plain`: its text with code and formulas blotted out.
    """
    places = list(_LETTER.finditer(plain))
    return places if places and places[0][1] == "a" else []


def broken_clause(breaks: str) -> str:
    """Return the one clause that a `Breaks:` line names, "" where it names none or several."""
    match = _BROKEN.match(breaks)
    return match[1] if match else ""


def verify_clauses(
    definition: ExerciseDefinition,
    cases: Sequence[Case],
    failed: Mapping[str, Sequence[str]],
) -> tuple[tuple[VerifiedClause, ...], tuple[str, ...]]:
    """Return each clause with the variants that break only it, and the problems (`file: what`).

    `failed`: by variant, the labels of the cases that it fails.
    """
    requirements = read_requirements(definition.statement)
    names = [clause.name for clause in requirements.clauses]
    tied = {case.label: case.clauses for case in cases}
    verified = tuple(_verify(clause, definition, tied, failed) for clause in requirements.clauses)
    problems = [
        *(f"{STATEMENT}: {words}" for words in requirements.problems),
        *_naming_problems(definition, tied, names),
        *(f"{STATEMENT}: {clause.sentence} {_cure(clause)}" for clause in verified if clause.open),
        *_waiver_problems(definition, verified),
    ]
    return verified, tuple(problems)


def _verify(
    clause: Clause,
    definition: ExerciseDefinition,
    tied: Mapping[str, Sequence[str]],
    failed: Mapping[str, Sequence[str]],
) -> VerifiedClause:
    alone, beside = [], []
    for slug, variant in definition.wrong.items():
        if broken_clause(variant.breaks) != clause.name or not failed.get(slug):
            continue
        others = [label for label in failed[slug] if tied[label] and clause.name not in tied[label]]
        if others:
            of = " and ".join(tied[others[0]])
            beside.append(f"{slug} also fails “{others[0]}”, which tests {of}")
        else:
            alone.append(slug)
    return VerifiedClause(
        name=clause.name,
        text=shorten(clause.text, LONGEST, placeholder=" ..."),
        broken_by=tuple(alone),
        beside=tuple(beside),
        waiver=definition.no_mistake.get(clause.name, ""),
    )


def _cure(clause: VerifiedClause) -> str:
    beside = f"{'; '.join(clause.beside)}. " if clause.beside else ""
    wanted = f"Expected a variant with `Breaks: {clause.name}.`"
    return f"{beside}{wanted}, or a reason under no_mistake in {YAML}."


def _naming_problems(
    definition: ExerciseDefinition, tied: Mapping[str, Sequence[str]], names: Sequence[str]
) -> Iterator[str]:
    """Yield each variant and each case that names what is no clause."""
    known = ", ".join(names) or "none"
    for slug, variant in definition.wrong.items():
        if broken_clause(variant.breaks) not in names:
            words = f"Breaks: {shorten(variant.breaks, LONGEST, placeholder=' ...')!r}"
            yield f"{WRONG}/{slug}.py: {words}: expected one clause of the statement: {known}"
    for label, clauses in tied.items():
        for name in clauses:
            if name not in names:
                words = f"{label!r} has clause={name!r}: is not a clause of the statement"
                yield f"{CASES}: {words}, expected {known}"


def _waiver_problems(
    definition: ExerciseDefinition, verified: Sequence[VerifiedClause]
) -> Iterator[str]:
    """Yield each reason for a clause that a variant breaks alone, or that is none."""
    clauses = {clause.name: clause for clause in verified}
    for name in definition.no_mistake:
        if name not in clauses:
            known = ", ".join(clauses) or "none"
            yield f"{YAML}: no_mistake: {name}: is not a clause of the statement, expected {known}"
        elif clauses[name].broken_by:
            by = clauses[name].broken_by[0]
            yield f"{YAML}: no_mistake: {name}: {by} breaks it alone; remove the reason"


def _numbered(tokens: Sequence[Token]) -> Iterator[tuple[int, str, str]]:
    """Yield number and text of each requirement, and the text with code and formulas blotted out.

    Both texts have the same length.
    """
    for number, item in requirement_items(tokens):
        texts = [_texts(token) for token in item if token.type == "inline"]
        if texts:
            yield number, *_joined(texts)


def requirement_items(tokens: Sequence[Token]) -> Iterator[tuple[int, list[Token]]]:
    """Yield number and tokens of each requirement, from the opening of its item to the closing.

    Numbers are those that a page shows, whatever is written.
    """
    lists = list(_ordered_lists(tokens))
    headed = [tokens for heading, tokens in lists if heading == REQUIREMENTS]
    for items in headed or [tokens for _, tokens in lists]:
        number, item = int(items[0].attrGet("start") or 1) - 1, list[Token]()
        for token in items[1:-1]:
            item.append(token)
            if token.type == "list_item_close" and token.level == items[0].level + 1:
                number += 1
                yield number, item
                item = []


def _ordered_lists(tokens: Sequence[Token]) -> Iterator[tuple[str, list[Token]]]:
    """Yield the tokens of each numbered list that stands in no other, and the heading above it."""
    heading, inside = "", list[Token]()
    for place, token in enumerate(tokens):
        if token.type == "heading_open":
            heading = tokens[place + 1].content.strip().lower()
        if inside or (token.type == "ordered_list_open" and token.level == 0):
            inside.append(token)
        if token.type == "ordered_list_close" and token.level == 0:
            yield heading, inside
            inside = []


def _joined(texts: Sequence[tuple[str, str]]) -> tuple[str, str]:
    return " ".join(text for text, _ in texts), " ".join(plain for _, plain in texts)


def _texts(inline: Token) -> tuple[str, str]:
    text = plain = ""
    for child in inline.children or ():
        if child.type in ("softbreak", "hardbreak"):
            text, plain = f"{text} ", f"{plain} "
        elif child.type == "text":
            text, plain = text + child.content, plain + child.content
        else:
            mark = child.markup or ""
            is_marked = child.content and child.type != "text_special"
            piece = f"{mark}{child.content}{mark}" if is_marked else mark
            text, plain = text + piece, plain + "x" * len(piece)
    for formula in _BRACKETED.finditer(text):
        begin, end = formula.span()
        plain = plain[:begin] + "x" * (end - begin) + plain[end:]
    return text, plain
