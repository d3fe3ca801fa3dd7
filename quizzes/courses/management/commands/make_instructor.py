"""`manage.py make_instructor USERNAME|EMAIL`: let an account teach; `--off` takes it back."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.courses.models import Course
from quizzes.courses.roles import Role, set_instructor, set_role
from quizzes.learners.instructors import AccountError, DoubtfulAccountError, find_account
from quizzes.learners.models import User
from quizzes.terminal import PlainCommand

REFUSED, DOUBTFUL = 1, 3


class Command(PlainCommand):
    help = (
        "Make somebody an instructor: Teach then appears in their menu. With --course, also give "
        "them a role in that course; without a role, an instructor sees no courses. "
        "Exit 1: there is no such account or course, or the account is not active. Exit 3: several "
        "accounts match the name."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "account", metavar="USERNAME|EMAIL", help="user name or e-mail address of the account"
        )
        parser.add_argument("--course", metavar="SLUG", help="a course to give a role in")
        parser.add_argument(
            "--role", choices=Role.values, default=Role.EDITOR.value, help="default: editor"
        )
        parser.add_argument(
            "--off",
            action="store_true",
            help=(
                "remove as an instructor, with all course roles; with --course, remove only the "
                "role in that course"
            ),
        )

    def handle(self, *_args: Any, account: str, off: bool, **options: Any) -> None:
        try:
            course, user = _course(options["course"]), find_account(account)
            for done in _changes(user, course, Role(options["role"]), off=off):
                self.stdout.write(done)
        except DoubtfulAccountError as doubtful:
            raise CommandError(str(doubtful), returncode=DOUBTFUL) from doubtful
        except AccountError as refused:
            raise CommandError(str(refused), returncode=REFUSED) from refused
        if not off and not user.is_superuser and not user.course_roles.exists():
            self.stderr.write(
                f"{user.username} has no role in a course yet: give one with --course"
            )


def _course(slug: str | None) -> Course | None:
    found = Course.objects.filter(slug=slug).first() if slug else None
    if slug and found is None:
        known = ", ".join(Course.objects.values_list("slug", flat=True)) or "none"
        raise CommandError(f"there is no course {slug!r}; courses: {known}", returncode=REFUSED)
    return found


def _changes(user: User, course: Course | None, role: Role, *, off: bool) -> list[str]:
    """Make the changes; return a sentence about each."""
    if course is None:
        return [set_instructor(user=user, teaches=not off)]
    if off:
        return [set_role(course, user=user, role=None, by=None)]
    return [
        set_instructor(user=user, teaches=True),
        set_role(course, user=user, role=role, by=None),
    ]
