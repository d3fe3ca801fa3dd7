"""The WSGI entry point that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")

application = get_wsgi_application()

# Nothing of a statement has happened that met SQLite's lock, so to try it once more before a 503 is
# to wait as long again. Workers do not: one that waited for 10 s would seem dead.
_options = connections.settings["default"]["OPTIONS"]
if connections["default"].vendor == "sqlite":
    _options["timeout"] *= 2
