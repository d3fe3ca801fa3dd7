"""Reading lessons from files, with every fault and its line.

course.yaml                          title, summary, sources, lessons (slugs in order)
lessons/<slug>/lesson.yaml           title, summary, form (steps or cards), prerequisites,
                                     steps: slug, title, sources
lessons/<slug>/steps/NN-<slug>.md    one step; NN is its place in lesson.yaml
"""

from pathlib import Path

from quizzes.lessons.models import MAX_SLUG, Lesson
from quizzes.lessons.sources import CourseSource, LessonSource, StepSource, Work
from quizzes.pages.blocks import Page, page_faults, parse_page
from quizzes.pages.fields import Fields, is_slug
from quizzes.pages.source import ContentError, Fault, Node, read_entries, read_text, read_yaml

MAX_TITLE = 200


def read_course(root: Path) -> tuple[list[CourseSource], list[Fault]]:
    """Read course.yaml of a course folder, whose name is the course's slug."""
    faults: list[Fault] = []
    try:
        node = read_yaml(root / "course.yaml", root=root)
    except ContentError as error:
        return [], list(error.faults)
    fields = Fields(node, faults)
    course = CourseSource(
        slug=root.resolve().name[:MAX_SLUG],
        path="course.yaml",
        line=node.line,
        title=fields.text("title", max_length=MAX_TITLE),
        summary=fields.text("summary"),
        sources=_works(fields.take("sources"), faults),
        lessons=fields.texts("lessons"),
    )
    fields.done()
    faults += _folder_faults(root, course, fields.node.at("lessons"))
    return [course], faults


def read_lessons(root: Path) -> tuple[list[LessonSource], list[Fault]]:
    """Read every lesson the course names, in its order."""
    courses, _ = read_course(root)  # its faults are reported by whoever reads the course
    lessons: list[LessonSource] = []
    faults: list[Fault] = []
    for course in courses:
        for number, slug in enumerate(course.lessons, start=1):
            if not is_slug(slug):
                faults.append(Fault(course.path, course.line, f"lessons: {slug!r}: not a slug"))
                continue
            try:
                lessons.append(_lesson(root, course, number, slug, faults))
            except ContentError as error:
                faults += error.faults
    return lessons, faults


def _works(node: Node, faults: list[Fault]) -> dict[str, Work]:
    works = {}
    for key, child in (node.children if isinstance(node.value, dict) else {}).items():
        fields = Fields(child, faults)
        work = Work(fields.text("text"), fields.text("url"))
        fields.done()
        if work.url and not work.url.startswith("https://"):
            faults.append(child.at("url").fault(f"url: {work.url!r}: must start with https://"))
        works[str(key)] = work
    return works


def _folder_faults(root: Path, course: CourseSource, node: Node) -> list[Fault]:
    """Return a fault for each lesson that is named twice, or is there without being named."""
    found = [
        item.fault(f"lessons: {item.value!r} is named twice")
        for place, item in enumerate(node.items())
        if item.value in course.lessons[:place]
    ]
    try:
        entries = read_entries(root / "lessons", root=root)
    except ContentError as error:
        return [*found, *error.faults]
    folders = [path.name for path in entries if not path.is_file()]
    return found + [
        node.fault(f"lessons: the folder lessons/{name} is not named here")
        for name in folders
        if name not in course.lessons
    ]


def _lesson(
    root: Path, course: CourseSource, number: int, slug: str, faults: list[Fault]
) -> LessonSource:
    folder = root / "lessons" / slug
    node = read_yaml(folder / "lesson.yaml", root=root)
    fields = Fields(node, faults)
    lesson = LessonSource(
        slug=slug,
        path=node.path,
        line=node.line,
        course=course.slug,
        number=number,
        title=fields.text("title", max_length=MAX_TITLE),
        summary=fields.text("summary"),
        form=fields.choice("form", Lesson.Form.values, default=Lesson.Form.STEPS),
        prerequisites=fields.texts("prerequisites", required=False),
        steps_read=_steps(root, folder, fields, course, faults),
    )
    fields.done()
    return lesson


def _steps(
    root: Path, folder: Path, fields: Fields, course: CourseSource, faults: list[Fault]
) -> tuple[StepSource, ...]:
    steps: list[StepSource] = []
    expected = set()
    for number, node in enumerate(fields.list("steps"), start=1):
        own = Fields(node, faults)
        slug = own.slug("slug")
        title = own.text("title", max_length=MAX_TITLE)
        sources = _step_sources(own, course, faults)
        own.done()
        path = folder / "steps" / f"{number:02d}-{slug}.md"
        expected.add(path)
        if any(step.slug == slug for step in steps):
            faults.append(node.fault(f"slug: {slug!r} stands here twice"))
            continue
        try:
            text = read_text(path, root=root)
        except ContentError as error:
            faults += error.faults
            continue
        name = path.relative_to(root).as_posix()
        page = parse_page(text, path=name)
        faults += page_faults(page)
        faults += _same_ids(page)
        steps.append(StepSource(slug, title, text, sources, name, page))
    for path in read_entries(folder / "steps", root=root):
        if path not in expected:
            faults.append(fields.node.at("steps").fault(f"steps/{path.name} is not named here"))
    return tuple(steps)


def _same_ids(page: Page) -> list[Fault]:
    """Return a fault for each block whose id another block of the page has."""
    ids = [block.options.get("id") for block in page.blocks]
    return [
        block.fault(f"id: {block.options['id']!r} stands in this step twice")
        for place, block in enumerate(page.blocks)
        if "id" in block.options and block.options["id"] in ids[:place]
    ]


def _step_sources(
    own: Fields, course: CourseSource, faults: list[Fault]
) -> tuple[tuple[str, str], ...]:
    found = []
    for node in own.list("sources"):
        fields = Fields(node, faults)
        key, where = fields.text("work"), fields.text("where", required=False)
        fields.done()
        if key and key not in course.sources:
            faults.append(node.fault(f"work: {key!r} is not among the sources of course.yaml"))
        found.append((key, where))
    return tuple(found)
