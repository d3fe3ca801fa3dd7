"""Write a course into a folder: every kind of file, so that loading it gives the same course.

A file that says the same already stays as it is, with its comments and layout. What learners do not
meet stays in the database: drafts, and what was withdrawn.
"""

import os
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from django.db.models import Prefetch

from quizzes.assessment.canonical_files import quiz_file
from quizzes.assessment.generator.generator_files import GENERATOR_FILE
from quizzes.assessment.models import Option, Question, Quiz, QuizQuestion
from quizzes.assessment.question_drafts import content_of
from quizzes.assessment.question_files import PROMPT_FILE
from quizzes.assessment.sources import quiz_hash
from quizzes.assessment.store import content_of_quiz
from quizzes.authoring.canonical_form import course_file, map_file, of_question
from quizzes.authoring.course_files import KINDS, Kind
from quizzes.authoring.lesson_order import ordered_lessons
from quizzes.concepts.files import map_hash
from quizzes.concepts.models import ConceptMap
from quizzes.content_files.files import DiskFiles, Files
from quizzes.content_files.renamed_from import FIELD
from quizzes.courses.models import Course, OldName
from quizzes.exercises.models import Exercise, ExerciseVersion
from quizzes.grader.definitions import is_exercise_file
from quizzes.lessons.canonical_files import lesson_file, step_file, within
from quizzes.lessons.lesson_files import content_hash_of
from quizzes.lessons.models import Lesson, Picture, Plot, ReleasedModels
from quizzes.lessons.pictures.header import SUFFIXES
from quizzes.lessons.pictures.picture_files import FOLDER as PICTURES
from quizzes.lessons.pictures.picture_files import picture_file
from quizzes.lessons.plots.plot_files import plot_file
from quizzes.lessons.plots.store import stored_plot_hash
from quizzes.lessons.released.model_files import FILE as MODELS_FILE
from quizzes.lessons.released.model_files import models_file, models_hash
from quizzes.lessons.store import lesson_hash, stored_step

KIND = {kind.name: kind for kind in KINDS}


@dataclass(frozen=True)
class Item:
    """One thing of a course as files below the folder; None for a file that it must not have.

    `hashes`: of the contents for which a file that is there may stay.
    """

    kind: str
    slug: str
    hashes: frozenset[str]
    files: Mapping[str, str | bytes | None]


@dataclass
class Export:
    """The files that an export wrote and deleted."""

    written: list[str] = field(default_factory=list)
    deleted: list[str] = field(default_factory=list)


def export(root: Path, course: Course) -> Export:
    """Write a course where database and folder differ, and delete what it has no longer.

    Of a thing that is written again, files that it does not have any more are deleted. Of a thing
    that was withdrawn they are deleted while they still say what the database knows: what an author
    has written since then stays. Files of which the database knows nothing stay.

    Raises ValueError for a folder that leads elsewhere.
    """
    there = {kind.name: _readable(DiskFiles(root), kind) for kind in KINDS}
    done = Export()
    for item in items_of(course):
        if not _is_there(item, there[item.kind]):
            _write(root, item, done)
    for kind, slug, known in _withdrawn(course):
        source = there[kind].get(slug)
        if source is not None and source.content_hash in known:
            _delete(root, _files_of(root, kind, slug), done)
    if root.resolve().name == course.slug:
        # From now on the folder is its home, from which it may be loaded.
        Course.objects.filter(pk=course.pk, has_folder=False).update(has_folder=True)
    return done


def _readable(files: Files, kind: Kind) -> dict[str, Any]:
    """Return what a folder has of a kind, by name, without what has a fault of its own."""
    sources, problems = kind.read(files)
    faulty = {problem.path for problem in problems}
    found = {}
    for source in sources:
        own = PurePosixPath(source.path).parent.as_posix()
        is_one_file = kind.name in ONE_FILE or kind.name == "picture"
        inside = "" if is_one_file or own == "." else f"{own}/"
        is_faulty = source.path in faulty or any(
            inside and path.startswith(inside) for path in faulty
        )
        if not is_faulty:
            found[source.slug] = source
    return found


def _is_there(item: Item, there: Mapping[str, Any]) -> bool:
    """Say whether the folder has this thing already, in whatever layout."""
    # Of these there is one, whose name is the folder's.
    if item.kind in {"course", "concept map", "list of models"}:
        source = next(iter(there.values()), None)
    else:
        source = there.get(item.slug)
    return source is not None and source.content_hash in item.hashes


FOLDERS = {
    **{"lesson": "lessons", "question": "questions", "quiz": "quizzes", "exercise": "exercises"},
    "picture": PICTURES,
    "plot": "plots",
}
ONE_FILE = {"quiz": ".yaml", "plot": ".py"}  # kinds of which a thing is one file


