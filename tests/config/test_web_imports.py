"""What a web process loads: neither torch nor anything that runs other people's code."""

import subprocess
import sys

import pytest

from tests.child_environment import child_environment
from tests.whole_site import ROOT

NEVER = ("torch", "quizzes.grader.sandbox", "quizzes.worker.")
ALLOWED = {"quizzes.worker.apps", "quizzes.worker.tasks"}  # no work is in them
LOADED = """
import sys

import pytest
from django.urls import get_resolver
import quizzes.config.wsgi
get_resolver().url_patterns
get_resolver()._populate()
print("\\n".join(sys.modules))
"""


@pytest.mark.slow
def test_a_web_process_loads_neither_torch_nor_the_sandbox_nor_the_worker(tmp_path):
    environment = child_environment() | {
        "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
        "ORDINAL_VAR": str(tmp_path),
        "DATABASE_URL": f"sqlite:///{tmp_path / 'site.sqlite3'}",
    }
    run = subprocess.run(
        [sys.executable, "-c", LOADED],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        timeout=120,
        check=True,
    )
    loaded = run.stdout.splitlines()
    assert "quizzes.exercises.views" in loaded
    assert {name for name in loaded if name.startswith(NEVER)} <= ALLOWED
