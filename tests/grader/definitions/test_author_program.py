"""Programs of authors: text comes back, and a fault is an AuthorError with the author's line."""

import pytest

from quizzes.grader.definitions import run_author_program
from quizzes.grader.definitions.author_program import MAX_BYTES
from quizzes.grader.errors import AuthorError, SandboxBroken
from quizzes.grader.protocol.job import Sandbox

pytestmark = pytest.mark.sandbox

CALLS = [{"n": 2, "word": "café\n"}, {"n": 3, "word": ""}]


def run(source: str, author: Sandbox) -> list[str]:
    return run_author_program(source, CALLS, author, path="program.py", line=7, wall_seconds=4.0)


def test_each_call_gives_its_text(author: Sandbox) -> None:
    source = "def main(n, word):\n    return n * (word or 'naïve ')\n"
    assert run(source, author) == ["café\ncafé\n", "naïve naïve naïve "]


@pytest.mark.parametrize(
    ("source", "line", "words"),
    [
        ("import quizzes\n", 1, "quizzes"),
        ("def main(n, word)\n    pass\n", 1, "expected ':'"),
        ("def main(n, word):\n    return 1 / (n - 3)\n", 7, "n 2, word café: TypeError: main()"),
        ("def main(n, word):\n    return str(1 / (n - 3))\n", 2, "n 3, word: ZeroDivisionError"),
        ("def main(n, word):\n    return '\\ud800'\n", 7, "UnicodeEncodeError"),
        (f"def main(n, word):\n    return 'x' * {MAX_BYTES + 1}\n", 7, "bytes of text, at most"),
        (
            "def main(n, word):\n    while True:\n        __import__('time').sleep(0.05)\n",
            None,
            "the limit is 4 s. It was",
        ),
        ("def main(n, word):\n    exit()\n", 2, "SystemExit"),
        ("x = 1\n", 7, "NameError"),
    ],
)
def test_a_fault_is_told_with_its_line(
    source: str, line: int | None, words: str, author: Sandbox
) -> None:
    with pytest.raises(AuthorError) as refused:
        run(source, author)
    assert refused.value.path == "program.py"
    assert line is None or refused.value.line == line
    assert words in refused.value.message


def test_a_broken_sandbox_is_no_fault_of_the_author() -> None:
    class Broken:
        def run(self, job: object) -> object:
            raise SandboxBroken("the fork server died")

    with pytest.raises(SandboxBroken):
        run("def main(n, word):\n    return ''\n", Broken())  # type: ignore[arg-type]
