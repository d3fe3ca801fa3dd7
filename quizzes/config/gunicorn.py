"""How gunicorn serves the site: 2 processes of 4 threads, loaded once before they fork.

`HOST`, `PORT` and `WEB_PROCESSES` come from the environment.
"""

import ctypes
import fcntl
import gc
import os
import shutil
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path

# Threads answer requests already: on two cores, two more for each product of matrices make four
# requests at once 1.4 times as slow. Set before numpy is loaded.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
# A page gives the interpreter away with each query, and beside a long figure waits this long to
# have it back. With Python's 5 ms pages took twice as long beside a flood of figures.
sys.setswitchinterval(0.0005)

# A statement that met SQLite's lock has changed nothing, so trying it once more before a 503 means
# waiting as long again. This turns a 503 into an answer when a lock is held for 5 to 10 s; it costs
# a thread those seconds more, and a visitor as much where the lock is held for longer.
os.environ.setdefault("SQLITE_LOCK_SECONDS", "10")

# The memory of a sign-in's hash, 19 MiB by default, goes back to the system at once. glibc raises
# this bound to the size of what it frees, and would keep as much for each thread for ever: after a
# class had signed in, the web processes had 356 MB instead of 216 (benchmarks/deadline.py).
M_MMAP_THRESHOLD, LARGE = -3, 8 << 20
with suppress(AttributeError, OSError):  # another C library
    ctypes.CDLL(None).mallopt(M_MMAP_THRESHOLD, LARGE)

HOST = os.environ.get("HOST", "127.0.0.1")
PORT = os.environ.get("PORT", "8000")
IN_MEMORY = Path("/dev/shm")  # noqa: S108 -- the kernel's own, only gunicorn writes there

wsgi_app = "quizzes.config.wsgi"
bind = f"[{HOST}]:{PORT}" if ":" in HOST else f"{HOST}:{PORT}"
workers = int(os.environ.get("WEB_PROCESSES", "2"))
worker_class = "quizzes.config.web_worker.BufferedWorker"
threads = 4
worker_connections = 1000  # of each process; more wait until one of them is closed
timeout = 30
graceful_timeout = 15  # for answers in work; longer than one wait for SQLite's lock
keepalive = 20  # seconds; a silent connection costs no thread
accesslog = None  # the site writes a line for each request itself, without secrets in its address
loglevel = "warning"
# Its own lines go to the handler of the settings: with LOG_FORMAT=json every line is an object.
logconfig_dict = {
    "root": {},
    "handlers": {},
    "loggers": {"gunicorn.error": {"handlers": [], "propagate": True}},
}
control_socket_disable = True  # only the program that started gunicorn stops and restarts the site
# Heartbeat files in memory: on a slow disk a worker that is well can look dead.
worker_tmp_dir = str(IN_MEMORY) if IN_MEMORY.is_dir() else None

# The code is loaded once and shared by both processes, which start in half the time. What must
# not cross a fork is started late: database connections are closed below, and matplotlib's
# process pool starts with its first picture.
preload_app = True


# Where the web processes count requests together (prometheus-client reads the variable when it is
# imported); a folder for each start, so that no old numbers are left.
METRICS_NAME = "ordinal-metrics-"


YOUNG_SECONDS = 60  # a folder may have been made a moment before it is locked


def remove_left_folders(parent: Path) -> None:
    """Remove the folders of sites that were killed: they lie in memory, where nobody looks.

    Each is locked as long as a process of its site lives.
    """
    for folder in parent.glob(f"{METRICS_NAME}*"):
        with suppress(OSError):
            if time.time() - folder.stat().st_mtime > YOUNG_SECONDS:
                opened = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
                try:
                    fcntl.flock(opened, fcntl.LOCK_EX | fcntl.LOCK_NB)
                    shutil.rmtree(folder)
                finally:
                    os.close(opened)


METRICS_PARENT = IN_MEMORY if os.access(IN_MEMORY, os.W_OK) else Path(tempfile.gettempdir())
remove_left_folders(METRICS_PARENT)
METRICS_FOLDER = tempfile.mkdtemp(prefix=METRICS_NAME, dir=METRICS_PARENT)
METRICS_LOCK = os.open(METRICS_FOLDER, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
fcntl.flock(METRICS_LOCK, fcntl.LOCK_EX)  # until the last process that was forked has ended
os.environ["PROMETHEUS_MULTIPROC_DIR"] = METRICS_FOLDER


def child_exit(_server: object, worker: object) -> None:
    """Forget what only a living process has."""
    from prometheus_client import multiprocess

    multiprocess.mark_process_dead(worker.pid)  # type: ignore[attr-defined,no-untyped-call]


def on_exit(_server: object) -> None:
    """Remove the folder of the counts."""
    shutil.rmtree(METRICS_FOLDER, ignore_errors=True)


def pre_fork(_server: object, _worker: object) -> None:
    """Close database connections that loading may have opened: two processes cannot share one.

    What was loaded lives as long as the process: looking through it for garbage stops all of its
    threads for some 60 ms, and would copy the memory that the processes share.
    """
    from django.db import connections

    connections.close_all()
    gc.freeze()
