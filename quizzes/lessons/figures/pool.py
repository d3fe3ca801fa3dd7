"""A few processes of their own draw reference figures, never a request's thread.

matplotlib takes about 100 ms of a core for one figure. The pool draws as many at a time as there
are cores and lets 16 wait; a request that comes then, or has waited 3 s, is asked to try again.
"""

import multiprocessing
import os
import threading
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures import TimeoutError as DrawingTimeout
from concurrent.futures.process import BrokenProcessPool
from functools import lru_cache
from urllib.parse import parse_qsl

QUEUE = 16
WAIT_SECONDS = 3.0
START_SECONDS = 20.0  # loading matplotlib takes about 2 s, more on a machine that is busy starting
RETRY_SECONDS = 2


class Busy(Exception):  # noqa: N818 -- nothing is wrong, it is only too much at once
    """The pool cannot draw this now; try again after `RETRY_SECONDS`."""


class ReferencePool:
    """A bounded pool of drawing processes, started with the first figure.

    It starts lazily because the web server forks after loading the site: threads and processes
    of a pool would not survive that.
    """

    def __init__(self, *, workers: int, queue: int, wait_seconds: float) -> None:
        self.workers = workers
        self.wait_seconds = wait_seconds
        self._places = threading.BoundedSemaphore(workers + queue)
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None
        self._ready: Future[None] | None = None

    def draw(self, encoding: str, view: str, query: str, scheme: str, file: str) -> bytes:
        """Return one figure as a file's bytes. Raises Busy."""
        if not self._places.acquire(blocking=False):
            raise Busy
        executor = None
        try:
            executor = self._running()
            future = executor.submit(_draw, encoding, view, query, scheme, file)
        except (BrokenProcessPool, RuntimeError, DrawingTimeout) as error:
            self._places.release()
            self._forget(executor)
            raise Busy from error
        future.add_done_callback(self._leave)  # a drawing that timed out still occupies its process
        try:
            return future.result(timeout=self.wait_seconds)
        except DrawingTimeout as error:
            future.cancel()
            raise Busy from error
        except BrokenProcessPool as error:
            self._forget(executor)
            raise Busy from error

    def close(self) -> None:
        """Stop the processes; the next figure starts them again."""
        self._forget(self._executor)

    def _running(self) -> ProcessPoolExecutor:
        """Return the processes once they have loaded matplotlib."""
        with self._lock:
            if self._executor is None:
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(["posenc.figures.reference"])
                self._executor = ProcessPoolExecutor(
                    self.workers, mp_context=context, initializer=_warm_up
                )
                self._ready = self._executor.submit(_nothing)
            executor, ready = self._executor, self._ready
        try:
            if ready is not None:
                ready.result(timeout=START_SECONDS)
        except BrokenProcessPool:  # killed while they were loading
            self._forget(executor)
            raise
        return executor

    def _forget(self, executor: ProcessPoolExecutor | None) -> None:
        """Drop processes that died or are not wanted; the next figure starts new ones."""
        with self._lock:
            if executor is None or self._executor is not executor:
                return  # another thread has dropped them already
            self._executor = None
        executor.shutdown(wait=False, cancel_futures=True)

    def _leave(self, _future: "Future[bytes]") -> None:
        self._places.release()


@lru_cache(maxsize=1)
def reference_pool() -> ReferencePool:
    """Return this process's pool."""
    return ReferencePool(workers=os.cpu_count() or 1, queue=QUEUE, wait_seconds=WAIT_SECONDS)


@lru_cache(maxsize=64)
def reference_figure(encoding: str, view: str, query: str, scheme: str, file: str) -> bytes:
    """Return a reference figure, drawn now or kept from before. Raises Busy."""
    return reference_pool().draw(encoding, view, query, scheme, file)


def _nothing() -> None:
    """Do nothing, which a process can do once it has warmed up."""


def _end_with_the_web_server() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


def _warm_up() -> None:
    """Load matplotlib and its fonts before the first figure has to wait for them.

    A process must not outlive a web server that was killed.
    """
    threading.Thread(target=_end_with_the_web_server, daemon=True).start()
    import posenc.catalog  # noqa: F401
    from matplotlib import font_manager  # noqa: F401
    from matplotlib.figure import Figure  # noqa: F401


def _draw(encoding: str, view: str, query: str, scheme: str, file: str) -> bytes:
    """Draw in a process of the pool; only plain texts go in and only bytes come back."""
    import posenc.catalog  # noqa: F401
    from posenc.figures import reference
    from posenc.query import read_query
    from posenc.registry import REGISTRY

    entry = REGISTRY[encoding]
    selection = read_query(entry, entry.views[view], dict(parse_qsl(query)))
    data = selection.compute()
    return reference.draw(data, scheme=scheme, file=file)  # type: ignore[arg-type]
