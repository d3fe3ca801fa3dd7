"""The glossary of a course: the tables of its step `notation`, and cards at the uses of its terms.

A table whose first column is headed `letter` or `word` lists terms; its columns `where`, `meaning`
and `in code` make the card. A term with rows in several places has one card: on a page of a lesson
that one of its rows leads to, with that row alone.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import pairwise

from django.template.loader import render_to_string
from django.utils.html import format_html, strip_tags
from django.utils.safestring import SafeString
from markdown_it.token import Token

from quizzes.courses.content import cached_content
from quizzes.courses.models import Course
from quizzes.lessons.models import Lesson, Step
from quizzes.pages.course_links import lessons_linked_in, with_course_links
from quizzes.pages.markdown import parser, render_inline, without_private
from quizzes.pages.mathematics import FormulaError, mathml

KEPT = 512  # stretches of prose in each process; a course has some 400, of 1 to 20 KB
STEP = "notation"  # the slug of the step with the tables, in any lesson of a course
HEADINGS = ("letter", "word")
IN_MARGIN, MOST_WORDS = 4, 30  # terms in the margin of a screen, and words of each
_TAG = re.compile(r"(<math\b.*?</math>|<code[^>]*>[^<]*</code>|<[^>]+>)", re.DOTALL)
_RAISED = re.compile(r"<(msub|msup)>(<m(\w+)>[^<]*</m\3>)(.*?)</\1>", re.DOTALL)
_SIGNS = {"msub": "_", "msup": "^"}
_LINK = re.compile(r"</?a\b[^>]*>")
_OPENING = re.compile(r"<(/?)([a-z0-9]+)")
# In these a term stays plain: they are links, headings, or code and formulas as a whole. So do the
# words of a chip, a span that a script makes a button.
_CHIP = "data-chip="
_CLOSED = frozenset({"a", "h2", "h3", "h4", "pre", "button", "label", "th", "summary"})


@dataclass(frozen=True)
class Meaning:
    """One row of a table: where the term has this meaning (may be empty), and its name in code."""

    where: SafeString
    text: SafeString
    code: SafeString
    lessons: frozenset[str]  # slugs of the lessons that `where` leads to


@dataclass(frozen=True, eq=False)
class Term:
    """One letter or word with its meanings. `sources` are the ways to write it in a text."""

    id: str
    name: str  # as text: "omega_i", "causal mask"
    shown: SafeString
    sources: tuple[str, ...]  # HTML of a formula or of code, or a plain word
    meanings: tuple[Meaning, ...]

    def on_a_page_of(self, lesson: str) -> tuple[Meaning, ...]:
        """Return the meanings that hold in a lesson: those of its rows, else all."""
        own = tuple(one for one in self.meanings if lesson in one.lessons)
        return own or self.meanings

    @property
    def words(self) -> str:
        """Return its meanings as plain text, for the search."""
        told = (
            ": ".join(filter(None, map(_text_of, (one.where, one.text)))) for one in self.meanings
        )
        return "; ".join(told)


def _text_of(html: str) -> str:
    """Return HTML as text, an index in a formula as e_t and an exponent as e^s."""
    return strip_tags(_RAISED.sub(lambda match: f"{match[2]}{_SIGNS[match[1]]}{match[4]}", html))


@dataclass(frozen=True, eq=False)
class Glossary:
    """All terms of a course, in the order of their page. `path` names that page."""

    terms: tuple[Term, ...]
    path: str  # "<lesson>/<step>"

    @cached_property
    def by_source(self) -> Mapping[str, Term]:
        """Return the terms by the HTML of a formula or of code; the first of equal ones counts."""
        found: dict[str, Term] = {}
        for term in self.terms:
            for source in term.sources:
                found.setdefault(source, term)
        return found

    @cached_property
    def words(self) -> re.Pattern[str]:
        """Return the pattern that finds a plain glossary word, alone or with a plural s."""
        plain = [one for one in self.by_source if not one.startswith("<")]
        longest_first = sorted(plain, key=len, reverse=True)
        joined = "|".join(map(re.escape, longest_first)) or r"(?!)"
        return re.compile(rf"(?<![\w-])({joined})(s?)(?![\w-])", re.IGNORECASE)


def glossary_of(course: Course) -> Glossary | None:
    """Return the glossary of a course, None where it has no such step. One query."""
    return _glossary(course.pk)


@cached_content
def _glossary(course: int) -> Glossary | None:
    there = Step.objects.filter(lesson__course=course, lesson__withdrawn_at=None, slug=STEP)
    row = there.select_related("lesson").order_by("lesson__number").first()
    return read_glossary(row.text, row.path) if row else None


def read_glossary(text: str, path: str) -> Glossary:
    """Return the terms in the tables of a text, with the rows of each."""
    rows: dict[str, list[Meaning]] = {}
    cells_of: dict[str, str] = {}
    sources: dict[str, list[str]] = {}
    for row in _rows(parser().parse(without_private(text))):
        meaning = _meaning(row)
        name_cell = next(cell for head, cell in row.items() if head in HEADINGS)
        for name, markdown, source in _terms(name_cell):
            rows.setdefault(name, []).append(meaning)
            cells_of.setdefault(name, markdown)
            sources.setdefault(name, [source])
            code = row.get("in code")
            if code is not None and code.children:
                sources[name] += [
                    f"<code>{one.content}</code>"
                    for one in code.children
                    if one.type == "code_inline"
                ]
    terms: list[Term] = []
    for name, meanings in rows.items():
        shown = render_inline(cells_of[name])
        once = tuple(dict.fromkeys(sources[name]))
        terms.append(Term(_id(name, terms), name, shown, once, tuple(meanings)))
    return Glossary(tuple(terms), path)


def _rows(tokens: Sequence[Token]) -> Iterator[dict[str, Token]]:
    """Yield every row of the tables of terms, its cells by the headings of their columns."""
    headings: list[str] = []
    cells: list[Token] = []
    for before, token in pairwise(tokens):
        if token.type == "table_open":
            headings = []
        elif before.type == "th_open":
            headings.append(token.content.strip().lower())
        elif before.type == "td_open":
            cells.append(token)
        elif token.type == "tr_close":
            if cells and headings[0] in HEADINGS:
                yield dict(zip(headings, cells, strict=True))
            cells = []


def _meaning(row: Mapping[str, Token]) -> Meaning:
    cells = {head: cell.content for head, cell in row.items()}
    where = cells.get("where", "")
    return Meaning(
        render_inline(where),
        render_inline(cells.get("meaning", "")),
        render_inline(cells.get("in code", "")),
        lessons_linked_in(where),
    )


def _terms(cell: Token) -> Iterator[tuple[str, str, str]]:
    """Yield each term of a first cell: its name as text, its Markdown, its HTML in a text."""
    children = cell.children or []
    formulas = [one.content for one in children if one.type == "math_inline"]
    for latex in formulas:
        try:
            yield _plain(latex), f"${latex}$", mathml(latex, display=False)
        except FormulaError:  # a fault that check_content names
            continue
    if not formulas:
        for word in cell.content.split(","):
            code = word.strip().strip("`")
            if word.strip().startswith("`"):
                yield code, f"`{code}`", f"<code>{code}</code>"
            elif code:
                yield code, code, code.lower()


def _plain(latex: str) -> str:
    """Return a formula of one letter as people type it: `\\omega_i` as "omega_i"."""
    bare = re.sub(r"\\(text|mathrm|mathsf|math[a-z]+)\b", "", latex)
    return re.sub(r"[\\{}\s]", "", bare)


def _id(name: str, taken: Sequence[Term]) -> str:
    slug = re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-") or "sign"
    # Letters differ by their case alone: k and K.
    base = f"term-{'capital-' if name[:1].isupper() and len(slug) <= 2 else ''}{slug}"
    names = {one.id for one in taken}
    number = next(n for n in range(1, len(taken) + 2) if _numbered(base, n) not in names)
    return _numbered(base, number)


def _numbered(base: str, number: int) -> str:
    return base if number == 1 else f"{base}-{number}"


class TermLinks:
    """The terms of one page: links in its prose, and their cards for its end. One query."""

    def __init__(self, course: Course, lesson: Lesson, step: Step) -> None:
        self.course, self.lesson = course, lesson
        self.glossary = glossary_of(course)
        self.used: tuple[Term, ...] = ()
        self._in_margins = 0  # how many of them a margin was made for
        self.placed: set[str] = set()  # ids of terms, on the page of the glossary
        self.is_glossary = False
        if self.glossary is not None:
            self.is_glossary = self.glossary.path == f"{lesson.slug}/{step.slug}"
            home = Lesson(course=course, slug=self.glossary.path.partition("/")[0])
            self.address = Step(lesson=home, slug=STEP).get_absolute_url()

    def link(self, html: SafeString) -> SafeString:
        """Return the next stretch of prose; a term leads to the glossary at its first use.

        On the page of the glossary every row of a term gets the name that those links lead to.
        """
        if self.glossary is None:
            return html
        if self.is_glossary:
            return _with_ids(html, self.glossary, self.placed)
        linked, self.used = _linked(html, self.glossary, self.used, self.address)
        return linked

    def margin(self) -> SafeString:
        """Return the terms that were linked since the last call, for the margin of a screen.

        Those with one meaning here, in few words: a margin is as high as its screen, and what has
        no room there is not shown.
        """
        met = self.used[self._in_margins :]
        self._in_margins = len(self.used)
        return _margin(met, self.lesson.slug)

    def cards(self) -> SafeString:
        """Return the cards of the terms that were linked."""
        if self.glossary is None or self.is_glossary:
            return SafeString()
        return _cards(self.used, self.lesson.slug, self.address, self.course.slug)


# Prose is the same for every reader: without this a fifth of a step's time goes into its terms.
@lru_cache(maxsize=KEPT)
def _linked(
    html: SafeString, glossary: Glossary, used: tuple[Term, ...], address: str
) -> tuple[SafeString, tuple[Term, ...]]:
    """Return prose with links at the first uses of terms, and all that were used by then."""
    terms = {term.id: term for term in used}
    # Safe: every piece is of rendered HTML or made by format_html.
    linked = SafeString("".join(_pieces(html, glossary, terms, address)))
    return linked, tuple(terms.values())


@lru_cache(maxsize=KEPT)
def _cards(used: tuple[Term, ...], lesson: str, address: str, course: str) -> SafeString:
    terms = [(term, term.on_a_page_of(lesson)) for term in used]
    cards = render_to_string("lessons/_terms.html", {"terms": terms, "address": address})
    return with_course_links(cards, course)


@lru_cache(maxsize=KEPT)
def _margin(met: tuple[Term, ...], lesson: str) -> SafeString:
    meant = [(term, term.on_a_page_of(lesson)) for term in met]
    # A link that has no room in the margin would still take the focus, out of sight, so there are
    # none: the term itself leads to the glossary. Safe: rendered HTML without some of its tags.
    texts = [
        (term, SafeString(_LINK.sub("", meanings[0].text)))
        for term, meanings in meant
        if len(meanings) == 1
    ]
    brief = [(term, text) for term, text in texts if len(strip_tags(text).split()) <= MOST_WORDS]
    if not brief:
        return SafeString()
    return render_to_string("lessons/_margin.html", {"terms": brief[:IN_MARGIN]})


def _pieces(html: str, glossary: Glossary, used: dict[str, Term], address: str) -> Iterator[str]:
    """Yield the HTML with a link at the first use of each term in its prose."""
    prose = 0  # how deep inside <div class="prose">
    closed: list[str] = []
    for piece in _TAG.split(html):
        if piece.startswith("<") and not piece.startswith(("<math", "<code")):
            closing, tag = _tag(piece)
            if tag == "div":
                if closing:
                    prose = max(0, prose - 1)
                elif prose or 'class="prose"' in piece:
                    prose += 1
            elif tag in _CLOSED or (tag == "span" and ("span" in closed or _CHIP in piece)):
                if not closing:
                    closed.append(tag)
                elif tag in closed:
                    closed.remove(tag)
            yield piece
        elif not prose or closed or not piece:
            yield piece
        elif piece.startswith("<"):
            term = glossary.by_source.get(_source(piece))
            fresh = term is not None and term.id not in used
            yield _link(term, piece, used, address) if term and fresh else piece
        else:
            yield glossary.words.sub(lambda match: _word(match, glossary, used, address), piece)


def _source(piece: str) -> str:
    """Return a formula or a piece of code as `by_source` has it: code without its class."""
    return f"<code>{strip_tags(piece)}</code>" if piece.startswith("<code") else piece


def _tag(piece: str) -> tuple[bool, str]:
    found = _OPENING.match(piece)
    return (bool(found[1]), found[2]) if found else (False, "")


def _word(match: re.Match[str], glossary: Glossary, used: dict[str, Term], address: str) -> str:
    term = glossary.by_source[match[1].lower()]
    return match[0] if term.id in used else _link(term, match[0], used, address)


def _link(term: Term, shown: str, used: dict[str, Term], address: str) -> str:
    used[term.id] = term
    # A link of a formula alone has no name for programs that read names from text.
    label = format_html(' aria-label="{}"', term.name) if shown.startswith("<math") else ""
    # Safe: `shown` is a piece of HTML that is rendered already.
    return format_html(
        '<a class="term" href="{}#{}" data-term="{}" aria-describedby="card-{}"{}>{}</a>',
        *(address, term.id, term.id, term.id, label),
        SafeString(shown),
    )


def _with_ids(html: SafeString, glossary: Glossary, done: set[str]) -> SafeString:
    """Return prose of the page of the glossary with an id at the first row of each term."""
    wanted = {source: term for term in glossary.terms for source in term.sources[:1]}

    def named(row: re.Match[str]) -> str:
        ids = [
            term.id
            for source, term in wanted.items()
            if term.id not in done and _in_cell(source, row[1])
        ]
        done.update(ids)
        anchors = "".join(f'<span id="{one}" class="term-place"></span>' for one in ids)
        return re.sub(r"<td[^>]*>", lambda cell: cell[0] + anchors, row[0], count=1)

    return SafeString(re.sub(r"<tr>\s*<td[^>]*>(.*?)</td>.*?</tr>", named, html, flags=re.DOTALL))


def _in_cell(source: str, cell: str) -> bool:
    if source.startswith("<math"):
        return source in cell
    source = strip_tags(source)
    return source in [word.strip().lower() for word in strip_tags(cell).split(",")]
