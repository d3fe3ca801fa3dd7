"""A small course without faults that has something of every kind, as files."""

import shutil
from pathlib import Path

from tests.assessment.content import QUESTION, write_question, write_quiz
from tests.assessment.drawn import SOURCE
from tests.lessons.course import write_course

EXAMPLE = Path(__file__).resolve().parents[2] / "docs/example-exercise"
ONE = """\
See [the end](/learn/second/end/), [the quiz](/quiz/sums/) and [the task](/exercises/causal-mask/).

```question
slug: adds
```

```exercise
slug: causal-mask
```
"""
NUMERIC = """\
kind: numeric
step: first/one
prompt: How many?
answer: {value: 4, within: 0.01, reason: Count them., near: [{value: 5, reason: One too many.}]}
"""
DRAWN = "kind: single\nstep: second/end\nprompt: Other numbers every time.\n"
SECOND = """\
title: Second
summary: Small.
steps:
  - {slug: end, title: The end, sources: [{work: paper}]}
"""
MAP = """\
concepts:
  - {slug: order, title: Order, summary: Before., steps: [first/one], exercises: [causal-mask]}
  - {slug: end, title: End, summary: After., requires: [order], steps: [second/end]}
"""
MODELS = """\
models:
  - slug: small
    name: Small
    year: 2024
    kind: rope
    verified: first-party
    source: small/model.py
    as_of: 2026-11-30
    layers: all alike
    context: 2048
    rope: {head_dim: 8, base: 10000}
"""


def write_whole_course(parent: Path, slug: str = "course") -> Path:
    """Write the course into `parent/slug`; its names are the same under every slug."""
    root = write_course(parent / f".{slug}", {"one": ONE, "two": "Words."}).rename(parent / slug)
    write_question(root, "adds", QUESTION.replace("sums/adding", "first/one"))
    write_question(root, "number", NUMERIC)
    (write_question(root, "drawn", DRAWN).parent / "generate.py").write_text(SOURCE)
    write_quiz(root, "sums", "adds", "number")
    write_quiz(root, "end", "drawn", "adds")
    shutil.copytree(EXAMPLE, root / "exercises/causal-mask")
    (root / "lessons/second/steps").mkdir(parents=True)
    (root / "lessons/second/lesson.yaml").write_text(SECOND)
    (root / "lessons/second/steps/01-end.md").write_text("The *end*.")
    file = root / "course.yaml"
    file.write_text(file.read_text().replace("lessons: [first]", "lessons: [first, second]"))
    (root / "map.yaml").write_text(MAP)
    (root / "models.yaml").write_text(MODELS)
    return root
