"""The vendored mathematics font is the one its manifest names."""

import hashlib
import json
from pathlib import Path

VENDOR = Path(__file__).resolve().parents[2] / "static" / "vendor"


def test_every_vendored_file_has_the_hash_of_its_manifest() -> None:
    manifests = list(VENDOR.glob("*/manifest.json"))
    assert manifests
    for manifest in manifests:
        files = json.loads(manifest.read_text())["files"]
        for name, expected in files.items():
            data = (manifest.parent / name).read_bytes()
            assert hashlib.sha256(data).hexdigest() == expected, f"{manifest.parent.name}/{name}"
        present = {path.name for path in manifest.parent.iterdir()} - {"manifest.json"}
        assert present == set(files), f"{manifest.parent.name}: files without a hash"


def test_the_style_sheet_names_the_vendored_font() -> None:
    sheet = (VENDOR.parent / "css" / "pages.css").read_text()
    fonts = list(VENDOR.glob("stix-two-math-*/*.woff2"))
    assert len(fonts) == 2
    for font in fonts:
        assert f"../vendor/{font.parent.name}/{font.name}" in sheet
    assert sum(font.stat().st_size for font in fonts) < 170_000
