"""Read lessons from files, with every fault and its line.

course.yaml                          title, summary, sources, lessons (slugs in order)
lessons/<slug>/lesson.yaml           title, summary, form (steps, cards or reference),
                                     prerequisites, renamed_from,
                                     steps: slug, title, going_deeper, as_of, sources,
                                     renamed_from
lessons/<slug>/steps/NN-<slug>.md    one step; NN is its place in lesson.yaml
"""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from pathlib import PurePosixPath
from typing import Any

from quizzes.content_files.dated import remark_on
from quizzes.content_files.fields import MAX_SLUG, is_slug
from quizzes.content_files.files import Entry, Files
from quizzes.content_files.problems import ContentError, ContentProblem
from quizzes.content_files.renamed_from import FormerName, former_names
from quizzes.content_files.stored_hashes import hash_of
from quizzes.content_files.yaml_nodes import Node, read_yaml
from quizzes.lessons.lesson_fields import CourseFile, LessonFile, StepFields
from quizzes.lessons.listing_block import listing_of
from quizzes.lessons.models import Lesson
from quizzes.pages.blocks import Page, Prose, Screen, page_problems, parse_page
from quizzes.pages.markdown import markdown_problems

WORDS_PER_MINUTE = 200
BLOCK_SECONDS = {
    **{"check": 10, "figure": 60, "plot": 60, "listing": 40, "picture": 15, "question": 40},
    "exercise": 900,
}
MOST_WORDS_OF_SCREEN = 150
MOST_WORDS_BEFORE_ACTION = 120  # of a lesson
# Blocks in which a reader does something ...
ANSWERED = ("figure", "plot", "sentence", "predict", "question", "exercise")
# ... or guesses what a listing prints before looking (static/lessons/listing.js)
ACTIONS = (*ANSWERED, "listing")


def content_hash_of(*parts: Any) -> str:
    """Return the hash of parsed content, which the layout of files does not change."""
    return hash_of(parts)


def lesson_hash_of(
    title: str, summary: str, form: str, prerequisites: Iterable[str], steps: Iterable[Any]
) -> str:
    """Return the hash of a lesson, to which its place in the course does not belong."""
    return content_hash_of(title, summary, form, list(prerequisites), list(steps))


def content_of_step(
    slug: str,
    title: str,
    text: str,
    sources: Iterable[Sequence[str]],
    *,
    going_deeper: bool,
    as_of: str,
) -> dict[str, Any]:
    """Return what the hash of a lesson says of a step; `sources` are (key, where in the work).

    Only a step that goes deeper, or has a date, says so: all others have the hash of the releases
    before.
    """
    works = [list(pair) for pair in sources]
    content: dict[str, Any] = {"slug": slug, "title": title, "text": text, "sources": works}
    if going_deeper:
        content["going_deeper"] = True
    if as_of:
        content["as_of"] = as_of
    return content


@dataclass(frozen=True)
class StepSource:
    """One step as read; `sources` are (key of the course's works, where in the work).

    `as_of`: the day on which its sentences about models and libraries were compared with them.
    """

    slug: str
    title: str
    text: str
    sources: tuple[tuple[str, str], ...]
    path: str
    page: Page = field(repr=False, compare=False)
    renamed_from: tuple[FormerName, ...] = ()
    going_deeper: bool = False
    as_of: str = ""  # YYYY-MM-DD
    line: int = field(default=1, repr=False, compare=False)  # in lesson.yaml

    @property
    def reading_seconds(self) -> int:
        seconds = self.page.words * 60 // WORDS_PER_MINUTE
        return seconds + sum(BLOCK_SECONDS.get(block.kind, 30) for block in self.page.blocks)

    @property
    def code_seconds(self) -> int:
        """Return the part of `reading_seconds` that its exercises take."""
        exercises = sum(block.kind == "exercise" for block in self.page.blocks)
        return exercises * BLOCK_SECONDS["exercise"]

    def content(self) -> dict[str, Any]:
        return content_of_step(
            self.slug,
            self.title,
            self.text,
            self.sources,
            going_deeper=self.going_deeper,
            as_of=self.as_of,
        )


