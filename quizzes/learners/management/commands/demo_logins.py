"""`manage.py demo_logins`: make and print the demo logins of a development site."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from quizzes.learners.demo import make_demo_logins
from quizzes.learners.models import User
from quizzes.terminal.commands import PlainCommand


class Command(PlainCommand):
    help = "Make one learner and one instructor to try the site with, and print their logins."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--delete", action="store_true", help="delete them instead")

    def handle(self, *_args: Any, **options: Any) -> None:
        if options["delete"]:
            demos = User.objects.filter(is_demo=True)
            names = [user.username for user in demos.order_by("username")]
            demos.delete()
            self.stdout.write(f"deleted: {', '.join(names) or 'there were none'}")
            return
        if settings.PRODUCTION:
            raise CommandError("demo logins are for development: ORDINAL_ENV=production has none")
        for login in make_demo_logins():
            self.stdout.write(f"sign in as {login.role}: {login.username} / {login.password}")
