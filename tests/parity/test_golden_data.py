"""The golden files themselves: each has its origin written down, and each is used."""

import re
from pathlib import Path

from tests.parity.golden_data import FOLDER, load, manifest

FILES = sorted(path.stem for path in FOLDER.glob("*.npz"))


def test_every_file_has_an_origin_and_every_origin_a_file():
    assert sorted(manifest()) == FILES
    for name, entry in manifest().items():
        assert entry["source"], name
        assert entry["version"], name
        assert entry["call"], name


def test_every_file_is_used_by_a_test():
    sources = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("test_*.py")]
    named = set(re.findall(r'"(\w+)"', " ".join(sources)))
    assert not [name for name in FILES if name not in named]


def test_every_file_holds_arrays():
    for name in FILES:
        assert load(name), name
