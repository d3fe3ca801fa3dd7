"""manage.py copy_course FROM TO: make a course that begins as another one is now."""

from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.copies import CopyError, copy_course
from quizzes.content_files.characters import visible
from quizzes.courses.models import Course
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Copy a course as learners see it, as if you exported it, renamed it and loaded it."
        " Drafts, learners' work and withdrawn content are not copied. The copy is placed after "
        "the other courses and is not listed; open it at the address that is printed."
        " Exercises that are already verified are not verified again."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("source", metavar="FROM", help="slug of a course")
        parser.add_argument("slug", metavar="TO", help="slug of the copy, which must be free")
        parser.add_argument("--title", default="", help='default: the title of FROM and "(copy)"')

    def handle(self, *args: Any, source: str, slug: str, title: str, **options: Any) -> None:
        del args, options
        found = Course.objects.filter(slug=source).first()
        if found is None:
            known = ", ".join(Course.objects.values_list("slug", flat=True)) or "none"
            words = f"There is no course {source!r} (existing courses: {known})."
            raise CommandError(visible(words), returncode=2)
        try:
            copy = copy_course(found, slug=slug, title=title)
        except CopyError as error:
            raise CommandError(visible(str(error)), returncode=2) from error
        self.stdout.write(visible(f"{copy.slug}: “{copy.title}”, at {copy.get_absolute_url()}"))
