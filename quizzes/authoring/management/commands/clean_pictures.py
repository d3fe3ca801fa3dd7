"""manage.py clean_pictures PATH: take out of pictures what is not the picture."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.exporting import put
from quizzes.content_files.characters import visible
from quizzes.content_files.files import DiskFiles
from quizzes.content_files.problems import ContentError
from quizzes.lessons.pictures.cleaning import clean
from quizzes.lessons.pictures.header import MAX_BYTES, SUFFIXES, PictureError
from quizzes.lessons.pictures.picture_files import FOLDER
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Write the pictures of a course folder again without Exif, comments and whatever else is"
        " not the picture: where it was taken, and by whom. A file without any of this keeps its"
        " bytes."
    )

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("path", metavar="PATH", help="course folder")

    def handle(self, *args: Any, path: str, **options: Any) -> None:
        del args, options
        root = Path(path)
        if not root.is_dir():
            raise CommandError(visible(f"PATH={path}: there is no such folder"), returncode=2)
        faults = 0
        files = DiskFiles(root)
        try:
            entries = files.entries(FOLDER)
        except ContentError as error:
            raise CommandError(visible(str(error.problems[0])), returncode=1) from error
        for entry in entries:
            name = f"{FOLDER}/{entry.name}"
            if not entry.name.endswith(tuple(SUFFIXES.values())):
                continue
            try:
                data = files.content(name, max_bytes=MAX_BYTES)
                if put(root, name, clean(data).data):
                    self.stdout.write(f"{path}/{name}: written again")
            except ContentError as error:
                faults += 1
                self.stderr.write(visible(str(error.problems[0])))
            except PictureError as error:
                faults += 1
                self.stderr.write(visible(f"{name}:1: {error}"))
        if faults:
            raise CommandError(f"{faults} of the pictures could not be cleaned", returncode=1)
