"""An interrupted installation is noticed, whatever pip thinks of it."""

from pathlib import Path

import pytest

from tools.is_whole import missing


@pytest.fixture
def packages(tmp_path: Path) -> Path:
    """A site-packages with one whole package."""
    metadata = tmp_path / "thing-1.0.dist-info"
    metadata.mkdir()
    (tmp_path / "thing.py").write_text("x = 1\n")
    (metadata / "RECORD").write_text(
        "thing.py,sha256=abc,6\n__pycache__/thing.pyc,,\nthing-1.0.dist-info/RECORD,,\n"
    )
    return tmp_path


def test_a_whole_package_is_whole(packages: Path) -> None:
    assert missing(packages) is None


def test_a_file_that_was_not_written_is_named(packages: Path) -> None:
    (packages / "thing.py").unlink()
    assert missing(packages) == str(packages / "thing.py")


def test_a_file_that_was_half_written_is_named(packages: Path) -> None:
    (packages / "thing.py").write_text("x")
    assert missing(packages) == str(packages / "thing.py")


def test_a_package_without_a_record_is_named(packages: Path) -> None:
    record = packages / "thing-1.0.dist-info" / "RECORD"
    record.unlink()
    assert missing(packages) == str(record)
