"""`manage.py disconnect_provider NAME PROVIDER`: an account of a provider no longer opens NAME."""

from typing import Any

from allauth.socialaccount.models import SocialAccount
from django.core.management.base import CommandError, CommandParser

from quizzes.learners.instructors import AccountError, find_account
from quizzes.learners.models import User
from quizzes.learners.sessions.own_sessions import end_sessions
from quizzes.learners.sign_on.identities import disconnect, identities_of
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Disconnect an account from a provider of OIDC_PROVIDERS, named by its id: the person who "
        "signs in there gets a new account, or connects again. Every session of the account ends. "
        "With LOCAL_PASSWORDS off, the password of the account counts again. Exit 1: there is no "
        "such account or identity."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("account", metavar="NAME", help="user name or verified e-mail address")
        parser.add_argument("provider", metavar="PROVIDER", help="id of the provider")

    def handle(self, *_args: Any, account: str, provider: str, **_options: Any) -> None:
        try:
            user = find_account(account)
        except AccountError as refused:
            raise CommandError(str(refused)) from refused
        if not disconnect(user, provider=provider):
            raise CommandError(f"{user.username} is not connected with {provider!r}{_others(user)}")
        end_sessions(user)
        self.stdout.write(f"{user.username} no longer signs in with {provider}; its sessions ended")
        if not (user.has_stored_password or identities_of(user).exists()):
            self.stdout.write(f"it has no way in now: manage.py changepassword {user.username}")


def _others(user: User) -> str:
    names = SocialAccount.objects.filter(user=user).values_list("provider", flat=True)
    return f", but with {', '.join(sorted(names))}" if names else ""
