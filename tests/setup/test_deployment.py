"""What `deploy/` ships parses, and names only commands, settings, numbers and pages that exist."""

import configparser
import json
import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import yaml
from django.core.management import get_commands
from django.urls import resolve
from prometheus_client import Counter, Histogram

from quizzes.config.body_bounds import BODIES
from quizzes.operations import metrics
from tests.setup.test_documents import first_column

ROOT = Path(__file__).resolve().parents[2]
DEPLOY = ROOT / "deploy"
UNITS = sorted((DEPLOY / "systemd").iterdir())
ALERTS = yaml.safe_load((DEPLOY / "alerts.yaml").read_text())["groups"][0]["rules"]
COMPOSE = yaml.safe_load((DEPLOY / "container" / "compose.yaml").read_text())
LAPTOP = yaml.safe_load((DEPLOY / "container" / "laptop.yaml").read_text())
MANIFESTS = list(yaml.safe_load_all((DEPLOY / "kubernetes" / "ordinal.yaml").read_text()))
RUNBOOK = ROOT / "docs" / "runbook.md"
# Of the images that other people make, and of the shell of the container.
OF_OTHERS = {"POSTGRES_USER", "POSTGRES_DB", "POSTGRES_PASSWORD_FILE"} | {
    "SITE_NAME",
    "PYTHONUNBUFFERED",
}


def settings_of_the_site() -> set[str]:
    rows = first_column(ROOT / "docs" / "operations.md", "## Settings")
    return set(re.findall(r"`([A-Z_]{4,})`", " ".join(rows)))


def named_commands() -> Iterator[tuple[str, str]]:
    """Yield each `manage.py COMMAND` of any file, with the file."""
    for path in [*DEPLOY.rglob("*"), RUNBOOK]:
        if path.is_file():
            text = path.read_text()
            for name in re.findall(r"manage\.py[\"',]*\s+[\"']?([a-z_]+)", text):
                yield path.name, name


def test_every_command_exists() -> None:
    named = list(named_commands())
    assert {"worker", "prepare_site", "backup"} <= {command for _, command in named}
    assert [one for one in named if one[1] not in get_commands()] == []


BY_OPERATORS = {"deploy/container/ordinal.env", "deploy/container/database-password"}


def test_every_file_and_page_that_is_named_exists() -> None:
    files, pages = set(), set()
    for path in [*DEPLOY.rglob("*"), RUNBOOK]:
        if path.is_file():
            text = path.read_text()
            files |= set(re.findall(r"\b(?:deploy|docs|quizzes|tests|tools)/[\w./-]*\w", text))
            pages |= set(re.findall(r"(?:/healthz|/metrics|/teach/people/)(?![\w/])", text))
    assert len(files) > 5
    assert {name for name in files - BY_OPERATORS if not (ROOT / name).exists()} == set()
    assert {"/healthz", "/metrics"} <= pages
    for page in pages:
        resolve(page)


def test_the_proxy_asks_a_part_that_is_there_at_the_port_on_which_it_listens() -> None:
    proxy = (DEPLOY / "container" / "Caddyfile").read_text()
    asked = re.findall(r"reverse_proxy (\w+):(\d+)", proxy)
    image = (DEPLOY / "container" / "Containerfile").read_text()
    listens = re.findall(r"^EXPOSE (\d+)$", image, re.M)
    default = (ROOT / "quizzes" / "config" / "gunicorn.py").read_text()
    assert {part for part, _ in asked} == {"web"}
    assert {port for _, port in asked} == set(listens)
    assert f'"PORT", "{listens[0]}"' in default
    # What a visitor sends must not pass for the proxy's own word.
    for header in ("X-Forwarded-For", "X-Forwarded-Proto", "X-Request-ID"):
        written = re.findall(rf"(header_up|request_header) {header} ", proxy)
        assert len(written) == (1 if header == "X-Request-ID" else len(asked)), header


