"""Everything that submitted and authors' code can import, counted from inside."""

import sys

import pytest

from quizzes.grader.protocol.case import Case
from quizzes.grader.protocol.job import Job, Sandbox
from quizzes.grader.protocol.read_results import read_run
from quizzes.grader.sandbox.host_files import closure, import_roots
from quizzes.grader.sandbox.profiles import NUMPY

pytestmark = pytest.mark.sandbox

LISTING = """
import pkgutil, sys
def names():
    found = {info.name for info in pkgutil.iter_modules()} | set(sys.builtin_module_names)
    print(" ".join(sorted(found)))
    print(" ".join(sorted({name.split(".")[0] for name in sys.modules})))
    return 0
"""
HARNESS = {"quizzes", "submission", "__main__", "sitecustomize", "usercustomize"}
INTERPRETERS_OWN = {"_distutils_hack", "test", "xxlimited", "xxlimited_35", "xxsubtype"}
INTERPRETERS_OWN |= {"sitecustomize"}  # Debian has one, for reports of crashes
OURS = {"posenc", "array_api_compat"}
TORCHS = {"torch", "torchgen", "functorch", "filelock", "fsspec", "jinja2", "markupsafe", "mpmath"}
TORCHS |= {"networkx", "sympy", "typing_extensions", "isympy", "setuptools", "pkg_resources"}


def listed(sandbox: Sandbox, library: str) -> tuple[set[str], set[str]]:
    """Top-level names that can be found, and those that are loaded already."""
    case = Case("list", shown=True)
    run = sandbox.run(Job(LISTING, "names", (case,), library))
    assert read_run(run, [case]).load_failure is None
    found, loaded = run.stdout.decode().splitlines()
    return set(found.split()), set(loaded.split())


@pytest.mark.parametrize(
    ("sandbox", "library", "beside"),
    [
        ("student", "numpy", {"numpy"}),
        ("author", "numpy", {"numpy", *OURS}),
        pytest.param("torch_student", "torch", {"numpy", *TORCHS}, marks=pytest.mark.slow),
        pytest.param("author", "torch", {"numpy", *TORCHS, *OURS}, marks=pytest.mark.slow),
    ],
)
def test_what_can_be_imported(
    sandbox: str, library: str, beside: set[str], request: pytest.FixtureRequest
) -> None:
    found, loaded = listed(request.getfixturevalue(sandbox), library)
    standard = sys.stdlib_module_names | INTERPRETERS_OWN
    extra = {name for name in found if not name.startswith("_")} - standard
    assert extra <= beside, sorted(extra - beside)
    assert {"numpy"} <= extra
    assert ("posenc" in extra) == (sandbox == "author")
    assert ("torch" in extra) == (library == "torch")
    assert not loaded & {"quizzes", "ordinal_exercise", "django", "yaml", "posenc"}


def test_the_packages_are_those_of_the_profile_and_what_they_require() -> None:
    assert closure(NUMPY.distributions) == {"numpy"}
    roots = import_roots(NUMPY.distributions)
    assert {name.split(".")[0] for name in roots} == {"numpy"}
