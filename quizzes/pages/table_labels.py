"""The name of each cell's column, written on the cell: a phone shows a table's rows as cards.

A row of six columns is wider than a phone, and the column that a reader came for would be off the
screen. A style sheet can set the cells below each other, but cannot take words from the header.
"""

import re
from html import unescape

from django.utils.html import escape, strip_tags

_TABLE = re.compile(r"<table\b.*?</table>", re.DOTALL)
_HEAD = re.compile(r"<thead\b.*?</thead>", re.DOTALL)
_HEADING = re.compile(r"<th\b[^>]*>(.*?)</th>", re.DOTALL)
_UNSEEN = re.compile(r'<svg\b.*?</svg>|<span class="visually-hidden">.*?</span>', re.DOTALL)
_START = re.compile(r"<(tr|t[dh])\b([^>]*)>(?:\s*(?:<bdi></bdi>)?\s*(?=</t[dh]>))?")
_SPAN = re.compile(r'\bcolspan="(\d+)"')


def label_cells(page: str) -> str:
    """Return the page with `data-label` on each cell that has a heading in words above it.

    A table of the class `table--fits` stays a table and as it is. The cell of a whole row
    (`colspan`) gets no label, and a cell with only spaces loses them: `:empty` selects it.
    """
    return _TABLE.sub(lambda match: _label_table(match[0]), page)


def _label_table(table: str) -> str:
    head = _HEAD.search(table)
    if head is None or "table--fits" in table[: head.start()]:
        return table
    headings = [_words(heading) for heading in _HEADING.findall(head[0])]
    column = 0

    def label(match: re.Match[str]) -> str:
        nonlocal column
        tag, attributes = match[1], match[2]
        if tag == "tr":
            column = 0
            return match[0]
        span = _SPAN.search(attributes)
        words = "" if span or column >= len(headings) else headings[column]
        column += int(span[1]) if span else 1
        name = f' data-label="{escape(words)}"' if words else ""
        return f"<{tag}{attributes}{name}>"

    return table[: head.end()] + _START.sub(label, table[head.end() :])


def _words(heading: str) -> str:
    return " ".join(unescape(strip_tags(_UNSEEN.sub("", heading))).split())