def _prefix(kind: str, slug: str) -> str:
    """Return the folder, or the one file, of a thing below the course."""
    return f"{FOLDERS[kind]}/{slug}{ONE_FILE.get(kind, '')}"


def _write(root: Path, item: Item, done: Export) -> None:
    """Write the files of a thing, then delete those that it does not have."""
    for name, text in item.files.items():
        if text is not None and put(root, name, text):
            done.written.append(name)
    there = _files_of(root, item.kind, item.slug) if item.kind in FOLDERS else set()
    gone = {name for name in there if item.files.get(name) is None}
    _delete(root, gone, done)


def _files_of(root: Path, kind: str, slug: str) -> set[str]:
    """Return the files in a folder that are read as those of a thing; others are not ours."""
    own = root / _prefix(kind, slug)
    if kind == "picture":
        found = {own.with_name(f"{slug}{suffix}") for suffix in SUFFIXES.values()}
    else:
        found = {own} if kind in ONE_FILE else {path for path in own.rglob("*") if path.suffix}
    return {
        path.relative_to(root).as_posix()
        for path in found
        if os.path.lexists(path) and _is_read(kind, path, own)
    }


def _is_read(kind: str, path: Path, own: Path) -> bool:
    if kind in {"quiz", "picture"}:
        return True
    name = path.relative_to(own)
    if kind == "lesson":
        return name == Path("lesson.yaml") or (
            name.parent == Path("steps") and name.suffix == ".md"
        )
    if kind == "question":
        return name.as_posix() in {"question.yaml", PROMPT_FILE, GENERATOR_FILE}
    return kind in ONE_FILE or is_exercise_file(name.as_posix())


def _delete(root: Path, names: set[str], done: Export) -> None:
    for name in sorted(names):
        if put(root, name, None):
            done.deleted.append(name)
    folders = {folder for name in names for folder in (root / name).parents} - {root, *root.parents}
    for folder in sorted(folders, key=lambda folder: len(folder.parts), reverse=True):
        if folder.is_dir() and not any(folder.iterdir()):
            folder.rmdir()


# ---- what a course has


def items_of(course: Course) -> Iterator[Item]:
    """Yield everything that learners of a course meet."""
    former = _former_names(course)
    lessons = ordered_lessons(course)
    yield _course(course, [lesson.slug for lesson in lessons])
    for lesson in lessons:
        yield _lesson(lesson, former)
    yield from _questions(course, former)
    yield from _quizzes(course, former)
    yield from _exercises(course)
    yield from _pictures(course)
    yield from _plots(course)
    for found in ConceptMap.objects.filter(course=course):
        hashes = frozenset({map_hash(found.concepts)})
        yield Item("concept map", course.slug, hashes, {"map.yaml": map_file(found.concepts)})
    for row in ReleasedModels.objects.filter(course=course):
        hashes = frozenset({models_hash(row.facts)})
        yield Item("list of models", course.slug, hashes, {MODELS_FILE: models_file(row.facts)})


def texts_of(course: Course) -> dict[str, str | bytes]:
    """Return the files that `export` writes into an empty folder, by their paths.

    Pictures are bytes.
    """
    return {
        path: text
        for item in items_of(course)
        for path, text in item.files.items()
        if text is not None
    }


Former = Mapping[tuple[str, str], list[str]]  # old names by kind and name


def _former_names(course: Course) -> Former:
    """Return old names, but for those that a thing made in the browser has now.

    Files that say both have a fault.
    """
    taken = {(kind, slug) for kind in FOLDERS for slug in KIND[kind].stored(course)}
    found: dict[tuple[str, str], list[str]] = {}
    for row in OldName.objects.filter(course=course):
        if (row.kind, row.old) in taken:
            continue
        found.setdefault((row.kind, row.new), []).append(row.old)
    return found


def _course(course: Course, lessons: list[str]) -> Item:
    facts = {"title": course.title, "summary": course.summary, "sources": course.sources}
    content_hash = content_hash_of(course.title, course.summary, course.sources, lessons)
    files = {"course.yaml": course_file({**facts, "lessons": lessons})}
    return Item("course", course.slug, frozenset({content_hash}), files)


LESSON_FACTS = ("title", "summary", "form", "prerequisites")