def test_proxy_has_deadlines() -> None:
    """The web processes have none; bodies and headers that drip must end in the proxy."""
    proxy = (DEPLOY / "container" / "Caddyfile").read_text()
    timeouts = dict(re.findall(r"^\t{3}(read_header|read_body|write|idle) (\d+[sm])$", proxy, re.M))
    assert set(timeouts) == {"read_header", "read_body", "write", "idle"}


def test_proxy_buffers_long_forms_of_uploads_alone() -> None:
    proxy = (DEPLOY / "container" / "Caddyfile").read_text()
    sizes = {"KB": 1000, "MB": 1_000_000}
    buffered = re.findall(r"^\t+request_buffers (\d+)(KB|MB)$", proxy, re.M)
    longest, usual = (int(number) * sizes[unit] for number, unit in buffered)
    assert longest > max(BODIES.values())
    (paths,) = re.findall(r"^\t@uploads path (.+)$", proxy, re.M)
    views = {resolve(path.replace("*", "any")).view_name for path in paths.split()}
    assert {name for name, size in BODIES.items() if size > usual} <= views
    assert views <= {name for name, size in BODIES.items() if size >= 1024 * 1024}


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_parse_and_name_what_exists(path: Path) -> None:
    unit = configparser.RawConfigParser(strict=False)
    unit.optionxform = str  # type: ignore[assignment,method-assign]
    unit.read(path)
    assert "Unit" in unit
    if path.suffix == ".timer":
        assert (path.with_suffix(".service")).is_file()
        return
    for name in ("ExecStart", "ExecStartPre"):
        words = shlex.split(unit["Service"].get(name, ""))
        for word in words:
            if word.startswith("quizzes/") or word == "manage.py":
                assert (ROOT / word).is_file(), word
    assert unit["Service"]["User"] == "ordinal"
    if "Restart" in unit["Service"]:  # or five kills in a row end it for good, at night
        assert unit["Unit"]["StartLimitIntervalSec"] == "0"


def test_the_worker_s_unit_forbids_nothing_that_the_sandbox_needs() -> None:
    text = (DEPLOY / "systemd" / "ordinal-worker@.service").read_text()
    settings = [line for line in text.splitlines() if not line.startswith("#")]
    for forbidden in ("NoNewPrivileges", "RestrictNamespaces", "PrivateUsers", "SystemCallFilter"):
        assert not [line for line in settings if line.startswith(forbidden)]


@pytest.mark.parametrize("path", UNITS, ids=lambda path: path.name)
def test_units_set_nothing_that_the_operator_s_commands_would_not_see(path: Path) -> None:
    """What stands in a unit alone is missing where somebody types `manage.py` with the settings."""
    names = set(re.findall(r"^Environment=([A-Z_]+)=", path.read_text(), re.M))
    assert names & settings_of_the_site() == set()


def test_units_may_write_where_the_example_of_settings_says() -> None:
    example = (DEPLOY / "ordinal.env.example").read_text()
    folder = re.search(r"^ORDINAL_VAR=(.+)$", example, re.M)
    assert folder is not None
    for path in UNITS:
        text = path.read_text()
        if "\nExecStart=/srv/ordinal/" in text:
            assert f"\nStateDirectory={Path(folder[1]).name}\n" in text
            # The database is in it, and other users of the machine are none of the site's.
            assert "\nStateDirectoryMode=0750\n" in text


def test_a_worker_waits_for_the_web_unit_which_prepares_the_database() -> None:
    web, worker = (
        (DEPLOY / "systemd" / f"{name}.service").read_text()
        for name in ("ordinal-web", "ordinal-worker@")
    )
    assert re.search(r"^ExecStartPre=.*prepare_site$", web, re.M)
    assert "\nType=notify\n" in web  # "started" is said by gunicorn, when it listens
    assert re.search(r"^After=.*\bordinal-web\.service\b", worker, re.M)


