"""Small courses in folders, for the tests of reading, storing and showing them."""

from collections.abc import Collection, Mapping
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


def write_course(
    root: Path,
    steps: Mapping[str, str],
    *,
    title: str = "First lesson",
    deeper: Collection[str] = (),
    as_of: Mapping[str, str] | None = None,
) -> Path:
    """Write a course of one lesson with these steps (slug -> Markdown) and return its folder.

    `deeper`: the slugs of the steps that go deeper. `as_of`: days, by the slug of their step.
    """
    write_lesson(root / "course", "first", steps, title=title, deeper=deeper, as_of=as_of)
    (root / "course" / "course.yaml").write_text(COURSE)
    return root / "course"


def write_lesson(
    root: Path,
    slug: str,
    steps: Mapping[str, str],
    *,
    title: str,
    form: str = "steps",
    deeper: Collection[str] = (),
    as_of: Mapping[str, str] | None = None,
) -> None:
    """Write a lesson into the folder of a course; its steps cite the work `paper`."""
    folder = root / "lessons" / slug
    (folder / "steps").mkdir(parents=True, exist_ok=True)
    lines = [f"title: {title}", "summary: Small.", "prerequisites: [numbers]"]
    lines += [f"form: {form}"] if form != "steps" else []
    lines.append("steps:")
    dates = as_of or {}
    for number, (step, text) in enumerate(steps.items(), start=1):
        lines += [
            f"  - slug: {step}",
            f"    title: Step {step}",
            "    sources: [{work: paper, where: section 1}]",
        ]
        lines += ["    going_deeper: true"] if step in deeper else []
        lines += [f"    as_of: {dates[step]}"] if step in dates else []
        (folder / "steps" / f"{number:02d}-{step}.md").write_text(text)
    (folder / "lesson.yaml").write_text("\n".join(lines) + "\n")
