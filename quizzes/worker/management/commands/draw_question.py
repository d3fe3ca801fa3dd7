"""manage.py draw_question FOLDER: what a question's generate.py makes of some seeds."""

from pathlib import Path
from typing import Any

from django.core.management.base import CommandError, CommandParser

from quizzes.assessment.generator.generated_question import Generated
from quizzes.assessment.generator.run_generator import generate
from quizzes.assessment.question_files import read_questions
from quizzes.content_files.characters import visible
from quizzes.content_files.files import DiskFiles
from quizzes.grader.api import AuthorError, SandboxBroken, SandboxUnavailable
from quizzes.grader.sandbox import open_sandbox
from quizzes.terminal import PlainCommand

SANDBOX_OFF = 3


class Command(PlainCommand):
    help = "Run a question's generate.py in the author sandbox and print what learners would see."
    requires_system_checks = ()

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("folder", type=Path, help="<course>/questions/<slug>")
        parser.add_argument(
            "--seeds", type=int, default=3, help="how many seeds to try, counted from 0 (3)"
        )

    def handle(self, *args: Any, folder: Path, seeds: int, **options: Any) -> None:
        del args, options
        folder = folder.resolve()
        questions, problems = read_questions(DiskFiles(folder.parent.parent))
        mine = [problem for problem in problems if f"questions/{folder.name}/" in problem.path]
        if mine:
            raise CommandError("\n".join(map(str, mine)), returncode=1)
        found = next((one for one in questions if one.slug == folder.name), None)
        if found is None or not found.generator:
            raise CommandError(
                f"{visible(str(folder))}: must be a question with a generate.py", returncode=2
            )
        try:
            with open_sandbox("author") as author:
                drawn = generate(found.generator, found.kind, range(seeds), author)
        except AuthorError as error:
            raise CommandError(f"{folder.name}/{error}", returncode=1) from error
        except (SandboxUnavailable, SandboxBroken) as error:
            raise CommandError(str(error), returncode=SANDBOX_OFF) from error
        for one in drawn:
            self.stdout.write("\n".join(_lines(one)))
        self.stdout.write(f"{len(drawn)} of {seeds} seeds give a question")


def _lines(drawn: Generated) -> list[str]:
    lines = [f"seed {drawn.seed}: {drawn.prompt}"]
    for option in drawn.options:
        sign = "*" if option.is_key else "-"
        of = f" [{option.mistake}]" if option.mistake else ""
        picture = " (picture)" if option.picture else ""
        lines.append(f"  {sign} {option.text}{picture}{of}\n      {option.reason}")
    if drawn.answer is not None:
        unit = drawn.answer.get("unit", "")
        lines.append(f"  = {drawn.answer['value']} {unit}\n      {drawn.answer['reason']}")
        for miss in drawn.answer["near"]:
            lines.append(f"  - {miss['value']} [{miss['mistake']}]\n      {miss['reason']}")
    return lines
