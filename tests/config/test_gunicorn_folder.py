"""Folders of counts in memory: those of killed sites go, those of living ones stay."""

import fcntl
import os
import shutil
import time
from pathlib import Path

import pytest


@pytest.fixture
def configuration(tmp_path: Path, monkeypatch: pytest.MonkeyPatch):
    monkeypatch.setenv("PROMETHEUS_MULTIPROC_DIR", "")
    monkeypatch.setenv("OPENBLAS_NUM_THREADS", "1")
    from quizzes.config import gunicorn

    yield gunicorn
    os.close(gunicorn.METRICS_LOCK)
    shutil.rmtree(gunicorn.METRICS_FOLDER)


def test_what_a_killed_site_left_is_removed(configuration, tmp_path: Path) -> None:
    left, young, living = (
        tmp_path / f"{configuration.METRICS_NAME}{name}" for name in ("left", "young", "living")
    )
    other = tmp_path / "of-somebody-else"
    for folder in (left, young, living, other):
        folder.mkdir()
        (folder / "counter_1.db").write_bytes(b"x")
        if folder != young:
            long_ago = time.time() - 2 * configuration.YOUNG_SECONDS
            os.utime(folder, (long_ago, long_ago))
    held = os.open(living, os.O_RDONLY)
    fcntl.flock(held, fcntl.LOCK_EX)
    configuration.remove_left_folders(tmp_path)
    assert sorted(tmp_path.iterdir()) == sorted([young, living, other])
    os.close(held)
