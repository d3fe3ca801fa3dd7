"""Chips: words of a text that drive the figure beside them.

    Set [d_model to 512]{set d_model=512} and look at [column 48]{show column=48}.

`set` moves sliders, `show` outlines a row, a column or, with both, a cell. A step with several
figures names the one: `{set codes.d_model=512}`. Without a script a chip is its words.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from markdown_it import MarkdownIt
from markdown_it.rules_inline import StateInline
from markdown_it.token import Token

from quizzes.pages.leftover_markup import line_breaks_of

VERBS = ("set", "show")
PLACES = ("row", "column")  # what `show` outlines
EXAMPLE = "as in [d_model to 512]{set d_model=512} or [column 48]{show column=48}"

_CHIP = re.compile(r"\[(?P<words>[^\[\]]+)\]\{(?P<order>[^{}]*)\}")
_VALUE = re.compile(r"(?:(?P<figure>[a-z0-9-]+)\.)?(?P<name>[A-Za-z_]\w*)=(?P<value>\S+)")


@dataclass(frozen=True)
class Chip:
    """One chip. `figure` is "" where its author names none; `fault` is a fault of its form."""

    verb: str
    figure: str
    values: tuple[tuple[str, str], ...]
    line: int
    fault: str = ""


def use_chips(markdown: MarkdownIt) -> None:
    """Teach a parser chips, before it takes their brackets for a link."""
    markdown.inline.ruler.before("link", "chip", _read_chip)
    markdown.add_render_rule("chip_open", _opened)
    markdown.add_render_rule("chip_close", lambda *_: "</span>")


def chips_in(tokens: Sequence[Token], first_line: int) -> Iterator[tuple[Token, Chip]]:
    """Yield each chip of a text with its token, whose `meta` says for the page what it drives."""
    line = first_line
    for token in tokens:
        line = first_line + token.map[0] if token.map else line
        for part in token.children or ():
            if part.type == "chip_open":
                yield part, _parse(part.content, line)
            line += line_breaks_of(part)


def aim(token: Token, chip: Chip, figure: str) -> None:
    """Make the chip of a token drive the figure of a page with this id."""
    token.meta = {**token.meta, "chip": chip, "figure": figure}


def _read_chip(state: StateInline, silent: bool) -> bool:
    found = _CHIP.match(state.src, state.pos)
    if not found:
        return False
    if not silent:
        end = state.posMax
        state.push("chip_open", "span", 1).content = found["order"]
        state.pos, state.posMax = found.start("words"), found.end("words")
        state.md.inline.tokenize(state)
        state.push("chip_close", "span", -1)
        state.posMax = end
    state.pos = found.end()
    return True


def _parse(order: str, line: int) -> Chip:
    verb, *rest = order.split() or [""]
    if verb not in VERBS:
        return Chip(verb, "", (), line, f"{{{order}}}: must begin with set or show, {EXAMPLE}")
    found = [_VALUE.fullmatch(word) for word in rest]
    if not rest or None in found:
        return Chip(verb, "", (), line, f"{{{order}}}: must have name=value, {EXAMPLE}")
    whole = [match for match in found if match]
    values = tuple((match["name"], match["value"]) for match in whole)
    figures = {match["figure"] or "" for match in whole}
    if len(figures) > 1:
        return Chip(verb, "", values, line, f"{{{order}}}: must refer to only one figure")
    if len(dict(values)) < len(values):
        return Chip(verb, "", values, line, f"{{{order}}}: names the same thing twice")
    return Chip(verb, figures.pop(), values, line)


def _opened(_self: Any, tokens: Sequence[Token], index: int, _options: Any, _env: Any) -> str:
    meta = tokens[index].meta
    if "figure" not in meta:
        return "<span>"  # outside a step, or at fault: plain words
    chip: Chip = meta["chip"]
    values = " ".join(f"{name}={value}" for name, value in chip.values)
    return (
        f'<span class="chip" data-chip="{chip.verb}" data-drives="{escape(meta["figure"])}"'
        f' data-values="{escape(values)}">'
    )
