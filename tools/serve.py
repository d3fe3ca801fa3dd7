"""Run the site: prepare the database, start web and worker, stop both together.

`make run` ends here. HOST and PORT come from the environment. SIGINT and SIGTERM stop both; when
one of the two ends by itself the other is stopped and the reason is shown. --prepared leaves the
database as it is: reading the courses again takes three seconds of the processor, which a site that
has run with the same code does not need. --demo-class lets the worker fill a class for the demo
instructor of a new database, unless DEMO_CLASS=0.
"""

import argparse
import json
import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from pathlib import Path
from types import FrameType
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
HOST = os.environ.get("HOST", "").strip("[]") or "127.0.0.1"
PORT = os.environ.get("PORT", "") or "8000"
START_SECONDS = 60
STOP_SECONDS = 20  # longer than gunicorn's graceful_timeout
ASK_SECONDS = 1
EARLY_SECONDS = 10

Parts = dict[str, subprocess.Popen[bytes]]


class StopSignal(Exception):  # noqa: N818 -- nothing is wrong
    """SIGINT or SIGTERM arrived."""


def say(text: str) -> None:
    print(f"[ordinal] {text}", flush=True)


def refuse_a_port_in_use() -> None:
    """End with a sentence when PORT is no port or is taken, before anything starts."""
    if not (PORT.isascii() and PORT.isdecimal() and 1 <= int(PORT) <= 65535):
        raise SystemExit(f"PORT={PORT}: must be a whole number between 1 and 65535")
    try:
        found = socket.getaddrinfo(HOST, int(PORT), type=socket.SOCK_STREAM)
    except OSError as error:
        raise SystemExit(f"HOST={HOST}: no such address ({error.strerror})") from error
    family, kind, protocol, _, place = found[0]
    with socket.socket(family, kind, protocol) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(place)
        except OSError as error:
            cure = "Choose another port, such as: make run PORT=8001"
            raise SystemExit(f"HOST={HOST} PORT={PORT}: {error.strerror}. {cure}") from error


def address() -> str:
    """Return the site's address for a browser on this machine."""
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(HOST, HOST)
    return f"http://{f'[{host}]' if ':' in host else host}:{PORT}"


def start(name: str, *command: str) -> subprocess.Popen[bytes]:
    """Start a part of the site in a session of its own, so that Ctrl-C reaches only us.

    `setpriv` has the kernel stop it should we be killed outright.
    """
    say(f"starting the {name}")
    return subprocess.Popen(
        ["setpriv", "--pdeathsig=TERM", sys.executable, *command],
        cwd=ROOT,
        env=os.environ | {"HOST": HOST, "PORT": PORT, "PYTHONUNBUFFERED": "1"},
        start_new_session=True,
    )


def stop(parts: Parts) -> None:
    """Ask every part to finish, wait, then end whatever is left of its process group."""
    for part in parts.values():
        part.terminate()
    deadline = time.monotonic() + STOP_SECONDS
    for name, part in parts.items():
        try:
            part.wait(timeout=max(0.1, deadline - time.monotonic()))
        except subprocess.TimeoutExpired:
            say(f"the {name} did not stop within {STOP_SECONDS} s: ending it")
        try:
            os.killpg(part.pid, signal.SIGKILL)
        except ProcessLookupError:
            continue
        part.wait()


def health() -> dict[str, Any] | None:
    """Return the answer of /healthz, or None while the site does not answer."""
    try:
        with urllib.request.urlopen(f"{address()}/healthz", timeout=5) as answer:
            return dict(json.load(answer))
    except urllib.error.HTTPError as error:
        return dict(json.load(error)) if error.code == 503 else None
    except (OSError, ValueError):
        return None


def ended(parts: Parts) -> str | None:
    """Return why a part is no longer running, or None while all are."""
    for name, part in parts.items():
        code = part.poll()
        if code is not None:
            how = f"by {signal.Signals(-code).name}" if code < 0 else f"with exit code {code}"
            return f"the {name} ended {how}; what it said is above"
    return None


def wait_until_well(parts: Parts) -> bool:
    """Ask /healthz until the site is well; False when a part ended or time ran out."""
    deadline = time.monotonic() + START_SECONDS
    while ended(parts) is None and time.monotonic() < deadline:
        report = health()
        if report and report["site"]["ok"]:
            return True
        time.sleep(0.1)
    return False


def tell_grading(previous: str, *, early: bool) -> str:
    """Say whether code is graded when that has changed since `previous`; return what holds now.

    A worker needs seconds to start and to test its sandbox: until then "not graded" says nothing.
    """
    report = health()
    if report is None or (early and not report["grading"]["ok"]):
        return previous
    grading = report["grading"]
    now = "code is graded" if grading["ok"] else f"code is not graded: {grading['why']}"
    if now != previous:
        say(now)
    return now


def run(parts: Parts) -> str:
    """Start web and worker into `parts`, say what is there, and return why it ended."""
    parts["web server"] = start("web server", "-m", "gunicorn", "-c", "quizzes/config/gunicorn.py")
    parts["worker"] = start("worker", "manage.py", "worker")
    if not wait_until_well(parts):
        return ended(parts) or f"the site is not well after {START_SECONDS} s: {health()}"
    say(f"Ordinal is at {address()}/   (Ctrl-C stops it)")
    told, asked, began = "", 0.0, time.monotonic()
    while (reason := ended(parts)) is None:
        if (now := time.monotonic()) > asked + ASK_SECONDS:
            told, asked = tell_grading(told, early=now < began + EARLY_SECONDS), now
        time.sleep(0.2)
    return reason


def on_signal(number: int, _frame: FrameType | None) -> None:
    raise StopSignal(signal.Signals(number).name)


def prepare(*options: str) -> None:
    command = [sys.executable, "manage.py", "prepare_site", *options]
    subprocess.run(command, cwd=ROOT, check=True, start_new_session=True)


def main() -> int:
    parser = argparse.ArgumentParser(description="Run the site: web and worker.")
    parser.add_argument("--prepared", action="store_true", help="the database is prepared already")
    parser.add_argument(
        "--demo-class", action="store_true", help="have a class made up on a new database"
    )
    given = parser.parse_args()
    refuse_a_port_in_use()
    parts: Parts = {}
    signal.signal(signal.SIGINT, on_signal)
    signal.signal(signal.SIGTERM, on_signal)
    try:
        if not given.prepared:
            prepare(*["--demo-class"] * given.demo_class)
        say(run(parts))
    except subprocess.CalledProcessError as error:
        say(f"the database could not be prepared (exit code {error.returncode}); see above")
    except StopSignal as stopped:
        say(f"{stopped}: stopping")
        return 0
    finally:
        for number in (signal.SIGINT, signal.SIGTERM):
            signal.signal(number, signal.SIG_IGN)  # a second Ctrl-C must not leave half a site
        stop(parts)
        say("stopped")
    return 1


if __name__ == "__main__":
    sys.exit(main())