@dataclass(frozen=True)
class LessonSource:
    """One lesson as read. `refers_to` holds (block kind, slug, fault if there is no such thing)."""

    slug: str
    path: str
    line: int
    course: str
    number: int
    title: str
    summary: str
    form: str  # of Lesson.Form
    prerequisites: tuple[str, ...]
    steps_read: tuple[StepSource, ...]
    renamed_from: tuple[FormerName, ...] = ()

    @property
    def content_hash(self) -> str:
        """Return the hash of the lesson without its place, which is the course's."""
        steps = [step.content() for step in self.steps_read]
        return lesson_hash_of(self.title, self.summary, self.form, self.prerequisites, steps)

    @property
    def step_paths(self) -> set[str]:
        """Return "lesson/step" of every step."""
        return {f"{self.slug}/{step.slug}" for step in self.steps_read}

    def remarks(self, today: date) -> Iterator[ContentProblem]:
        """Yield a remark for each step whose date is more than a year ago."""
        for step in self.steps_read:
            if step.as_of and (words := remark_on(f"step {step.slug!r}", step.as_of, today)):
                yield ContentProblem(self.path, step.line, words)

    @property
    def refers_to(self) -> tuple[tuple[str, str, ContentProblem], ...]:
        return tuple(
            (block.kind, str(slug), block.problem(f"there is no {block.kind} {slug!r}"))
            for step in self.steps_read
            for block in step.page.blocks
            if (slug := block.options.get("slug"))
        )


@dataclass(frozen=True)
class Work:
    """A work that steps name as their source."""

    text: str
    url: str


@dataclass(frozen=True)
class CourseSource:
    """The course as read."""

    slug: str
    path: str
    line: int
    title: str
    summary: str
    sources: Mapping[str, Work]
    lessons: tuple[str, ...]

    @property
    def content_hash(self) -> str:
        works = {key: asdict(work) for key, work in self.sources.items()}
        return content_hash_of(self.title, self.summary, works, list(self.lessons))


Works = Mapping[str, Work]  # by key, as course.yaml lists them


def read_course(files: Files) -> tuple[list[CourseSource], list[ContentProblem]]:
    """Read course.yaml of a course folder, whose name is the course's slug."""
    problems: list[ContentProblem] = []
    try:
        node = read_yaml(files, "course.yaml", problems=problems)
    except ContentError as error:
        return [], list(error.problems)
    fields = CourseFile.read(node, problems)
    course = CourseSource(
        slug=_course_slug(files),
        path="course.yaml",
        line=node.line,
        title=fields.title,
        summary=fields.summary,
        sources={key: Work(work.text, work.url) for key, work in fields.sources.items()},
        lessons=fields.lessons,
    )
    if not is_slug(files.name):
        words = f"the folder {files.name!r}: its name must be a slug"
        words += ", since it is also the course's slug"
        problems.append(ContentProblem("course.yaml", 1, words))
    problems += _folder_problems(files, course, node.at("lessons"))
    return [course], problems


def read_lessons(files: Files) -> tuple[list[LessonSource], list[ContentProblem]]:
    """Read every lesson the course names, in its order, then those that it should name.

    Without a readable course.yaml these are all of them, so that their faults are told as well.
    """
    courses, _ = read_course(files)  # the reader of the course reports its faults
    named = courses[0].lessons if courses else ()
    works = courses[0].sources if courses else None
    lessons: list[LessonSource] = []
    problems: list[ContentProblem] = []
    for number, slug in enumerate((*named, *_unnamed(files, named, problems)), start=1):
        if is_slug(slug):
            lessons.append(_lesson(files, slug, number, works, problems))
        else:
            problems.append(ContentProblem("course.yaml", 1, f"lessons: {slug!r}: not a slug"))
    return lessons, problems


def _unnamed(files: Files, named: Collection[str], problems: list[ContentProblem]) -> list[str]:
    """Return the folders of lessons that the course does not name."""
    folders = [entry.name for entry in _entries(files, "lessons", problems) if entry.is_folder]
    return [name for name in folders if is_slug(name) and name not in named]


def _entries(files: Files, folder: str, problems: list[ContentProblem]) -> list[Entry]:
    try:
        return files.entries(folder)
    except ContentError as error:
        problems += error.problems
        return []


