r"""`\( x \)` and `\[ x \]`: formulas as LaTeX itself, and most language models, write them.

Not the `brackets` of mdit-py-plugins' texmath: its rule for blocks drops what stands behind `\]` in
its line, takes a parenthesis there for the number of the equation, looks neither for code blocks
nor for the end of a list or quotation, and copies the whole rest of the text at every bracket.
"""

import re

from markdown_it import MarkdownIt
from markdown_it.rules_block import StateBlock
from markdown_it.rules_inline import StateInline

from quizzes.pages.mathematics import MAX_FORMULA

# A backslash and what follows it are one thing, so the line break in `a \\] b` ends no formula. The
# bound keeps a text of nothing but brackets cheap; a formula below it is refused by its length.
_MOST = 2 * MAX_FORMULA
_WITHIN = re.compile(rf"\\\((?P<latex>(?:[^\\]|\\[^)]){{1,{_MOST}}}?)\\\)", re.DOTALL)
_ALONE = re.compile(rf"\\\[(?P<latex>(?:[^\\]|\\[^\]]){{1,{_MOST}}}?)\\\]", re.DOTALL)
_INLINE = {
    "\\(": (_WITHIN, "\\)", "math_inline"),
    "\\[": (_ALONE, "\\]", "math_inline_double"),
}


def use_formula_brackets(markdown: MarkdownIt) -> None:
    """Teach a parser formulas in backslash brackets, which make the tokens of dollar signs."""
    ends = {"alt": ["paragraph", "reference", "blockquote", "list"]}
    markdown.inline.ruler.before("escape", "formula_brackets", _read_inline)
    markdown.block.ruler.before("fence", "formula_brackets", _read_block, ends)  # type: ignore[arg-type]


def _read_inline(state: StateInline, silent: bool) -> bool:
    r"""Take `\( x \)`, or `\[ x \]` that shares its lines with other words."""
    opening = state.src[state.pos : state.pos + 2]
    if opening not in _INLINE:
        return False
    pattern, closing, kind = _INLINE[opening]
    if state.src.find(closing, state.pos + 2, state.posMax) < 0:
        return False
    match = pattern.match(state.src, state.pos, state.posMax)
    if not match or not match["latex"].strip():
        return False
    if not silent:
        token = state.push(kind, "math", 0)
        token.content, token.markup = match["latex"], opening
    state.pos = match.end()
    return True


def _read_block(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    r"""Take `\[` to `\]` where both stand at the ends of lines, with no empty line between them."""
    lines = [] if state.is_code_block(start) else _lines_of_block(state, start, end)
    match = _ALONE.match("\n".join(lines).rstrip())
    if not match or match.end() != len(match.string) or not match["latex"].strip():
        return False
    if not silent:
        token = state.push("math_block", "math", 0)
        token.block = True
        token.content, token.markup = match["latex"], "\\["
        token.map = [start, start + len(lines)]
    state.line = start + len(lines)
    return True


def _lines_of_block(state: StateBlock, start: int, end: int) -> list[str]:
    r"""Return the lines from one that begins with `\[` to the first with `\]`, or none."""
    begin = state.bMarks[start] + state.tShift[start]
    if not state.src.startswith("\\[", begin) or state.src.find("\\]", begin) < 0:
        return []
    lines: list[str] = []
    for line in range(start, end):
        is_outside = line > start and state.sCount[line] < state.blkIndent
        if state.isEmpty(line) or is_outside or state.eMarks[line] - begin > _MOST:
            return []
        lines.append(state.src[state.bMarks[line] + state.tShift[line] : state.eMarks[line]])
        if "\\]" in lines[-1]:
            return lines
    return []
