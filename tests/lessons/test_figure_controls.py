"""Which controls of a figure stand under its x axis."""

from quizzes.lessons.figures.controls import Control, along_axis


def control(name: str, kind: str = "range") -> Control:
    return Control(name, name, name, kind, "1", "1")


def test_controls_of_an_axis_come_first() -> None:
    base, width = control("base"), control("d_model")
    assert along_axis([base, width], ["d_model", "dimension"]) == ([width], [base])
    assert along_axis([base, width], ["positions"]) == ([], [base, width])
    menu = control("d_model", "choice")
    assert along_axis([menu], ["d_model"]) == ([], [menu])
