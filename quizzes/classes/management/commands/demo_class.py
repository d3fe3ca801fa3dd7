"""`manage.py demo_class`: make a class of 200 with two weeks of work, to try teaching with."""

from typing import Any

from django.conf import settings
from django.core.management.base import CommandError, CommandParser

from quizzes.classes.demo.creation import DemoError, make_demo_class
from quizzes.classes.demo.submissions import grade_newest_again
from quizzes.courses.models import Course
from quizzes.learners.instructors import AccountError, find_account
from quizzes.terminal import PlainCommand

MOST_PEOPLE = 5_000


class Command(PlainCommand):
    help = "Create a class of 200 made-up people with two weeks of work in it."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument(
            "--instructor", default="instructor", help="user name of the instructor"
        )
        parser.add_argument(
            "--course", default="", help="slug of the course; default: the home course"
        )
        parser.add_argument("--name", default="demo", help="name of the class in addresses")
        parser.add_argument("--people", type=int, default=200)
        parser.add_argument("--seed", type=int, default=1)

    def handle(self, *_args: Any, **options: Any) -> None:
        if settings.PRODUCTION:
            raise CommandError("a class of made-up people is only for development and tests")
        if not 1 <= options["people"] <= MOST_PEOPLE:
            raise CommandError(f"--people {options['people']}: must be 1 to {MOST_PEOPLE}")
        named = options["course"]
        courses = Course.objects.filter(slug=named) if named else Course.objects.all()
        course = courses.first()
        if course is None:
            raise CommandError(f"there is no course {named}" if named else "there is no course")
        try:
            by = find_account(options["instructor"])
            made = make_demo_class(
                course=course,
                by=by,
                slug=options["name"],
                people=options["people"],
                seed=options["seed"],
            )
        except (AccountError, DemoError) as error:
            raise CommandError(str(error)) from None
        self.stdout.write(
            f"class {made.cohort.slug}: {made.students} students, {made.attempts} attempts,"
            f" {made.submissions} submissions; {by.username} teaches it"
        )
        if again := grade_newest_again(made.cohort):
            self.stdout.write(f"A worker grades {again} of them once more, for their pictures.")
        if not made.submissions:
            self.stdout.write(
                "No code was submitted: no exercise in the course is ready yet. Let the site run "
                "for a few minutes, then create another class with --name."
            )
