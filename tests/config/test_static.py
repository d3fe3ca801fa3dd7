"""Production serves static files by hashed names: one that does not resolve is a page of error."""

import json
import os
import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command
from django.test import Client

from quizzes.config.static_storage import OURS, without_comments
from quizzes.config.style_bundle import PARTS, write_bundle

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = [
    *(ROOT / "templates").rglob("*.html"),
    *(ROOT / "quizzes").rglob("templates/**/*.html"),
]
ADDRESS = re.compile(
    r"""(?:^|[;}])\s*(?:import|export)\b(?:[^;"'`()=]*?\bfrom)?\s*["'`]([^"'`]+)"""
    r"""|\bimport\s*\(\s*(?!\w+\s*\))["'`]?([^"'`)]+)"""  # not of a variable: its text is below
    r"""|["'`]([^"'`\s]+\.js)["'`]""",
    re.MULTILINE,
)
STATIC_TAG = re.compile(r"{%-?\s*static\s+['\"]([^'\"]+)['\"]")


def test_templates_name_static_files_at_all() -> None:
    assert any(STATIC_TAG.search(path.read_text()) for path in TEMPLATES)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_static_file_a_template_names_exists(template: Path) -> None:
    text = template.read_text()
    assert "/static/" not in text  # an address without its hash
    assert not [name for name in STATIC_TAG.findall(text) if not finders.find(name)]


@pytest.mark.slow
def test_production_gathers_them_all(settings: LazySettings, tmp_path: Path) -> None:
    """Also follows url() in CSS and imports in modules; a name that leads nowhere fails."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "quizzes.config.static_storage.StaticStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert staticfiles_storage.url("css/base.css") != "/static/css/base.css"
    assert list(tmp_path.rglob("base.*.css.gz"))
    [script] = tmp_path.glob("lessons/figure.????????????.js")
    assert not re.search(r"^\s*//", script.read_text(), re.MULTILINE)
    assert "class LiveFigure {" in script.read_text()
    require_hashed_imports(tmp_path.resolve())


def require_hashed_imports(folder: Path) -> None:
    """Hold every address of a module in a script to the one that pages load it by."""
    names = json.loads((folder / "staticfiles.json").read_text())["paths"]
    files = {file for name in names.values() if (file := folder / name).is_file()}
    scripts = [
        folder / names[name]
        for name in names
        if name.startswith((*OURS, "vendor/")) and name.endswith(".js")
    ]
    imports = [
        (script, address) for script in scripts for address in read_addresses(script.read_text())
    ]
    assert len(imports) > len(scripts)
    for script, address in imports:
        target = (script.parent / address).resolve()
        assert address.startswith("."), f"{script.name}: {address}"
        assert target in files, f"{script.name}: {address}"


def read_addresses(script: str) -> list[str]:
    """Return what a script imports, and every other text that is the address of a script."""
    return [address for groups in ADDRESS.findall(script) for address in groups if address]


def test_every_import_has_its_address_read() -> None:
    script = """import a, { b as c } from './a.js';import"./b.js";
import * as d from "d"; export * from "./e.js"
export {
  f,
} from "/f.js"; later("./g.js"); await import ( `./${h}.js` );
import(url); import(`./${i}`); import(j + k); export const l = "from m";"""
    assert read_addresses(script) == [
        *("./a.js", "./b.js", "d", "./e.js", "/f.js", "./g.js", "./${h}.js"),
        *("./${i}", "j + k"),
    ]


def test_every_folder_of_our_scripts_is_known() -> None:
    folders = {
        path.relative_to(ROOT / "static").parts[0] + "/" for path in (ROOT / "static").rglob("*.js")
    }
    assert folders - {"vendor/"} == set(OURS)


def test_only_lines_of_comment_and_indentation_are_left_out() -> None:
    script = 'const a = "//";\n  // why\n  b(a); // not alone\n'
    assert without_comments(script) == 'const a = "//";\nb(a); // not alone\n'
    text = "const a = `\n  // part of the text\n`;\n"
    assert without_comments(text) == text


@pytest.mark.django_db
def test_the_styles_of_every_page_are_one_file(client: Client) -> None:
    joined = Path(str(finders.find("css/base.css"))).read_text()
    for part in PARTS:
        assert (ROOT / "static" / "css" / f"{part}.css").read_text() in joined
    page = client.get("/accessibility/").content.decode()
    blocking = re.findall(r'<link rel="stylesheet" href="[^"]*/css/([a-z]+)\.css">', page)
    assert blocking[0] == "base"
    assert not set(blocking) & set(PARTS)


def test_an_edited_part_is_in_the_joined_file_at_once(
    settings: LazySettings, tmp_path: Path
) -> None:
    settings.VAR = tmp_path / "var"
    settings.STATICFILES_DIRS = [tmp_path]
    (tmp_path / "css").mkdir()
    for part in PARTS:
        (tmp_path / "css" / f"{part}.css").write_text(f".{part} {{}}")
    assert ".forms {}" in write_bundle().read_text()
    edited = tmp_path / "css" / "forms.css"
    edited.write_text(".edited {}")
    later = edited.stat().st_mtime_ns + 5_000_000_000
    os.utime(edited, ns=(later, later))
    assert ".edited {}" in write_bundle().read_text()
    assert ".forms {}" not in write_bundle().read_text()
