"""Small courses in folders, for the tests of reading, storing and showing them."""

from collections.abc import Mapping
from pathlib import Path

COURSE = """\
title: A course
summary: About order.
lessons: [first]
sources:
  paper: {text: A paper, url: "https://example.org/paper"}
"""
FIGURE = """
```figure
id: {id}
encoding: sinusoidal
view: heatmap
set: {{d_model: 8, positions: 4, position: 1, dimension: 2}}
sliders: [d_model, positions, base]
```
"""
LISTING = "\n```listing\ntitle: Sum\n---\nprint(1 + 1)\n---\n2\n```\n"


def write_course(root: Path, steps: Mapping[str, str], *, title: str = "First lesson") -> Path:
    """Write a course of one lesson with these steps (slug -> Markdown) and return its folder."""
    folder = root / "course" / "lessons" / "first"
    (folder / "steps").mkdir(parents=True)
    lines = [f"title: {title}", "summary: Small.", "prerequisites: [numbers]", "steps:"]
    for number, (slug, text) in enumerate(steps.items(), start=1):
        lines += [
            f"  - slug: {slug}",
            f"    title: Step {slug}",
            "    sources: [{work: paper, where: section 1}]",
        ]
        (folder / "steps" / f"{number:02d}-{slug}.md").write_text(text)
    (folder / "lesson.yaml").write_text("\n".join(lines) + "\n")
    (root / "course" / "course.yaml").write_text(COURSE)
    return root / "course"
