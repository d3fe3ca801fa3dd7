"""The statement of an exercise as HTML in which each clause can be led to, and its quotation.

What a known mistake breaks is quoted from the statement itself, by the name of the clause alone: so
a verdict says what the task says, and no second text has to be kept like it. An element of a clause
has `data-clause="3b"`, the first of them also `id="clause-3b"`. A clause may stand in several
paragraphs, or in a formula of its own.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from django.utils.safestring import SafeString
from markdown_it.token import Token

from quizzes.exercises.models import ExerciseVersion
from quizzes.grader.api import DefinitionError
from quizzes.grader.definitions import broken_clause, letters_in, requirement_items
from quizzes.pages.markdown import MAX_TEXT, parser, render_tokens, without_private

_BLOCKS = {"math_block", "fence", "code_block"}
_TAIL = re.compile(r"[\s,;]*(?:\band|\bor|\bbut)?\s*\Z")  # leads to the next clause


@dataclass(frozen=True)
class Quote:
    """A requirement as its statement has it, with one clause of it marked."""

    clause: str
    html: SafeString


@dataclass(frozen=True)
class _Clause:
    """A clause between two places of its requirement's plain text."""

    name: str
    begin: int
    end: int


def statement_of(version: ExerciseVersion) -> SafeString:
    """Return the statement of a version as HTML; the same text is rendered once."""
    return rendered_statement(version.definition.statement)


def quote_of(version: ExerciseVersion, breaks: str) -> Quote | None:
    """Return what a `Breaks:` line means; None where the statement has no such clause."""
    name = broken_clause(breaks)
    try:
        html = quoted_clause(version.definition.statement, name) if name else None
    except DefinitionError:  # an old version, which pages still show
        return None
    return Quote(name, html) if html else None


@lru_cache(maxsize=64)
def rendered_statement(text: str) -> SafeString:
    """Return a statement as HTML with an element around each part of a clause."""
    tokens = parser().parse(without_private(text[:MAX_TEXT]))
    met = set[str]()

    def attributes(name: str) -> str:
        own = "" if name in met else f' id="clause-{name}"'
        met.add(name)
        return f'{own} data-clause="{name}"'

    for number, item in list(requirement_items(tokens)):
        start = next(place for place, token in enumerate(tokens) if token is item[0])
        tokens[start : start + len(item)] = _wrap_clauses(number, item, "span", attributes)
    return render_tokens(tokens, headings_from=1)


@lru_cache(maxsize=256)
def quoted_clause(text: str, name: str) -> SafeString | None:
    """Return the requirement of a statement with this clause marked, None where it has none."""
    for number, item in requirement_items(parser().parse(without_private(text[:MAX_TEXT]))):
        names = [clause.name for clause in _clauses(number, item)]
        if name in names:
            marks = {name: ""} if len(names) > 1 else {}  # else all of it would be marked
            opened = Token("ordered_list_open", "ol", 1, attrs={"start": number}, block=True)
            closed = Token("ordered_list_close", "ol", -1, block=True)
            marked = _wrap_clauses(number, item, "mark", marks.get)
            return render_tokens([opened, *marked, closed], headings_from=1)
    return None


def _clauses(number: int, item: Sequence[Token]) -> list[_Clause]:
    """Return the clauses of a requirement; one without letters is a clause as a whole."""
    plain = " ".join(map(_plain, _inlines(item)))
    places = letters_in(plain)
    if not places:
        return [_Clause(f"{number}", 0, len(plain))]
    ends = [place.start() for place in places[1:]]
    clauses = []
    for place, end in zip(places, [*ends, len(plain)], strict=True):
        tail = _TAIL.search(plain, place.start(), end) if end < len(plain) else None
        name = f"{number}{place[1]}"
        clauses.append(_Clause(name, place.start(), tail.start() if tail else end))
    return clauses


def _wrap_clauses(
    number: int, item: Sequence[Token], tag: str, attributes: Callable[[str], str | None]
) -> Iterator[Token]:
    """Yield the tokens of a requirement with an element around each part of a clause.

    `attributes`: those of a clause's element, None for a clause that has none. A block cannot be
    in a `<mark>`: in a quotation its element is `<div data-marked>`.
    """
    clauses, place, last = _clauses(number, item), 0, ""
    for token in item:
        if token.type == "inline":
            yield token.copy(children=list(_wrap_inline(token, place, clauses, tag, attributes)))
            end = place + len(_plain(token))
            last, place = _at(clauses, end - 1), end + 1
        elif token.type in _BLOCKS and last and (inside := attributes(last)) is not None:
            yield from (_html(f"<div{inside or ' data-marked'}>"), token, _html("</div>"))
        else:
            yield token


def _wrap_inline(
    inline: Token,
    place: int,
    clauses: Sequence[_Clause],
    tag: str,
    attributes: Callable[[str], str | None],
) -> Iterator[Token]:
    """Yield the children of a paragraph that begins at `place`, each clause in its element."""
    pieces = _pieces(inline, place, clauses)
    for name, group in groupby(pieces, key=lambda piece: _at(clauses, piece[1])):
        inside = attributes(name) if name else None
        if inside is not None:
            yield _html(f"<{tag}{inside}>")
        yield from (token for token, _ in group)
        if inside is not None:
            yield _html(f"</{tag}>")


def _pieces(inline: Token, place: int, clauses: Sequence[_Clause]) -> Iterator[tuple[Token, int]]:
    """Yield the children of a paragraph with their places; texts are cut at a clause's ends."""
    bounds = sorted({bound for clause in clauses for bound in (clause.begin, clause.end)})
    for child in inline.children or ():
        end = place + len(_plain_part(child))
        begin = place
        for bound in [*(bound for bound in bounds if begin < bound < end), end]:
            if child.type == "text":
                yield child.copy(content=child.content[begin - place : bound - place]), begin
            begin = bound
        if child.type != "text":
            yield child, place
        place = end


def _at(clauses: Sequence[_Clause], place: int) -> str:
    return next((each.name for each in clauses if each.begin <= place < each.end), "")


def _inlines(item: Sequence[Token]) -> Iterator[Token]:
    return (token for token in item if token.type == "inline")


def _plain(inline: Token) -> str:
    return "".join(map(_plain_part, inline.children or ()))


def _plain_part(child: Token) -> str:
    """Return the text of a child with code and formulas blotted out, as letters are looked for."""
    if child.type == "text":
        return child.content
    return " " if child.type in ("softbreak", "hardbreak") else "x"


def _html(tag: str) -> Token:
    return Token("html_inline", "", 0, content=tag)
