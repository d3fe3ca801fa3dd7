"""A provider of sign-on that answers with its configuration: the addresses of sign-on need one."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from threading import Thread

from quizzes.learners.sign_on.providers import OidcProvider, read_providers
from tests.sweep.world import PROVIDER


class _Handler(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        address = f"http://127.0.0.1:{self.server.server_port}"  # type: ignore[attr-defined]
        places = ("authorization_endpoint", "token_endpoint", "jwks_uri")
        body = {"issuer": address, "keys": []} | {name: f"{address}/{name}" for name in places}
        self.send_response(200)
        self.end_headers()
        self.wfile.write(json.dumps(body).encode())

    def log_message(self, *_: object) -> None:
        pass


@contextmanager
def answering_provider() -> Iterator[tuple[OidcProvider, ...]]:
    """Serve on this machine; yield the setting that names it."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _Handler) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        entry = {
            "id": PROVIDER,
            "name": "University",
            "discovery": f"http://127.0.0.1:{server.server_port}",
            "client": "ordinal",
            "secret": "of-the-sweep",
        }
        yield read_providers(json.dumps([entry]))
        server.shutdown()
