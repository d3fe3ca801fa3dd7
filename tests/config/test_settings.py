"""Production refuses to start half configured; SQLite is set up for many writers."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PRODUCTION = {
    "ORDINAL_ENV": "production",
    "SECRET_KEY": "kX3-" * 15,
    "ALLOWED_HOSTS": "ordinal.example.org, www.ordinal.example.org",
    "EMAIL_URL": "smtp://mail.example.org:25",
    "DATABASE_URL": "sqlite://:memory:",
}

READ = "from django.conf import settings; settings.DEBUG\n"


def python(code: str, environment: dict[str, str]) -> subprocess.CompletedProcess[str]:
    """Run code with the settings read in a process that knows nothing but `environment`.

    Reading them takes a tenth of what `django.setup()` takes, which adds nothing to what they say.
    """
    return subprocess.run(
        [sys.executable, "-c", f"{READ}{code}"],
        cwd=ROOT,
        env={
            "PATH": os.environ["PATH"],
            "DJANGO_SETTINGS_MODULE": "quizzes.config.settings",
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.covering(most=2)
@pytest.mark.parametrize("name", ["SECRET_KEY", "ALLOWED_HOSTS", "EMAIL_URL", "DATABASE_URL"])
def test_production_names_the_setting_it_lacks(name: str, tmp_path: Path) -> None:
    given = {key: value for key, value in PRODUCTION.items() if key != name}
    run = python("", given | {"ORDINAL_VAR": str(tmp_path)})
    assert run.returncode != 0
    assert f"{name} is not set: production needs it" in run.stderr


@pytest.mark.covering(most=2)
@pytest.mark.parametrize(
    ("name", "value"),
    [
        *(("DEBUG", "1"), ("ORDINAL_ENV", "staging"), ("SECRET_KEY", "too-short")),
        *(("CASE_PACKS", "0"), ("OIDC_PROVIDERS", "{"), ("SIGNUP", "half")),
        *(("LOCAL_PASSWORDS", "0"), ("PASSWORD_MIB", "18"), ("PASSWORD_PASSES", "two")),
    ],
)
def test_a_setting_that_production_must_not_have_is_named(
    name: str, value: str, tmp_path: Path
) -> None:
    run = python("", PRODUCTION | {name: value, "ORDINAL_VAR": str(tmp_path)})
    assert run.returncode != 0
    assert f"{name}" in run.stderr.splitlines()[-1]


@pytest.mark.parametrize(
    ("environment", "said"),
    [
        ({"CLASS_MAIL": "1"}, "https://ordinal.example.org"),
        ({"CLASS_MAIL": "1", "ALLOWED_HOSTS": ".example.org"}, "CLASS_MAIL=1: needs SITE_ADDRESS"),
    ],
)
def test_mail_from_classes_has_an_address(environment, said: str, tmp_path: Path) -> None:
    run = python(
        "print(settings.SITE_ADDRESS)", PRODUCTION | environment | {"ORDINAL_VAR": str(tmp_path)}
    )
    assert said in (run.stdout or run.stderr.splitlines()[-1])


@pytest.mark.slow
def test_production_is_strict(tmp_path: Path) -> None:
    run = python(
        "import django; django.setup();"
        "print(settings.SESSION_COOKIE_SECURE, settings.CSRF_COOKIE_SECURE,"
        "settings.SECURE_SSL_REDIRECT, settings.SECURE_HSTS_SECONDS > 0, settings.DEBUG,"
        "settings.EMAIL_TIMEOUT);"
        "import os; print(os.environ['MPLCONFIGDIR'])",
        PRODUCTION | {"ORDINAL_VAR": str(tmp_path)},
    )
    *said, fonts = run.stdout.split()
    assert said == ["True", "True", "True", "True", "False", "10"], run.stderr
    assert Path(fonts).is_relative_to(tmp_path)  # a service has no home folder to write into


def test_production_keeps_its_hosts_and_this_machine(tmp_path: Path) -> None:
    run = python("print(*settings.ALLOWED_HOSTS)", PRODUCTION | {"ORDINAL_VAR": str(tmp_path)})
    hosts = ["ordinal.example.org", "www.ordinal.example.org", "127.0.0.1", "[::1]"]
    assert run.stdout.split() == hosts, run.stderr


def test_development_needs_nothing_and_keeps_its_key(tmp_path: Path) -> None:
    show = "print(settings.SECRET_KEY)"
    first, second = (python(show, {"ORDINAL_VAR": str(tmp_path)}) for _ in range(2))
    assert len(first.stdout) > 50, first.stderr
    assert first.stdout == second.stdout
    assert (tmp_path / "secret-key").stat().st_mode & 0o077 == 0


@pytest.mark.slow
def test_sqlite_has_the_settings_that_many_writers_need(tmp_path: Path) -> None:
    run = python(
        "from django.db import connection as c; k = c.cursor();"
        "print(*[k.execute(f'PRAGMA {name}').fetchone()[0] for name in"
        " ('journal_mode', 'synchronous', 'foreign_keys', 'busy_timeout')], c.transaction_mode)",
        {"ORDINAL_VAR": str(tmp_path)},
    )
    assert run.stdout.split() == ["wal", "1", "1", "5000", "IMMEDIATE"], run.stderr


READ_THEN_WRITE = """
from django.db import connection, transaction
for _ in range(40):
    with transaction.atomic(), connection.cursor() as cursor:
        value = cursor.execute("SELECT value FROM counter").fetchone()[0]
        cursor.execute("UPDATE counter SET value = %s", [value + 1])
"""


@pytest.mark.slow
def test_processes_that_read_then_write_lose_nothing(tmp_path: Path) -> None:
    """Without IMMEDIATE this fails at once with "database is locked", whatever the timeout."""
    environment = {"ORDINAL_VAR": str(tmp_path), "PATH": os.environ["PATH"]}
    make = (
        "from django.db import connection as c; k = c.cursor();"
        "k.execute('CREATE TABLE counter (value integer)');"
        "k.execute('INSERT INTO counter VALUES (0)')"
    )
    assert python(make, environment).returncode == 0
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", READ_THEN_WRITE],
            cwd=ROOT,
            env=environment | {"DJANGO_SETTINGS_MODULE": "quizzes.config.settings"},
            stderr=subprocess.PIPE,
            text=True,
        )
        for _ in range(2)
    ]
    said = [writer.communicate(timeout=120)[1] for writer in writers]
    assert [writer.returncode for writer in writers] == [0, 0], "\n".join(said)
    count = python(
        "from django.db import connection as c; k = c.cursor();"
        "print(k.execute('SELECT value FROM counter').fetchone()[0])",
        environment,
    )
    assert count.stdout.strip() == "80"
