"""Vendored front-end files are the ones their manifests name, and nothing lies beside them."""

import hashlib
import json
from pathlib import Path

import pytest
from django.conf import settings

VENDOR = Path(settings.ROOT) / "static" / "vendor"
MANIFESTS = sorted(VENDOR.glob("*/manifest.json"))


def test_every_vendored_folder_has_a_manifest():
    folders = {path for path in VENDOR.iterdir() if path.is_dir()}
    assert folders
    assert folders == {manifest.parent for manifest in MANIFESTS}


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.parent.name)
def test_files_are_those_of_the_manifest(manifest):
    facts = json.loads(manifest.read_text())
    folder = manifest.parent
    there = {path.name for path in folder.iterdir()} - {"manifest.json"}
    assert there == set(facts["files"])
    for name, digest in facts["files"].items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


@pytest.mark.parametrize("manifest", MANIFESTS, ids=lambda path: path.parent.name)
def test_manifest_says_licence_source_and_how_it_was_built(manifest):
    facts = json.loads(manifest.read_text())
    assert facts["licence"]
    assert facts["source"]
    assert (Path(settings.ROOT) / facts["built_with"].split()[0]).is_file()
    assert facts["version"] in manifest.parent.name
