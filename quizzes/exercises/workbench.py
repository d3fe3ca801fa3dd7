"""The two sandboxes in which exercises are verified and their packs prepared."""

from contextlib import ExitStack
from typing import Self

from quizzes.grader.job import Sandbox
from quizzes.grader.sandbox import open_sandbox


class Workbench:
    """Opens a sandbox when it is first asked for, and keeps it until `close`.

    Starting torch in both takes longer than verifying a torch exercise: what comes next finds them
    ready. A sandbox that cannot be opened raises SandboxUnavailable where it is asked for.
    """

    def __init__(self) -> None:
        self._opened: dict[str, Sandbox] = {}
        self._stack = ExitStack()

    @property
    def author(self) -> Sandbox:
        """Where the author's own code runs."""
        return self._open("author")

    @property
    def student(self) -> Sandbox:
        """Where submissions run: the reference must be right there as well."""
        return self._open("student")

    def close(self) -> None:
        """Ends both; asked again, they are opened anew."""
        self._opened.clear()
        self._stack.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_raised: object) -> None:
        self.close()

    def _open(self, profile: str) -> Sandbox:
        if profile not in self._opened:
            self._opened[profile] = self._stack.enter_context(open_sandbox(profile))
        return self._opened[profile]
