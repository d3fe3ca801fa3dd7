#!/usr/bin/env python
"""Django's command line for Ordinal."""

import os
import sys


def main() -> None:
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError as error:
        raise SystemExit(
            "Django is not installed for this interpreter. `make run` makes .venv/ with all that "
            "Ordinal needs; then use `.venv/bin/python manage.py ...`."
        ) from error
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
