"""`:::screen Title`, a line of its own, begins a screen of a step: one idea and one action.

A title is optional; it becomes a heading like `## Title`.
"""

import re
from collections.abc import Iterator, Sequence

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.token import Token

from quizzes.content_files.problems import ContentProblem

SCREEN = "screen"
_LINE = re.compile(r":::\s*(?P<word>\S*)\s*(?P<title>.*)")


def use_screens(markdown: MarkdownIt) -> None:
    """Teach a parser the line that begins a screen; it also ends a paragraph."""
    ends = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.block.ruler.before("fence", SCREEN, _read_line, ends)  # type: ignore[arg-type]
    markdown.add_render_rule(SCREEN, lambda *_: "")


def begins_screen(token: Token) -> bool:
    """Return whether a token divides a page."""
    return token.type == SCREEN and token.level == 0 and not token.content


def screen_problems(
    tokens: Sequence[Token], *, path: str, first_line: int
) -> Iterator[ContentProblem]:
    """Yield a fault for each `:::` line that divides nothing."""
    for token in tokens:
        if token.type == SCREEN and not begins_screen(token):
            line = first_line + (token.map[0] if token.map else 0)
            words = token.content or "a screen must not begin inside a list or quotation"
            yield ContentProblem(path, line, words)
        for part in token.children or ():
            if part.type == "text" and f":::{SCREEN}" in part.content:
                line = first_line + (token.map[0] if token.map else 0)
                yield ContentProblem(path, line, ":::screen must begin a line of its own")


def _read_line(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    del end
    if state.is_code_block(start):
        return False
    text = state.src[state.bMarks[start] + state.tShift[start] : state.eMarks[start]]
    found = _LINE.match(text)
    if not found:
        return False
    if silent:
        return True
    state.line = start + 1
    place = [start, state.line]
    token = state.push(SCREEN, "", 0)
    token.map = place
    if found["word"] != SCREEN:
        token.content = f":::{found['word']}: expected :::screen, with or without a title"
    title = found["title"].strip()
    if title and not token.content:
        opened = state.push("heading_open", "h2", 1)
        opened.markup, opened.map = "##", place
        inline = state.push("inline", "", 0)
        inline.content, inline.map, inline.children = title, place, []
        state.push("heading_close", "h2", -1).markup = "##"
    return True
