"""What every command of this site writes to a terminal: text, whoever wrote it.

A command quotes authors' files and code, students' code, and the names of files. Cleaning at each
`write` is forgotten at the next one, and `CommandError` is written by Django itself. So the streams
do it: nothing reaches them otherwise. Colours are added behind the cleaning and stay.
"""

from collections.abc import Callable
from typing import Any

from django.core.management.base import BaseCommand, OutputWrapper

from quizzes.content_files.characters import visible_lines


class PlainOutput(OutputWrapper):
    """A stream on which what cannot be seen stands as its number."""

    def __init__(self, out: OutputWrapper) -> None:
        out.ending = ""  # it would add one a second time
        super().__init__(out)  # type: ignore[arg-type]  # has all that a stream has

    def write(  # type: ignore[override]  # as Django has it
        self,
        msg: str = "",
        style_func: Callable[[str], str] | None = None,
        ending: str | None = None,
    ) -> None:
        super().write(visible_lines(msg), style_func, ending)


class PlainCommand(BaseCommand):
    """A command whose streams show what cannot be seen, whichever they are replaced by."""

    def __setattr__(self, name: str, value: Any) -> None:
        if name in ("stdout", "stderr") and not isinstance(value, PlainOutput):
            value = PlainOutput(value)
        super().__setattr__(name, value)