def _folder_problems(files: Files, course: CourseSource, node: Node) -> list[ContentProblem]:
    """Return a problem for each lesson that is listed twice, or exists and is not listed."""
    seen: set[str] = set()
    found = []
    for item in node.items():
        if isinstance(item.value, str):
            if item.value in seen:
                found.append(item.problem(f"lessons: {item.value!r} is listed twice"))
            seen.add(item.value)
    entries = _entries(files, "lessons", found)
    if not isinstance(node.value, list) or not node.is_whole():
        return found  # which it names, nobody knows, and that is said already
    folders = [entry.name for entry in entries if not entry.is_file]
    return found + [
        node.problem(f"lessons: the folder lessons/{name} is not listed here")
        for name in folders
        if name not in course.lessons
    ]


def _lesson(
    files: Files, slug: str, number: int, works: Works | None, problems: list[ContentProblem]
) -> LessonSource:
    """Return one lesson; where lesson.yaml cannot be read, with the steps that have a file."""
    path = f"lessons/{slug}/lesson.yaml"
    try:
        node = read_yaml(files, path, problems=problems)
    except ContentError as error:
        problems += error.problems
        node = Node(None, 1, path, is_refused=True)
    return lesson_from(node, files, slug, works, problems, number=number)


def lesson_from(
    node: Node,
    files: Files,
    slug: str,
    works: Works | None,
    problems: list[ContentProblem],
    *,
    number: int,
) -> LessonSource:
    """Return the lesson with these fields, and with the steps that `files` have of it."""
    fields = LessonFile.read(node, problems)
    lesson = LessonSource(
        slug=slug,
        path=node.path,
        line=node.line,
        course=_course_slug(files),
        number=number,
        title=fields.title,
        summary=fields.summary,
        form=fields.form,
        prerequisites=fields.prerequisites,
        steps_read=_steps(files, slug, fields, works, problems),
        renamed_from=former_names(node),
    )
    problems += _prerequisite_problems(node.at("prerequisites"))
    problems += _opening_problems(lesson)
    problems += _path_problems(lesson, node)
    return lesson


def _path_problems(lesson: LessonSource, node: Node) -> Iterator[ContentProblem]:
    """Yield the faults of the steps that go deeper: these are the last of a lesson in steps."""
    beside = ""
    listed = {str(item.at("slug").value): item for item in node.at("steps").items()}
    for step in lesson.steps_read:
        at = listed.get(step.slug)
        if at is None:
            continue  # a file that lesson.yaml does not name, which is a fault already
        if step.going_deeper and lesson.form in {Lesson.Form.CARDS, Lesson.Form.REFERENCE}:
            words = f"going_deeper: step {step.slug!r} is in a lesson with form: {lesson.form}"
            yield at.problem(f"{words}; expected going_deeper only with form: steps")
        elif beside and not step.going_deeper:
            words = f"steps: {step.slug!r} comes after {beside!r}, which has going_deeper: true"
            yield at.problem(f"{words}; expected all such steps after the others")
        beside = beside or (step.slug if step.going_deeper else "")
    if beside and all(step.going_deeper for step in lesson.steps_read):
        words = "steps: all have going_deeper: true; expected at least one step without it"
        yield node.at("steps").problem(words)


def _prerequisite_problems(node: Node) -> Iterator[ContentProblem]:
    """Yield the faults of the lines that say what to know; no course was held to them before."""
    for line in node.items():
        text = line.value if isinstance(line.value, str) else ""
        for problem in markdown_problems(
            text, path=line.path, first_line=line.line, in_one_line=True
        ):
            yield replace(problem, since_published=True)


def words_before_action(lesson: LessonSource) -> int:
    """Return the number of words of running text in a lesson before the first thing to do."""
    words = 0
    for step in lesson.steps_read:
        for part in step.page.parts:
            if isinstance(part, Prose):
                words += part.running_words
            elif part.kind in ANSWERED:
                return words
    return words


def actions_of(screen: Screen) -> list[str]:
    """Return the kinds of a screen's blocks in which a reader does something, in their order.

    A listing that prints nothing has nothing to guess.
    """
    return [
        block.kind
        for block in screen.blocks
        if block.kind in ANSWERED or (block.kind == "listing" and listing_of(block).output)
    ]


def _opening_problems(lesson: LessonSource) -> list[ContentProblem]:
    """Return a fault where a lesson that has screens begins with too many words."""
    words = words_before_action(lesson)
    first = lesson.steps_read[0] if lesson.steps_read else None
    if first is None or not first.page.is_divided or words <= MOST_WORDS_BEFORE_ACTION:
        return []
    expected = f"at most {MOST_WORDS_BEFORE_ACTION} words"
    found = f"the lesson has {words} words before the first thing to do; expected {expected}"
    return [ContentProblem(first.path, 1, f"{found} ({', '.join(ANSWERED)})")]


