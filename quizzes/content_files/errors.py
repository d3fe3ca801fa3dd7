"""What is raised for a file that is not read; its readers add the file's name."""

from __future__ import annotations


class RefusedFileError(Exception):
    """A file that must not be read on: the line, and why."""

    def __init__(self, line: int, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.line = line
        self.message = message
