"""Lines of the log: a visitor's mistake is one line, a failure of ours has its traceback.

Django writes an error and a traceback for every host, form and page that it refuses. Any visitor
can cause any number of them, and a failure of ours would be lost among them. The visitor also chose
words of such a line: none of them may begin another line.
"""

import logging
from copy import copy
from http import HTTPStatus


class LineFormatter(logging.Formatter):
    """Makes one line, a warning at most, where the answer was a 4xx."""

    def format(self, record: logging.LogRecord) -> str:
        status = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
        if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
            return super().format(record)
        record = copy(record)  # other handlers may show it as it is
        record.exc_info = record.exc_text = record.stack_info = None
        if record.levelno > logging.WARNING:
            record.levelno, record.levelname = logging.WARNING, "WARNING"
        return " ".join(super().format(record).splitlines())