def _lesson(lesson: Lesson, former: Former) -> Item:
    steps = [stored_step(step) for step in lesson.steps.all()]
    content: dict[str, Any] = {name: getattr(lesson, name) for name in LESSON_FACTS}
    content[FIELD] = former.get(("lesson", lesson.slug), [])
    content["steps"] = [
        {
            **{name: value for name, value in step.items() if name != "text"},
            FIELD: within(lesson.slug, former.get(("step", f"{lesson.slug}/{step['slug']}"), [])),
        }
        for step in steps
    ]
    files: dict[str, str | None] = {f"lessons/{lesson.slug}/lesson.yaml": lesson_file(content)}
    for place, step in enumerate(steps, start=1):
        files[step_file(lesson.slug, place, str(step["slug"]))] = str(step["text"])
    return Item("lesson", lesson.slug, frozenset({lesson_hash(lesson)}), files)


def _questions(course: Course, former: Former) -> Iterator[Item]:
    rows = Question.objects.available().filter(course=course).order_by("slug")
    fixed = Prefetch("current__options", Option.objects.filter(instance=None))
    for question in rows.select_related("current").prefetch_related(fixed):
        version = question.current
        assert version is not None
        content = {**content_of(version), FIELD: former.get(("question", question.slug), [])}
        files = of_question(question.slug, content)
        yield Item("question", question.slug, frozenset({version.content_hash}), files)


def _quizzes(course: Course, former: Former) -> Iterator[Item]:
    """Yield the quizzes that learners find, with the questions that they ask."""
    rows = Quiz.objects.filter(course=course).open().order_by("slug")
    for quiz in rows.prefetch_related("places__question"):
        asked = [place for place in quiz.places.all() if _is_asked(place)]
        if asked:
            content = content_of_quiz(quiz, asked)
            hashes = frozenset({quiz_hash(content)})
            content[FIELD] = former.get(("quiz", quiz.slug), [])
            files = {f"quizzes/{quiz.slug}.yaml": quiz_file(content)}
            yield Item("quiz", quiz.slug, hashes, files)


def _is_asked(place: QuizQuestion) -> bool:
    """Return whether learners are asked what stands at a place; a pool draws what there is."""
    question = place.question
    if question is None:
        return True
    return question.current_id is not None and question.withdrawn_at is None


def _exercises(course: Course) -> Iterator[Item]:
    """Yield each exercise as its newest version; where that was refused, as learners meet it.

    A folder that has the newest version keeps it, for its author to mend.
    """
    there = Exercise.objects.filter(course=course, current__isnull=False, withdrawn_at=None)
    for exercise in there.select_related("current").order_by("slug"):
        newest = exercise.versions.order_by("-number").first()
        assert newest is not None
        is_refused = newest.verification == ExerciseVersion.Verification.REFUSED
        chosen = exercise.current if is_refused and exercise.current is not None else newest
        below = {f"exercises/{exercise.slug}/{name}": text for name, text in chosen.files.items()}
        hashes = frozenset({newest.content_hash, chosen.content_hash})
        yield Item("exercise", exercise.slug, hashes, below)


def _pictures(course: Course) -> Iterator[Item]:
    rows = Picture.objects.filter(course=course, withdrawn_at=None).order_by("slug")
    for row in rows.iterator(chunk_size=20):
        files = {picture_file(row.slug, row.kind): bytes(row.data)}
        yield Item("picture", row.slug, frozenset({row.sha256}), files)


def _plots(course: Course) -> Iterator[Item]:
    """Yield the plots that learners get, byte for byte as their authors wrote them."""
    rows = Plot.objects.filter(course=course, withdrawn_at=None).exclude(text="")
    for plot in rows.order_by("slug"):
        hashes = frozenset({stored_plot_hash(plot)})
        yield Item("plot", plot.slug, hashes, {plot_file(plot.slug): plot.text})


def _withdrawn(course: Course) -> Iterator[tuple[str, str, set[str]]]:
    """Yield kind and slug of what was withdrawn, and the hashes under which it is known."""
    for name in FOLDERS:
        kind: Kind = KIND[name]
        for slug, stored in kind.stored(course).items():
            if stored.is_withdrawn:
                yield name, slug, {stored.loaded_hash, stored.content_hash}


# ---- files


def put(root: Path, name: str, text: str | bytes | None) -> bool:
    """Write a file whole or not at all, or delete it for None; return whether it changed."""
    path = root / name
    if path.parent.exists() and not path.parent.resolve().is_relative_to(root.resolve()):
        raise ValueError(f"{name}: its folder leads out of {root}")
    if text is None:
        existed = path.exists() or path.is_symlink()
        path.unlink(missing_ok=True)
        return existed
    data = text if isinstance(text, bytes) else text.encode()
    if path.is_file() and not path.is_symlink() and path.read_bytes() == data:
        return False
    path.parent.mkdir(parents=True, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=path.parent, prefix=".")
    with os.fdopen(handle, "wb") as file:
        file.write(data)
    Path(unfinished).chmod(0o644)
    Path(unfinished).replace(path)  # also over a link, which is not followed
    return True
