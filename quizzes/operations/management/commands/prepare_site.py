"""`manage.py prepare_site`: prepare the database so that the site can start."""

from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import CommandError, CommandParser

from quizzes.classes.demo.creation import begin_demo_class, forget_begun_class
from quizzes.content_files.course_folders import course_folders
from quizzes.courses.models import Course
from quizzes.grader.api import SandboxBroken, SandboxUnavailable
from quizzes.learners.models import User
from quizzes.operations.healthz import newer_migrations
from quizzes.operations.preparation_lock import preparation_lock
from quizzes.terminal import PlainCommand
from quizzes.worker.question_pool import START, fill_pools


class Command(PlainCommand):
    help = (
        "Migrate the database, load the shipped courses whose files have changed (unless the"
        " database is from a newer version), and draw the first numbers for new generated"
        " questions. In production, also check the settings and gather the static files; in"
        " development, create the demo logins. If several of these commands start at the same time"
        " on one database, they wait for each other."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--demo-class",
            action="store_true",
            help="in development, have a worker fill a class, if the database is new",
        )

    def handle(self, *_args: Any, **options: Any) -> None:
        with preparation_lock(self._say):
            self._prepare(demo_class=options["demo_class"] and settings.DEMO_CLASS)

    def _say(self, words: str) -> None:
        self.stdout.write(f"[ordinal] {words}")
        self.stdout.flush()

    def _prepare(self, *, demo_class: bool = False) -> None:
        call_command("migrate", interactive=False, verbosity=0, stdout=self.stdout)
        self._say("the database is up to date")
        # A host of the release before that starts again in the middle of an upgrade would put back
        # what its own files say, and withdraw the lessons that are new.
        if newer := newer_migrations():
            self._say(f"it is from a newer version ({newer[-1]}): courses are left as they are")
        else:
            for folder in course_folders(settings.COURSE):
                self._load(folder)
            call_command("fill_pictures")
        self._draw_first_numbers()
        if not settings.DEMO_CLASS:
            forget_begun_class()  # no worker will fill it
        if settings.PRODUCTION:
            call_command("check", deploy=True, databases=["default"], fail_level="WARNING")
            call_command("collectstatic", interactive=False, verbosity=0)
        else:
            self._let_people_try(demo_class=demo_class)

    def _load(self, folder: Path) -> None:
        """Load a course. A fault in another than the home course does not keep the site down."""
        try:
            call_command("load_content", folder, stdout=self.stdout, stderr=self.stderr)
        except CommandError as error:
            if error.returncode == CONFLICT:
                words = f"the course {folder.name} is loaded except for these: {error}"
            elif folder != settings.COURSE:
                words = f"the course {folder.name} is not loaded: {error}"
            else:
                raise
            self.stderr.write(f"[ordinal] {words}")

    def _let_people_try(self, *, demo_class: bool) -> None:
        """Create the demo logins; where they are the first accounts, perhaps a class as well."""
        is_new = not User.objects.exists()
        call_command("demo_logins", stdout=self.stdout)
        course = Course.objects.first()
        if demo_class and is_new and course and begin_demo_class(course=course):
            self._say("a demo class is being prepared: the instructor finds it in a minute or two")

    def _draw_first_numbers(self) -> None:
        """Make the first quiz complete. Without a sandbox a worker does it later."""
        try:
            fill_pools(size=START)
        except (SandboxUnavailable, SandboxBroken) as error:
            self.stderr.write(f"[ordinal] generated questions will be available later: {error}")


CONFLICT = 3  # load_content: content was edited in the browser and in its file
