"""A name for each request, in its answer and in every line of the log that is written for it.

Our proxy may have given one (`X-Request-ID`). A visitor's own is not believed: it would let
anybody write into our logs, or mix two people's lines.
"""

import logging
from collections.abc import Mapping
from contextvars import ContextVar

# Parts of addresses, by their names in the routes: keys of messages, codes that let people in.
SECRET_PARTS = {"key", "code", "token"}
HIDDEN = "..."
MOST_CHARACTERS = 500  # of an address, or of the words of a refusal, in a line of the log
request_id: ContextVar[str] = ContextVar("request_id", default="")


class RequestIdFilter(logging.Filter):
    """Gives each record the name of the request that this thread is answering, "" for none.

    Django's own lines about a request name its address: the secrets in it are taken out.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        if not hasattr(record, "request_id"):
            record.request_id = request_id.get()
        request = getattr(record, "request", None)
        if request is not None and isinstance(record.args, tuple):
            match = getattr(request, "resolver_match", None)
            named = match.kwargs if match else {}
            record.args = tuple(
                path_for_log(one, named) if isinstance(one, str) else one for one in record.args
            )
        return True


def path_for_log(path: str, named: Mapping[str, object]) -> str:
    """Return an address without its secret parts, and not too long.

    It may have 32 KB, each of which may be written as six characters: what collects lines cuts such
    a line in two, and a few hundred of them push all others out of the log that is kept.
    """
    for name in SECRET_PARTS & named.keys():
        path = path.replace(str(named[name]), HIDDEN)
    return cut(path)


def cut(text: str) -> str:
    """Return as much of what a visitor sent as a line of the log needs."""
    return text if len(text) <= MOST_CHARACTERS else text[:MOST_CHARACTERS] + HIDDEN
