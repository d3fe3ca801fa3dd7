"""A proxy that puts distance between a browser and a site: every byte arrives so much later."""

import asyncio
import contextlib
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from urllib.parse import urlsplit

PIECE = 65_536  # bytes


@contextmanager
def at_distance(url: str, round_trip_ms: float) -> Iterator[str]:
    """Yield the address under which a running site answers that much later."""
    if not round_trip_ms:
        yield url
        return
    place, loop = urlsplit(url), asyncio.new_event_loop()
    ready, ports = threading.Event(), list[int]()

    async def serve() -> None:
        server = await asyncio.start_server(_meet(place.hostname, place.port), "127.0.0.1", 0)
        ports.append(server.sockets[0].getsockname()[1])
        ready.set()

    def _meet(host: str | None, port: int | None) -> "asyncio.streams._ClientConnectedCallback":
        async def meet(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            there, back = await asyncio.open_connection(host, port)
            late = round_trip_ms / 2000
            with contextlib.suppress(asyncio.CancelledError):  # the proxy ends, see `_end`
                await asyncio.gather(_carry(reader, back, late), _carry(there, writer, late))

        return meet

    asyncio.run_coroutine_threadsafe(serve(), loop)
    threading.Thread(target=loop.run_forever, daemon=True).start()
    ready.wait()
    try:
        yield f"http://127.0.0.1:{ports[0]}"
    finally:
        asyncio.run_coroutine_threadsafe(_end(loop), loop)


async def _end(loop: asyncio.AbstractEventLoop) -> None:
    """Stop whatever is still carried, then the loop."""
    tasks = asyncio.all_tasks(loop) - {asyncio.current_task()}
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)
    loop.stop()


async def _carry(
    reader: asyncio.StreamReader, writer: asyncio.StreamWriter, late_seconds: float
) -> None:
    """Pass on what comes, each piece `late_seconds` after it came, also while others wait."""
    loop = asyncio.get_running_loop()
    waiting: asyncio.Queue[tuple[float, bytes]] = asyncio.Queue()

    async def read() -> None:
        while True:
            try:
                piece = await reader.read(PIECE)
            except OSError:
                piece = b""
            waiting.put_nowait((loop.time() + late_seconds, piece))
            if not piece:
                return

    reading = loop.create_task(read())
    while True:
        due, piece = await waiting.get()
        await asyncio.sleep(max(0.0, due - loop.time()))
        try:
            if not piece:
                break
            writer.write(piece)
            await writer.drain()
        except OSError:
            break
    reading.cancel()
    writer.close()
