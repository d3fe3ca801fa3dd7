"""`manage.py make_instructor USERNAME|EMAIL`: let an account teach; `--off` takes it back."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.learners.instructors import (
    AccountError,
    DoubtfulAccountError,
    find_account,
    set_instructor,
)
from quizzes.terminal import PlainCommand

REFUSED, DOUBTFUL = 1, 3


class Command(PlainCommand):
    help = (
        "Make an account an instructor, who then has Teach in the menu. Exit 1: there is no such "
        "account, or it is not active. Exit 3: the name may mean several accounts."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "account", metavar="USERNAME|EMAIL", help="user name or e-mail address of the account"
        )
        parser.add_argument("--off", action="store_true", help="no longer an instructor")

    def handle(self, *_args: Any, account: str, off: bool, **_options: Any) -> None:
        try:
            done = set_instructor(user=find_account(account), teaches=not off)
        except DoubtfulAccountError as doubtful:
            raise CommandError(str(doubtful), returncode=DOUBTFUL) from doubtful
        except AccountError as refused:
            raise CommandError(str(refused), returncode=REFUSED) from refused
        self.stdout.write(done)
