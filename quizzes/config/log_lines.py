"""Lines of the log: what a visitor did wrong is one line, what we did wrong has its traceback.

Django writes a traceback for every host, form and page that it refuses. Anybody can ask for as many
as they like, and a fault of ours would be lost among them.
"""

import logging
from copy import copy
from http import HTTPStatus


class LineFormatter(logging.Formatter):
    """Leaves the traceback out where the answer was a 4xx."""

    def format(self, record: logging.LogRecord) -> str:
        status = getattr(record, "status_code", HTTPStatus.INTERNAL_SERVER_ERROR)
        if status < HTTPStatus.INTERNAL_SERVER_ERROR:
            record = copy(record)  # other handlers may show it
            record.exc_info = record.exc_text = None
        return super().format(record)
