"""The WSGI entry point that gunicorn serves."""

import os

from django.core.wsgi import get_wsgi_application
from django.db import connections

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")

application = get_wsgi_application()

# Nothing of a statement that met SQLite's lock has happened, so trying it once more before a 503
# means waiting as long again. Workers do not: one that waits for 10 s seems dead.
_options = connections.settings["default"]["OPTIONS"]
if connections["default"].vendor == "sqlite":
    _options["timeout"] *= 2
