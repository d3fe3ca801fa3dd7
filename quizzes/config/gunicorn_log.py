"""What gunicorn says of its processes, written as the site writes its own lines.

gunicorn has a handler of its own, whose lines are text: a program that reads `LOG_FORMAT=json`
would stumble over the one line that says that a web process was killed.
"""

from typing import Any

from gunicorn.glogging import Logger


class SiteLogger(Logger):  # type: ignore[misc]  # it has no types
    """Hands gunicorn's lines to the handler of the settings.

    Before the settings are loaded, and where they cannot be, Python writes them bare.
    """

    def setup(self, cfg: Any) -> None:
        """Drop the handler that gunicorn has just made."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True
