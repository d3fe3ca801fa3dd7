"""The authors' and the students' sandbox of a process of tests, and packs of shipped exercises.

Each fork server with torch takes 3 s of the processor to start, and a pack with its known mistakes
up to 2 s to build. So whoever neither harms a sandbox nor looks at how it starts takes these.
"""

import atexit
import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from functools import cache

from quizzes.grader.definitions.case_pack_builder import build_case_pack
from quizzes.grader.judge.case_pack import CasePack
from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job
from quizzes.grader.sandbox.factory import RoutedSandbox, open_sandbox
from quizzes.grader.sandbox.supervisor import Supervisor
from tests.shipped_exercises.folders import definition_of

SECRET = "ordinal-canary-0451"  # which no attack may read

_OPENED = ExitStack()
atexit.register(_OPENED.close)
os.environ["ORDINAL_CANARY"] = SECRET  # whenever one of them starts, torch's with its first job


@cache
def shared_sandbox(profile: str) -> RoutedSandbox:
    """Return the one named `author` or `student`, which is closed when the process ends."""
    sandbox = _OPENED.enter_context(open_sandbox(profile))
    assert isinstance(sandbox, RoutedSandbox), profile
    return sandbox


@cache
def shared_torch(profile: str = "student") -> Supervisor:
    """Return the part of a sandbox that has torch, with its fork server started."""
    sandbox = shared_sandbox(profile)
    sandbox.run(Job("def f(): return 1.0", "f", (Case("any", {}),), library="torch"))
    assert sandbox.torch is not None
    return sandbox.torch


@contextmanager
def open_shared(profile: str) -> Iterator[RoutedSandbox]:
    """Stand in for `open_sandbox` where what is tested opens one itself; it stays open."""
    yield shared_sandbox(profile)


@cache
def shared_pack(slug: str, seed: int = 3) -> CasePack:
    """Return a pack of a shipped exercise; its fixed cases are run once for all seeds, as a site
    does.
    """
    known = shared_pack(slug).fingerprints if seed != 3 else None
    author = shared_sandbox("author")
    return build_case_pack(definition_of(slug), author, seed=seed, fingerprints=known)
