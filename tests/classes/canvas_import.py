"""The import rules of Canvas's gradebook, written apart from the export (as its importer has them).

A line is of the student with the id in `ID`; a column is an assignment by the number in brackets at
its end; the line "Points Possible" among the first ones sets points; an empty cell and "-" change
nothing; "EX" excuses; all else must be a number. Other lines and columns are refused here, so that
nothing is taken in by accident.
"""

import csv
import io
import re


def take_in(data, *, students, assignments):
    """Return the scores that Canvas would set, by student and assignment."""
    text = data.decode("utf-8").lstrip("\ufeff")
    lines = list(csv.reader(io.StringIO(text, newline="")))
    header = lines[0]
    assert header[:5] == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section"]
    columns = []
    for name in header[5:]:
        number = re.search(r"\((\d+)\)$", name)
        assert number, f"Canvas would make a new assignment {name!r}"
        assert number[1] in assignments, name
        columns.append(number[1])
    assert len(set(columns)) == len(columns)
    assert re.match(r"^\s*Points Possible$", lines[1][0])
    points = dict(zip(columns, lines[1][5:], strict=True))
    assert {one: float(value) for one, value in points.items()} == assignments
    taken = {}
    for line in lines[2:]:
        assert line[1] in students, f"Canvas knows no student {line}"
        for column, value in zip(columns, line[5:], strict=True):
            if value in ("", "-"):
                continue
            assert value == "EX" or float(value) >= 0
            taken[line[1], column] = value
    return taken
