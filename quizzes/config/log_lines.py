"""Lines of the log: a visitor's mistake is one line, our failure has its traceback.

Django writes an error and a traceback for every host, form and page that it refuses. Any visitor
can cause any number of them, and our failure would be lost among them. The visitor also chose
words of such a line: none of them may begin another line.

As text, for a person at a terminal, or as one JSON object a line (`LOG_FORMAT=json`), for programs
that collect the logs of many machines.
"""

import json
import logging
import re
from copy import copy
from datetime import UTC, datetime
from http import HTTPStatus
from typing import Any

from quizzes.config.request_id import cut

BREAKS = re.compile("\r\n|[\n\r\v\f\x1c-\x1e\x85\u2028\u2029]")
CONTROLS = re.compile(r"[\x00-\x08\x0e-\x1b\x1f\x7f-\x9f]")
OF_SUBMISSION = "submission %s"  # how every message about one begins


class LineFormatter(logging.Formatter):
    """Makes one line, a warning at most, where the answer was a 4xx."""

    def format(self, record: logging.LogRecord) -> str:
        record = _as_warning(record) if _is_refusal(record) else copy(record)
        record.msg, record.args = _one_entry(record.getMessage()), None
        text = super().format(record)
        return " ".join(text.splitlines()) if _is_refusal(record) else text


class JsonFormatter(logging.Formatter):
    """Makes one JSON object of a record; the request and the submission are fields of their own."""

    def format(self, record: logging.LogRecord) -> str:
        if _is_refusal(record):
            record = _as_warning(record)
        line: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
        }
        if name := getattr(record, "request_id", ""):
            line["request"] = name
        if str(record.msg).startswith(OF_SUBMISSION) and isinstance(record.args, tuple):
            line["submission"] = record.args[0]
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["exception"] = self.formatException(record.exc_info)
        # ASCII: a lone surrogate or a line separator in somebody's text must not break a reader.
        return json.dumps(line, ensure_ascii=True, default=str)


def _is_refusal(record: logging.LogRecord) -> bool:
    status = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
    return bool(status < HTTPStatus.INTERNAL_SERVER_ERROR)


def _as_warning(record: logging.LogRecord) -> logging.LogRecord:
    record = copy(record)  # other handlers may show it as it is
    record.msg, record.args = cut(record.getMessage()), None
    record.exc_info = record.exc_text = record.stack_info = None
    if record.levelno > logging.WARNING:
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return record


def _one_entry(message: str) -> str:
    """Indent what follows a line break: nobody's text may look like an entry of its own."""
    return CONTROLS.sub(lambda match: f"\\x{ord(match[0]):02x}", BREAKS.sub("\n    ", message))
