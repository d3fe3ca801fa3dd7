"""Reference figures are drawn by a few processes of their own, never in a request's thread.

matplotlib takes about 100 ms of a core for one figure. The pool draws as many at a time as there
are cores and lets 16 wait; whoever comes then, or has waited 3 s, is told to try again.
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

    def draw(self, encoding: str, view: str, query: str, scheme: str, file: str) -> bytes:
        """Return one figure as a file's bytes. Raises Busy."""
        if not self._places.acquire(blocking=False):
            raise Busy
        try:
            future = self._running().submit(_draw, encoding, view, query, scheme, file)
        except BrokenProcessPool as error:
            self._places.release()
            self._restart()
            raise Busy from error
        except BaseException:
            self._places.release()
            raise
        future.add_done_callback(self._leave)  # a drawing given up on still takes its place
        try:
            return future.result(timeout=self.wait_seconds)
        except DrawingTimeout as error:
            future.cancel()
            raise Busy from error
        except BrokenProcessPool as error:
            self._restart()
            raise Busy from error

    def close(self) -> None:
        """Stop the processes; the next figure starts them again."""
        with self._lock:
            executor, self._executor = self._executor, None
        if executor:
            executor.shutdown(wait=False, cancel_futures=True)

    def _running(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._executor is None:
                context = multiprocessing.get_context("forkserver")
                context.set_forkserver_preload(["posenc.figures.reference"])
                self._executor = ProcessPoolExecutor(
                    self.workers, mp_context=context, initializer=_warm_up
                )
            return self._executor

    def _restart(self) -> None:
        """Forget processes that died, so that the next figure starts new ones."""
        self.close()

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


def _warm_up() -> None:
    """Load matplotlib and its fonts before the first figure has to wait for them."""
    import posenc.catalog  # noqa: F401
    from matplotlib import font_manager  # noqa: F401
    from matplotlib.figure import Figure  # noqa: F401


def _draw(encoding: str, view: str, query: str, scheme: str, file: str) -> bytes:
    """Draw in a process of the pool; only plain texts travel there and only bytes come back."""
    import posenc.catalog  # noqa: F401
    from posenc.figures import reference
    from posenc.query import read_query
    from posenc.registry import REGISTRY

    entry = REGISTRY[encoding]
    selection = read_query(entry, entry.views[view], dict(parse_qsl(query)))
    data = selection.compute()
    return reference.draw(data, scheme=scheme, file=file)  # type: ignore[arg-type]
