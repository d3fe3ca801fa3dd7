"""manage.py export_content PATH: write a course back to files."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.exporting import export
from quizzes.content_files.characters import visible
from quizzes.courses.models import Course
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Write a course as learners see it to a folder: lessons, questions, quizzes, exercises"
        " and map, but nothing from other courses. Files whose content has not changed are left"
        " alone; the others are written in canonical form, with texts exactly as their authors"
        " wrote them. Files that an item no longer has are deleted, and so are those of a"
        " withdrawn item if they match the database; files that the database does not know are"
        " kept. Drafts, and quizzes that were withdrawn in the browser, are not written. If the"
        " folder has newer files, load it first: files that differ are overwritten."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="course folder; created if it is missing")
        parser.add_argument(
            "--course", metavar="SLUG", help="the course; default: the folder's name"
        )

    def handle(self, *args: Any, path: str, course: str | None, **options: Any) -> None:
        del args, options
        root = Path(path)
        name = root.resolve().name
        wanted = _course(course or name)
        if name != wanted.slug and Course.objects.filter(slug=name).exists():
            words = f"PATH={path}: the folder {name} belongs to another course, not to {course}"
            raise CommandError(visible(words), returncode=2)
        try:
            root.mkdir(parents=True, exist_ok=True)
            done = export(root, wanted)
        except (OSError, ValueError) as error:
            words = f"PATH={path}: cannot be written: {error}"
            raise CommandError(visible(words), returncode=2) from error
        for name in done.written:
            self.stdout.write(f"{path}/{name}")
        for name in done.deleted:
            self.stdout.write(f"{path}/{name}: deleted")
        count = len(done.written)
        self.stdout.write(f"{path}: {count or 'no'} file{'s' * (count != 1)} written")


def _course(slug: str) -> Course:
    found = Course.objects.filter(slug=slug).first()
    if found is None:
        known = ", ".join(Course.objects.values_list("slug", flat=True)) or "none"
        words = f"there is no course {slug!r}: name one with --course (there are: {known})"
        raise CommandError(visible(words), returncode=2)
    return found
