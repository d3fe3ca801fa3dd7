"""Blocks: one preparation a kind, faults with lines, nothing nested."""

from collections.abc import Iterator, Sequence
from typing import Any

import pytest
from django.test import RequestFactory
from django.utils.html import format_html
from django.utils.safestring import SafeString

from quizzes.content_files.problems import ContentProblem
from quizzes.pages import blocks
from quizzes.pages.blocks import Block, PageContext, page_problems, parse_page, render_page


class Note:
    """A block kind that counts how often it is asked."""

    name = "note"

    def __init__(self) -> None:
        self.prepared: list[list[str]] = []

    def check(self, block: Block) -> Iterator[ContentProblem]:
        if "slug" not in block.options:
            yield block.problem("slug: missing")

    def prepare(self, found: Sequence[Block], context: PageContext) -> dict[str, str]:
        self.prepared.append([block.key for block in found])
        return {block.key: context.lesson for block in found}

    def render(self, block: Block, prepared: Any, context: PageContext) -> SafeString:
        return format_html("<i>{} {} {}</i>", block.key, prepared[block.key], block.body)


@pytest.fixture
def note(monkeypatch: pytest.MonkeyPatch) -> Iterator[Note]:
    kind = Note()
    monkeypatch.setattr(blocks, "_KINDS", {})
    blocks.register_block(kind)
    parse_page.cache_clear()
    yield kind
    parse_page.cache_clear()


PAGE = """\
Before $x$.

```note
slug: one
```

Between.

```note
slug: two
---
body & more
---
rest
```
```python
x = 1
```
"""


def _context() -> PageContext:
    return PageContext(RequestFactory().get("/"), None, None, "values", "first")


def test_page_is_taken_apart_and_prepared_once(note: Note) -> None:
    page = parse_page(PAGE, path="s.md")
    assert page.problems == ()
    assert [(block.key, block.line) for block in page.blocks] == [("note-1", 3), ("note-2", 9)]
    html = render_page(page, _context())
    assert note.prepared == [["note-1", "note-2"]]
    assert "<i>note-2 values body &amp; more\n---\nrest\n</i>" in html
    assert html.index("Before") < html.index("note-1") < html.index("Between")
    assert "language-python" in html
    assert page.words == 3


def test_faults_name_file_and_line(note: Note) -> None:
    text = (
        "a\n\n```note\nslug: [\n```\n\n- ```note\n  slug: x\n  ```\n\n"
        "```nonsense\n```\n\n```note\n- 1\n```\n\n```note\nother: 1\n```\n\n$\\foo$\n"
    )
    page = parse_page(text, path="s.md", first_line=100)
    found = [(problem.line, problem.message.split()[0]) for problem in sorted(page_problems(page))]
    assert found == [
        (104, "not"),
        (106, "a"),
        (110, "'nonsense'"),
        (114, "a"),
        (117, "slug:"),
        (121, "formula"),
    ]
    assert "note-3" in render_page(page, _context())


def test_a_kind_is_registered_once(note: Note) -> None:
    class Other(Note):
        pass

    blocks.register_block(Note())
    with pytest.raises(ValueError, match="registered already by Note"):
        blocks.register_block(Other())


def test_headings_fit_under_the_title_of_the_page(note: Note) -> None:
    page = parse_page("## a\n\n### b\n\n## c\n", path="s.md")
    assert page.problems == ()
    assert "<h2>a</h2>" in render_page(page, _context())
    lines = [problem.line for problem in parse_page("# a\n\n#### b\n", path="s.md").problems]
    assert lines == [1, 3]


def test_every_column_of_a_table_has_a_heading(note: Note) -> None:
    assert parse_page("| a | b |\n|--|--|\n| | 1 |\n", path="s.md").problems == ()
    (problem,) = parse_page("Words.\n\n| | b |\n|--|--|\n| x | 1 |\n", path="s.md").problems
    assert (problem.line, problem.message) == (3, "a column of this table has no heading")