def test_whatever_starts_the_sandbox_in_a_container_may() -> None:
    sandboxed = [
        service
        for service in COMPOSE["services"].values()
        if {"worker", "prepare_site"} & set(service.get("command", []))
    ]
    assert len(sandboxed) == 2
    for service in sandboxed:
        unconfined = {f"{name}=unconfined" for name in ("seccomp", "apparmor", "systempaths")}
        assert set(service["security_opt"]) == unconfined
    pods = [one["spec"]["template"]["spec"] for one in MANIFESTS if "template" in one["spec"]]
    containers = [
        container
        for pod in pods
        for container in [*pod["containers"], *pod.get("initContainers", [])]
        if {"worker", "prepare_site"} & set(container.get("command", []))
    ]
    assert len(containers) == 3
    assert [pod["hostUsers"] for pod in pods] == [False] * 3  # or "Unmasked" is refused
    for container in containers:
        context = container["securityContext"]
        assert context["procMount"] == "Unmasked"
        assert context["seccompProfile"] == {"type": "Unconfined"}


def test_a_database_that_is_still_being_made_is_not_healthy() -> None:
    """The image makes it with a server on its socket alone, which then ends."""
    asked = COMPOSE["services"]["database"]["healthcheck"]["test"]
    assert "--host 127.0.0.1" in " ".join(asked)


def test_compose_has_all_that_its_parts_need() -> None:
    services: dict[str, Any] = COMPOSE["services"]
    assert set(services) == {"database", "prepare", "web", "worker", "proxy"}
    for name, service in services.items():
        for needed in service.get("depends_on", {}):
            assert needed in services, f"{name} depends on {needed}"
        for volume in service.get("volumes", []):
            source = volume.split(":")[0]
            there = source in COMPOSE["volumes"] or (DEPLOY / "container" / source).exists()
            assert there, f"{name}: {volume}"
        for secret in service.get("secrets", []):
            assert secret in COMPOSE["secrets"]
        if build := service.get("build"):
            folder = DEPLOY / "container" / build["context"]
            assert folder.resolve() == ROOT
            assert (ROOT / build["dockerfile"]).is_file()


def test_workers_of_compose_share_their_locks() -> None:
    """Else each container is a host of its own, and no worker stays with quick code."""
    assert "state:/var/lib/ordinal" in COMPOSE["services"]["worker"]["volumes"]


def test_laptop_runs_the_same_image_for_itself_alone() -> None:
    (service,) = LAPTOP["services"].values()
    assert service["image"] == COMPOSE["services"]["web"]["image"]
    assert service["build"] == COMPOSE["services"]["web"]["build"]
    assert service["security_opt"] == COMPOSE["services"]["worker"]["security_opt"]
    assert all(port.startswith("127.0.0.1:") for port in service["ports"])
    (volume,) = service["volumes"]
    assert volume.split(":")[0] in LAPTOP["volumes"]
    image = (DEPLOY / "container" / "Containerfile").read_text()
    assert f"\nVOLUME {volume.split(':')[1]}\n" in image
    makefile = (ROOT / "Makefile").read_text()
    assert f"@exec $(python) {' '.join(service['command'][1:])}\n" in makefile


def test_git_keeps_line_ends_of_image_files() -> None:
    """On Windows it would, and no script of the image would start."""
    assert "\n* -text\n" in (ROOT / ".gitattributes").read_text()
    scripts = (ROOT / "tools").glob("*.sh")
    assert not [path.name for path in scripts if b"\r" in path.read_bytes()]


def test_settings_in_every_file_are_settings_of_the_site() -> None:
    known = settings_of_the_site() | OF_OTHERS
    example = (DEPLOY / "ordinal.env.example").read_text()
    named = set(re.findall(r"^([A-Z_]+)=", example, re.M))
    named |= {name for one in COMPOSE["services"].values() for name in one.get("environment", {})}
    container = (DEPLOY / "container" / "Containerfile").read_text()
    env = re.findall(r"^ENV (.+)$", container, re.M)
    named |= {pair.split("=")[0] for line in env for pair in shlex.split(line)}
    for path in UNITS:
        named |= set(re.findall(r"^Environment=([A-Z_]+)=", path.read_text(), re.M))
    assert named - known == set()


