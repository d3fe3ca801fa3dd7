"""The sandbox from outside: supervisor, fork servers, bubblewrap, and checks of the machine."""

from quizzes.grader.sandbox.factory import (
    LateSandbox,
    author_sandbox_later,
    open_for_serving,
    open_sandbox,
)
from quizzes.grader.sandbox.host_check import check_host
from quizzes.grader.sandbox.host_files import is_installed
from quizzes.grader.sandbox.run_clock import HARD_END_SECONDS

__all__ = [
    "HARD_END_SECONDS",
    "LateSandbox",
    "author_sandbox_later",
    "check_host",
    "is_installed",
    "open_for_serving",
    "open_sandbox",
]
