"""Which controls of a figure stand under its x axis."""

from quizzes.lessons.figures.controls import Control, along_axis


def control(name: str, kind: str = "range") -> Control:
    return Control(name, name, name, kind, "1", "1")


def test_controls_of_an_axis_come_first() -> None:
    base, width = control("base"), control("d_model")
    assert along_axis([base, width], "dimension") == ([width], [base])
    assert along_axis([base, width], "position") == ([], [base, width])
    menu = control("d_model", "choice")
    assert along_axis([menu], "dimension") == ([], [menu])