def test_the_example_of_settings_has_all_that_production_needs() -> None:
    example = (DEPLOY / "ordinal.env.example").read_text()
    named = set(re.findall(r"^([A-Z_]+)=", example, re.M))
    assert {"SECRET_KEY", "ALLOWED_HOSTS", "DATABASE_URL", "EMAIL_URL"} <= named
    assert "SECRET_KEY=\n" in example  # nobody may start with the key of an example
    values = re.findall(r"^[A-Z_]+=(.*)$", example, re.M)
    assert [value for value in values if re.search(r"[\"'\s]", value)] == []  # each reader differs


def test_the_image_is_built_by_a_verb_that_exists_and_leaves_secrets_out() -> None:
    text = (DEPLOY / "container" / "Containerfile").read_text()
    makefile = (ROOT / "Makefile").read_text()
    for verb in re.findall(r"^RUN make ([a-z]+)", text, re.M):
        assert re.search(rf"^{verb}:", makefile, re.M), verb
    for line in re.findall(r"^(?:CMD|    CMD) (\[.*\])$", text, re.M):
        assert json.loads(line)[0] == ".venv/bin/python"
    assert "USER ordinal" in text
    # The Python with which everything is tested.
    tested = re.search(
        r'^python_version = "([\d.]+)"$', (ROOT / "pyproject.toml").read_text(), re.M
    )
    assert tested is not None
    assert re.search(rf"^FROM docker\.io/library/python:{re.escape(tested[1])}-", text, re.M)
    ignored = (ROOT / ".dockerignore").read_text().split()
    assert {".env", "var", "deploy/container/ordinal.env"} <= set(ignored)


def test_manifests_fit_together() -> None:
    kinds = [(one["kind"], one["metadata"]["name"]) for one in MANIFESTS]
    assert len(set(kinds)) == len(kinds)
    templates = [one["spec"]["template"] for one in MANIFESTS if "template" in one["spec"]]
    labels = [template["metadata"]["labels"] for template in templates]
    for one in MANIFESTS:
        selector = one["spec"].get("selector")
        selected = selector.get("matchLabels", selector) if selector else None
        if selected:
            assert any(selected.items() <= have.items() for have in labels), one["metadata"]["name"]
    web = next(one for one in MANIFESTS if one["metadata"]["name"] == "ordinal-web")
    container = web["spec"]["template"]["spec"]["containers"][0]
    assert container["readinessProbe"]["httpGet"]["path"] == "/healthz"


def metrics_there_are() -> set[str]:
    found = {"up"}
    for one in (metrics.requests_total, metrics.requests_seconds):
        kind = Counter if isinstance(one, Counter) else Histogram
        assert isinstance(one, kind)
        for family in one.collect():
            found |= {family.name, f"{family.name}_total", f"{family.name}_bucket"}
    return found


@pytest.mark.django_db
def test_alerts_ask_for_numbers_that_are_told_and_lead_to_the_runbook() -> None:
    told = metrics_there_are() | {family.name for family in metrics.SiteCollector().collect()}
    headings = {
        re.sub(r"[^a-z0-9 -]", "", line[3:].lower()).replace(" ", "-")
        for line in RUNBOOK.read_text().splitlines()
        if line.startswith("## ")
    }
    assert len(ALERTS) >= 10
    for rule in ALERTS:
        asked = set(re.findall(r"\b(ordinal_[a-z_]+|up)\b", rule["expr"]))
        assert asked, rule["alert"]
        assert asked <= told, rule["alert"]
        document, anchor = rule["annotations"]["runbook"].split("#")
        assert ROOT / document == RUNBOOK
        assert anchor in headings, anchor
        assert re.fullmatch(r"\d+m", rule["for"])
        assert rule["expr"].count("(") == rule["expr"].count(")")


def test_the_runbook_has_ten_faults_each_with_what_to_see_and_do() -> None:
    sections = RUNBOOK.read_text().split("\n## ")[1:]
    assert len(sections) >= 10
    for section in sections:
        title = section.splitlines()[0]
        for part in ("**You see**", "**Look**", "**Do**"):
            assert part in section, f"{title}: {part}"
