"""Write manifest.json and LICENSE.txt beside a bundle that esbuild made from npm packages.

Usage: python tools/write_vendor_manifest.py NAME PACKAGE BUILT_WITH BUNDLE TARGET_FOLDER
NAME is the library's name, PACKAGE the npm package whose version the folder carries, BUILT_WITH
the script that called, BUNDLE the file's name. Runs in the folder that has `node_modules` and
esbuild's `meta.json`: the packages whose code is in the bundle are read from there, because a
licence must come along also for a package that only another package asked for.
"""

import hashlib
import json
import re
import sys
from pathlib import Path
from typing import Any

PACKAGE_OF = re.compile(r"node_modules/((?:@[^/]+/)?[^/]+)/")
NODE_MODULES = Path("node_modules")


def bundled_packages(metafile: Path) -> list[dict[str, Any]]:
    """Return the `package.json` of every package with code in the bundle, by name."""
    (output,) = json.loads(metafile.read_text())["outputs"].values()
    names = {match[1] for source in output["inputs"] if (match := PACKAGE_OF.match(source))}
    return [read_package(name) for name in sorted(names)]


def read_package(name: str) -> dict[str, Any]:
    """Return the `package.json` of an installed package."""
    package: dict[str, Any] = json.loads((NODE_MODULES / name / "package.json").read_text())
    return package


def licence_texts(packages: list[dict[str, Any]]) -> str:
    """Return each licence text once, below the packages that it covers."""
    covered: dict[str, list[str]] = {}
    for package in packages:
        text = (NODE_MODULES / package["name"] / "LICENSE").read_text().strip()
        covered.setdefault(text, []).append(f"{package['name']} {package['version']}")
    return "\n\n\n".join(f"{', '.join(names)}\n\n{text}" for text, names in covered.items()) + "\n"


def main(name: str, package: str, built_with: str, bundle: str, folder: str) -> None:
    """Write both files."""
    target = Path(folder)
    packages = bundled_packages(Path("meta.json"))
    versions = {each["name"]: each["version"] for each in packages}
    (target / "LICENSE.txt").write_text(licence_texts(packages))
    manifest = {
        "name": name,
        "version": read_package(package)["version"],
        "licence": " AND ".join(sorted({each["license"] for each in packages})),
        "source": "npm packages " + ", ".join(f"{n} {v}" for n, v in versions.items()),
        "built_with": f"{built_with} (esbuild {read_package('esbuild')['version']})",
        "files": {
            file: hashlib.sha256((target / file).read_bytes()).hexdigest()
            for file in (bundle, "LICENSE.txt")
        },
    }
    (target / "manifest.json").write_text(json.dumps(manifest, indent=2) + "\n")


if __name__ == "__main__":
    main(*sys.argv[1:])
