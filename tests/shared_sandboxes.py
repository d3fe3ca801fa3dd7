"""The authors' and the students' sandbox of a process of tests, and packs of shipped exercises.

Each fork server with torch takes 3 s of the processor to start, and a pack with its known mistakes
up to 2 s to build. So whoever neither harms a sandbox nor looks at how it starts takes these.
"""

import atexit
from contextlib import ExitStack
from functools import cache

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job
from quizzes.grader.sandbox.factory import RoutedSandbox, open_sandbox
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.shipped_exercises.folders import definition_of

_OPENED = ExitStack()
atexit.register(_OPENED.close)


@cache
def shared_sandbox(profile: str) -> RoutedSandbox:
    """Return the one named `author` or `student`, which is closed when the process ends."""
    sandbox = _OPENED.enter_context(open_sandbox(profile))
    assert isinstance(sandbox, RoutedSandbox), profile
    return sandbox


@cache
def shared_torch() -> Supervisor:
    """Return the part of the students' sandbox that has torch, with its fork server started."""
    student = shared_sandbox("student")
    student.run(Job("def f(): return 1.0", "f", (Case("any", {}),), library="torch"))
    assert student.torch is not None
    return student.torch


@cache
def shared_pack(slug: str, seed: int = 3) -> CasePack:
    """Return a pack of a shipped exercise; its fixed cases are run once for all seeds, as a site
    does.
    """
    known = shared_pack(slug).fingerprints if seed != 3 else None
    author = shared_sandbox("author")
    return build_case_pack(definition_of(slug), author, seed=seed, fingerprints=known)