def _screen_problems(page: Page, path: str) -> list[ContentProblem]:
    """Return a fault for each screen with too many words, or with nothing to do before the last."""
    if not page.is_divided:
        return []
    problems = []
    for number, screen in enumerate(page.screens, start=1):
        words, name = screen.running_words, f"screen {number} of {len(page.screens)}"
        if words > MOST_WORDS_OF_SCREEN:
            said = f"{name} has {words} words of text; expected at most {MOST_WORDS_OF_SCREEN}"
            problems.append(ContentProblem(path, screen.line, said))
        if number < len(page.screens) and not actions_of(screen):
            said = f"{name} has nothing to do; expected one of {', '.join(ACTIONS)}"
            problems.append(ContentProblem(path, screen.line, said))
    return problems


def _steps(
    files: Files,
    lesson: str,
    fields: LessonFile,
    works: Works | None,
    problems: list[ContentProblem],
) -> tuple[StepSource, ...]:
    """Return the steps that lesson.yaml names, and those of which only the file can be read.

    That is every file where it lists none, and the file of a number whose slug was not read.
    """
    steps: list[StepSource] = []
    folder = f"lessons/{lesson}/steps"
    expected = set()
    listed = fields.node.at("steps")
    numbers = [at for at, item in enumerate(listed.children.values(), 1) if not item.is_refused]
    nameless = {f"{number:02d}" for number in range(1, len(listed.children) + 1)}
    for number, own in zip(numbers, fields.steps, strict=False):
        node, slug = own.node, own.slug
        sources = _step_sources(own, works, problems)
        if not is_slug(slug):
            continue
        nameless.discard(f"{number:02d}")
        name = f"{number:02d}-{slug}.md"
        path = f"{folder}/{name}"
        expected.add(name)
        if any(step.slug == slug for step in steps):
            problems.append(node.problem(f"slug: {slug!r} appears here twice"))
            continue
        text, page = _read_page(files, path, problems)
        steps.append(
            StepSource(
                slug,
                own.title,
                text,
                sources,
                path,
                page,
                former_names(node, lesson=lesson),
                own.going_deeper,
                own.as_of,
                line=node.line,
            )
        )
    for name in (entry.name for entry in _entries(files, folder, problems)):
        if name in expected:
            continue
        number_of_file, _, slug = PurePosixPath(name).stem.partition("-")
        may_be_named = not isinstance(listed.value, list) or number_of_file in nameless
        if not may_be_named:
            problems.append(listed.problem(f"steps/{name} is not listed here"))
        if name.endswith(".md"):
            path = f"{folder}/{name}"
            text, page = _read_page(files, path, problems)
            if may_be_named:
                steps.append(StepSource(slug, "", text, (), path, page))
    return tuple(steps)


def _read_page(files: Files, path: str, problems: list[ContentProblem]) -> tuple[str, Page]:
    """Return a step's text and page, empty where its file cannot be read.

    The step is there all the same: what refers to it does so rightly.
    """
    try:
        text = files.text(path)
    except ContentError as error:
        problems += error.problems
        text = ""
    page = parse_page(text, path=path)
    problems += page_problems(page)
    problems += _same_ids(page)
    problems += _screen_problems(page, path)
    return text, page


def _same_ids(page: Page) -> list[ContentProblem]:
    """Return a fault for each block whose id another block of the page has."""
    ids = [block.options.get("id") for block in page.blocks]
    return [
        block.problem(f"id: {block.options['id']!r} appears twice in this step")
        for place, block in enumerate(page.blocks)
        if "id" in block.options and block.options["id"] in ids[:place]
    ]


def _step_sources(
    own: StepFields, works: Works | None, problems: list[ContentProblem]
) -> tuple[tuple[str, str], ...]:
    for source in own.sources:
        if source.work and works is not None and source.work not in works:
            words = f"work: {source.work!r} is not among the sources of course.yaml"
            problems.append(source.node.problem(words))
    return tuple((source.work, source.where) for source in own.sources)


def _course_slug(files: Files) -> str:
    return files.name[:MAX_SLUG]
