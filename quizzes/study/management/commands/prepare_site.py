"""`manage.py prepare_site`: bring the database to where the site can start."""

from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError


class Command(BaseCommand):
    help = (
        "Migrate and load the shipped course where its files changed. In production: check the "
        "settings, gather the static files; else: make the demo logins."
    )

    def handle(self, *_args: Any, **_options: Any) -> None:
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        self.stdout.write("[ordinal] the database is up to date")
        try:
            call_command("load_content", settings.COURSE, stdout=self.stdout, stderr=self.stderr)
        except CommandError as error:
            if error.returncode != CONFLICT:
                raise
            self.stderr.write(f"[ordinal] the course is loaded but for these: {error}")
        if settings.PRODUCTION:
            call_command("check", deploy=True, databases=["default"], fail_level="WARNING")
            call_command("collectstatic", interactive=False, verbosity=0)
        else:
            call_command("demo_logins", stdout=self.stdout)


CONFLICT = 3  # load_content: something was edited in the browser and in its file
