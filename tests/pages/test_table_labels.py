"""Cells name their columns, so that a phone can show the rows of a table as cards."""

import pytest

from quizzes.pages.table_labels import label_cells

HEAD = """<table class="table"><thead><tr><th scope="col">Name</th>
<th scope="col"> In <b>two</b>
 lines <svg><text>16 Nov</text></svg></th>
<th scope="col"><span class="visually-hidden">Remove</span></th></tr></thead><tbody>"""


def row_of(cells: str, head: str = HEAD) -> str:
    """Return the cells of a row as they are written in a table with three columns."""
    table = f"{head}<tr>{cells}</tr></tbody></table>"
    return label_cells(table).removeprefix(f"{head}<tr>").removesuffix("</tr></tbody></table>")


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (
            '<th scope="row">Ada</th><td class="a">1</td><td>x</td>',
            '<th scope="row" data-label="Name">Ada</th>'
            '<td class="a" data-label="In two lines">1</td><td>x</td>',
        ),
        ("<td> \n </td><td><bdi></bdi></td>", '<td data-label="Name"></td>'
         '<td data-label="In two lines"></td>'),
        ('<td colspan="3">Nobody</td>', '<td colspan="3">Nobody</td>'),
        ('<td colspan="2">a</td><td>x</td>', '<td colspan="2">a</td><td>x</td>'),
        ("<td>1</td><td>2</td><td>3</td><td>4</td>", '<td data-label="Name">1</td>'
         '<td data-label="In two lines">2</td><td>3</td><td>4</td>'),
    ],
)  # fmt: skip
def test_cell_has_the_words_of_its_column(cells: str, expected: str) -> None:
    assert row_of(cells) == expected


def test_every_row_begins_at_first_column() -> None:
    rows = "<tr><td>1</td></tr><tr><td>2</td></tr>"
    assert label_cells(f"{HEAD}{rows}</tbody></table>").count('<td data-label="Name">') == 2


def test_heading_cannot_end_its_attribute() -> None:
    head = "<table><thead><tr><th>&quot;&gt;&lt;b&gt;</th></tr></thead><tbody>"
    assert row_of("<td>1</td>", head) == '<td data-label="&quot;&gt;&lt;b&gt;">1</td>'


@pytest.mark.parametrize(
    "page",
    [
        "<p>No table</p>",
        "<table><tbody><tr><th>Mean</th><td>1</td></tr></tbody></table>",
        HEAD.replace('"table"', '"table table--fits"') + "<tr><td> </td></tr></tbody></table>",
    ],
)
def test_other_pages_and_tables_stay_the_same(page: str) -> None:
    assert label_cells(page) == page
