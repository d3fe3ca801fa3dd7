"""What the preview beside a step's text costs: each pause sends the form and reads the one step.

Usage: python benchmarks/step_preview.py
The database is a new file of SQLite's with the course on positional encodings. An editor changes a
word of its longest step, and of the one with most figures, and waits, twenty times; the number is
the processor time of a request in this process, which renders it. Goal: medians of at most 60 ms.
"""

import os
import statistics
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[1]
sys.path[:0] = [str(ROOT)]

from benchmarks.options import end, parser_of, sizes_of  # noqa: E402
from benchmarks.own_site import COURSE, database_in  # noqa: E402

GOAL_MS = 60.0


def measure(pauses: int) -> dict[str, list[float]]:
    """Return the milliseconds of so many previews, by the name of the step."""
    from django.core.management import call_command
    from django.test import Client

    from quizzes.courses.models import Course, CourseStaff
    from quizzes.learners.models import User
    from quizzes.lessons.models import Step

    call_command("migrate", verbosity=0)
    call_command("load_content", str(ROOT / "quizzes/content" / COURSE))
    course, editor = Course.objects.get(slug=COURSE), User.objects.create_user("editor")
    CourseStaff.objects.create(course=course, user=editor, role="editor")
    client = Client(headers={"HX-Request": "true", "Host": "localhost"})
    client.force_login(editor, backend="django.contrib.auth.backends.ModelBackend")
    steps = Step.objects.filter(lesson__course=course).select_related("lesson__course")
    chosen = (
        max(steps, key=lambda step: len(step.text)),
        max(steps, key=lambda step: (step.text.count("```figure"), len(step.text))),
    )
    return {step.path: measure_step(client, step, pauses) for step in chosen}


def measure_step(client: Any, step: Any, pauses: int) -> list[float]:
    """Return the milliseconds of each preview while a word changes."""
    from quizzes.courses.drafts import current_text
    from tests.teaching.lesson_forms import form_of, lesson_thing

    now = current_text(lesson_thing(step.lesson.course, step.lesson.slug))
    fields = form_of(now.content, revision=now.revision, step=str(step.number))
    address = f"/teach/courses/{COURSE}/lessons/{step.lesson.slug}/preview/"
    times = []
    for pause in range(pauses + 1):
        typed = fields | {f"text-{step.number}": f"Word {pause}.\n\n{step.text}"}
        begun = time.process_time()
        answer = client.post(address, typed)
        times.append(1000 * (time.process_time() - begun))
        if answer.status_code != 200 or f"Word {pause}." not in answer.content.decode():
            raise SystemExit(f"{address}: {answer.status_code}, expected the step's new word")
    return times[1:]  # the first compiles templates


def main() -> int:
    """Measure, print, and return 1 where a full run is above the goal."""
    options = parser_of(__doc__).parse_args()
    pauses = sizes_of(options, full=20, quick=20, smoke=1)
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "quizzes.config.settings")
    with tempfile.TemporaryDirectory(prefix="ordinal-benchmark-") as folder:
        os.environ["DATABASE_URL"] = database_in(Path(folder))
        import django

        django.setup()
        times = measure(pauses)
    medians = {path: statistics.median(all_times) for path, all_times in times.items()}
    for path, median in medians.items():
        print(f"{path}: median {median:.0f} ms, worst {max(times[path]):.0f} ms of the processor")
    missed = [path for path, median in medians.items() if median > GOAL_MS]
    return end(options, [{"step": path, "ms": median} for path, median in medians.items()], missed)


if __name__ == "__main__":
    sys.exit(main())
