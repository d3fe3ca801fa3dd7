"""manage.py content_schema KIND: the JSON schema of a course's YAML files, for an editor."""

import json
from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.authoring.file_schemas import FILES, schema_of
from quizzes.content_files.characters import visible
from quizzes.terminal import PlainCommand


class Command(PlainCommand):
    help = (
        "Print the JSON schema of a kind of file of a course, by which an editor completes fields"
        " and marks wrong ones while an author types. --in writes the schemas of all kinds into a"
        " folder, and prints which files each is for. No database is used."
    )
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        which = parser.add_mutually_exclusive_group(required=True)
        which.add_argument("kind", metavar="KIND", nargs="?", choices=FILES, help=", ".join(FILES))
        which.add_argument("--in", dest="folder", metavar="FOLDER", help="write all schemas here")

    def handle(self, *args: Any, kind: str | None, folder: str | None, **options: Any) -> None:
        del args, options
        if kind is not None:
            self.stdout.write(_text(kind))
            return
        for name, (files, _) in FILES.items():
            path = Path(folder or ".", f"{name}.schema.json")
            try:
                path.parent.mkdir(parents=True, exist_ok=True)
                path.write_text(_text(name) + "\n")
            except OSError as error:
                words = f"--in {folder}: cannot be written: {error.strerror}"
                raise CommandError(visible(words), returncode=2) from error
            self.stdout.write(visible(f"{path}: for {files}"))


def _text(kind: str) -> str:
    return json.dumps(schema_of(kind), indent=2, ensure_ascii=False)
