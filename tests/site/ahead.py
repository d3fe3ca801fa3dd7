"""Imports of a page's scripts that the page does not name, by another reading of the scripts."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
IMPORT = re.compile(r'^(?:import|export) [^=]*?from "(\.[^"]+)";$', re.MULTILINE | re.DOTALL)
MODULE = re.compile(r'<(script|link)\b([^>]*\b(?:type="module"|rel="modulepreload")[^>]*)>')
ADDRESS = re.compile(r'\b(?:src|href)="/(static/[^"]+)"')


def missing_ahead(html: str) -> list[str]:
    """Return what the modules of a page import, level by level, that it does not name itself."""
    named = {match[1] for _, tag in MODULE.findall(html) if (match := ADDRESS.search(tag))}
    imported = {name for module in named for name in imports_of(ROOT / module)}
    return sorted(imported - named)


def imports_of(file: Path) -> set[str]:
    """Return the paths of what a script imports, from the root."""
    script = file.read_text() if file.exists() else ""
    targets = {(file.parent / address).resolve() for address in IMPORT.findall(script)}
    return {str(target.relative_to(ROOT)) for target in targets}
