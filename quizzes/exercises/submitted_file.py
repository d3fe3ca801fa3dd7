"""A file with a learner's code, as `manage.py grade` takes it: read whole, or refused kindly.

What cannot be opened is the caller's mistake (OSError). What is in it is its author's: text that
is not UTF-8 or too long gets a verdict of its own, so that one such file stops no class.
"""

import stat
from dataclasses import dataclass
from pathlib import Path

from quizzes.exercises.models.submission import MAX_CHARACTERS
from quizzes.grader.report import Fault, Report, Rung, Verdict

READ_BYTES = 1 << 20


@dataclass(frozen=True)
class SubmittedFile:
    """`path` as it was given; `code`, or the report that says why there is none."""

    path: str
    code: str
    refusal: Report | None = None


def read_submitted_file(path: str) -> SubmittedFile:
    """Return the code in a file; raises OSError for what is no readable regular file."""
    if not stat.S_ISREG(Path(path).stat().st_mode):
        raise OSError("is not a regular file")
    with open(path, "rb") as file:
        data = file.read(READ_BYTES + 1)
    try:
        code = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        if len(data) <= READ_BYTES:
            line = data[: error.start].count(b"\n") + 1
            message = f"line {line} is not UTF-8 text: byte 0x{data[error.start]:02x}"
            return SubmittedFile(path, "", _refusal(Verdict.COULD_NOT_RUN, Rung.IMPORTS, message))
        code = ""
    code = code.replace("\r\n", "\n").replace("\r", "\n")
    if len(code) > MAX_CHARACTERS or len(data) > READ_BYTES:
        message = f"the file has more than {MAX_CHARACTERS} characters"
        return SubmittedFile(path, "", _refusal(Verdict.LIMIT_REACHED, Rung.LIMIT, message))
    return SubmittedFile(path, code)


def _refusal(verdict: Verdict, rung: Rung, message: str) -> Report:
    limit = "size" if rung is Rung.LIMIT else None
    return Report(verdict, first_fault=Fault(rung, None, message), limit=limit)
