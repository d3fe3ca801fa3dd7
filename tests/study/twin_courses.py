"""Two courses made of one folder: every name in the one is a name in the other as well.

They are the second shipped course, which is small and has questions of all kinds, a prediction,
exercises and a map, and a deep dive of two cards.
"""

import shutil
import tempfile
from pathlib import Path

from django.conf import settings

from quizzes.assessment.models import Question
from quizzes.authoring.course_files import read_course_files
from quizzes.authoring.loading import load
from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.exercises import publishing
from quizzes.worker.question_pool import store_instance
from tests.assessment.drawn import made, made_number
from tests.shipped_course import load_once

FOLDER = Path(settings.ROOT) / "quizzes/content/attention-from-scratch"
ONE, TWO = "twin-one", "twin-two"
CARDS = """\
title: The deep dive
summary: Two cards.
form: cards
prerequisites: []
steps:
  - {slug: first, title: The first, sources: [{work: vaswani-2017, where: section 3}]}
  - {slug: second, title: The second, sources: [{work: vaswani-2017, where: section 3}]}
"""
CARD = "All of it is told [by hand](/learn/attention-by-hand/).\n"


def load_twins() -> tuple[Course, Course]:
    """Load both courses, verify their exercises and draw their questions. Empty tables."""
    load_once("twins", _load)
    return Course.objects.get(slug=ONE), Course.objects.get(slug=TWO)


def _load() -> None:
    with tempfile.TemporaryDirectory() as folder:
        for slug in (ONE, TWO):
            load(read_course_files(DiskFiles(write_twin(Path(folder), slug))))
    while (version := publishing.lease_unverified()) is not None:
        publishing.accept(version=version, seed=1, data=b"", outline={"shown": [], "hidden": 1})
    for question in Question.objects.exclude(current__generator={}).select_related("current"):
        make = made_number if question.current.kind == "numeric" else made
        for seed in range(3):
            store_instance(question.current, make(seed))


def write_twin(root: Path, slug: str) -> Path:
    """Write the course into a folder with this name, with its deep dive as the last lesson."""
    course = root / slug
    shutil.copytree(FOLDER, course)
    facts = course / "course.yaml"
    facts.write_text(facts.read_text().replace("  - many-heads\n", "  - many-heads\n  - deep\n"))
    (course / "lessons/deep/steps").mkdir(parents=True)
    (course / "lessons/deep/lesson.yaml").write_text(CARDS)
    for number, step in enumerate(("first", "second"), 1):
        (course / f"lessons/deep/steps/{number:02d}-{step}.md").write_text(CARD)
    return course
