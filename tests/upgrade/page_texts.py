"""The words of a page as a reader meets them: text, typed values, chosen options, links."""

import re
from collections.abc import Iterator
from html.parser import HTMLParser
from typing import Any

# An element of these begins and ends a line of text; all others stand within one.
BLOCK = re.compile(
    "address|article|aside|blockquote|button|caption|dd|details|div|dl|dt|fieldset|figcaption"
    "|figure|footer|form|h[1-6]|header|hr|legend|li|main|nav|ol|option|p|pre|section|select"
    "|summary|table|tbody|td|textarea|tfoot|th|thead|tr|ul"
)
UNSEEN = {"script", "style", "template"}
SPACE = re.compile(r"\s+")


class _MainReader(HTMLParser):
    """Collects what stands in <main>."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[str] = []
        self.links: list[str] = []
        self._words: list[str] = []
        self._in_main = 0
        self._unseen = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        facts = {name: value or "" for name, value in attrs}
        if tag == "main":
            self._in_main += 1
        if not self._in_main:
            return
        if BLOCK.fullmatch(tag):
            self._end_line()
        if tag in UNSEEN:
            self._unseen += 1
        for name in ("href", "action", "hx-get", "hx-post", "src"):
            if name in facts and not facts[name].startswith(("data:", "#")):
                self.links.append(facts[name])
        self._words.extend(_stands_for(tag, facts))

    def handle_endtag(self, tag: str) -> None:
        if tag == "main":
            self._end_line()
            self._in_main -= 1
        if not self._in_main:
            return
        if tag in UNSEEN:
            self._unseen -= 1
        if BLOCK.fullmatch(tag):
            self._end_line()

    def handle_data(self, data: str) -> None:
        if self._in_main and not self._unseen:
            self._words.append(data)

    def _end_line(self) -> None:
        line = SPACE.sub(" ", "".join(self._words)).strip()
        if line:
            self.lines.append(line)
        self._words.clear()


def _stands_for(tag: str, facts: dict[str, str]) -> Iterator[str]:
    """Yield the words that an element shows without having text."""
    if tag == "img":
        yield f" [picture: {facts.get('alt', '')}] "
    elif tag == "option" and "selected" in facts:
        yield "(selected) "
    elif tag == "input" and facts.get("type") in {"radio", "checkbox"}:
        yield "(x) " if "checked" in facts else "( ) "
    elif tag == "input" and facts.get("type", "text") not in {"hidden", "password", "submit"}:
        yield f" [typed: {facts.get('value', '')}] "
    elif tag == "progress":
        yield f" [{facts.get('value')} of {facts.get('max')}] "


def words_of(html: str) -> dict[str, Any]:
    """Return the lines of text in <main>, white space folded, and the addresses of its links."""
    reader = _MainReader()
    reader.feed(html)
    reader.close()
    return {"lines": reader.lines, "links": reader.links}
