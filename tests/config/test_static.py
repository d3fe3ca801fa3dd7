"""Production serves static files by hashed names: one that does not resolve is a page of error."""

import re
from pathlib import Path

import pytest
from django.conf import LazySettings
from django.contrib.staticfiles import finders
from django.contrib.staticfiles.storage import staticfiles_storage
from django.core.management import call_command

ROOT = Path(__file__).resolve().parents[2]
TEMPLATES = [
    *(ROOT / "templates").rglob("*.html"),
    *(ROOT / "quizzes").rglob("templates/**/*.html"),
]
STATIC_TAG = re.compile(r"{%-?\s*static\s+['\"]([^'\"]+)['\"]")


def test_templates_name_static_files_at_all() -> None:
    assert any(STATIC_TAG.search(path.read_text()) for path in TEMPLATES)


@pytest.mark.parametrize("template", TEMPLATES, ids=lambda path: str(path.relative_to(ROOT)))
def test_every_static_file_a_template_names_exists(template: Path) -> None:
    missing = [name for name in STATIC_TAG.findall(template.read_text()) if not finders.find(name)]
    assert not missing


@pytest.mark.slow
def test_production_gathers_them_all(settings: LazySettings, tmp_path: Path) -> None:
    """Also follows url() in CSS and imports in modules; a name that leads nowhere fails."""
    settings.STATIC_ROOT = tmp_path
    settings.STORAGES = settings.STORAGES | {
        "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"}
    }
    call_command("collectstatic", interactive=False, verbosity=0)
    assert staticfiles_storage.url("css/site.css") != "/static/css/site.css"
    assert list(tmp_path.rglob("site.*.css.gz"))
