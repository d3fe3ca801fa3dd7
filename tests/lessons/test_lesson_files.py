"""Reading and storing lessons: every fault with its line, and nothing changed without need."""

from pathlib import Path

import pytest
from posenc.registry import REGISTRY

from quizzes.content_files.files import DiskFiles
from quizzes.courses.models import Course
from quizzes.lessons.lesson_files import content_hash_of, read_course, read_lessons
from quizzes.lessons.models import Lesson, Step
from quizzes.lessons.store import save_course, save_lesson, stored_course, stored_lessons
from tests.lessons.course import FIGURE, LISTING, write_course, write_lesson


def _problems(root: Path) -> list[str]:
    return [
        str(problem)
        for problem in (*read_course(DiskFiles(root))[1], *read_lessons(DiskFiles(root))[1])
    ]


def test_a_course_is_read_in_its_order(tmp_path: Path) -> None:
    root = write_course(tmp_path, {"one": "Words.", "two": FIGURE.format(id="codes") + LISTING})
    assert _problems(root) == []
    ((lesson,), _) = read_lessons(DiskFiles(root))
    assert [step.slug for step in lesson.steps_read] == ["one", "two"]
    assert lesson.step_paths == {"first/one", "first/two"}
    assert lesson.steps_read[1].reading_seconds == 100
    assert lesson.steps_read[0].sources == (("paper", "section 1"),)


@pytest.mark.parametrize(
    ("file", "old", "new", "problem"),
    [
        ("course.yaml", "title: A course", "titel: A course", "course.yaml:1: titel: unknown"),
        ("course.yaml", "[first]", "[first, second]", "lessons/second/lesson.yaml:1: cannot be"),
        ("course.yaml", "[first]", "[first, first]", "course.yaml:3: lessons: 'first' is listed"),
        ("course.yaml", "[first]", '["../x"]', "lessons: '../x': not a slug"),
        ("course.yaml", "https:", "http:", "course.yaml:5: url: "),
        ("lessons/first/lesson.yaml", "[{work: paper", "[{work: x", "lesson.yaml:7: work: 'x'"),
        (
            "lessons/first/lesson.yaml",
            "sources: [{work: paper, where: section 1}]",
            "sources: []",
            "lesson.yaml:7: sources: must not be empty",
        ),
        ("lessons/first/lesson.yaml", "slug: one", "slug: two", "steps/01-one.md is not listed"),
        ("lessons/first/lesson.yaml", "slug: one", "slug: One", "'One': must be a slug"),
        ("lessons/first/steps/01-one.md", "Words.", "$\\foo$", "01-one.md:1: formula"),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="Codes"),
            "01-one.md:3: id: 'Codes': must be a slug",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="a").replace("d_model: 8", "d_model: 1"),
            "01-one.md:6: set: d_model=1: must be between 2 and 1024",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="a").replace("encoding: sinusoidal", "encoding: nonsense"),
            "01-one.md:4: no encoding 'nonsense'",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="a").replace("encoding: sinusoidal", "encoding: view"),
            "01-one.md:4: no encoding 'view'",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="a").replace("view: heatmap", "view: none"),
            "01-one.md:5: no view 'none' of 'sinusoidal'",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="a").replace("[d_model, ", "[speed, "),
            "sliders: 'speed': must be one of",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            LISTING.replace("1 + 1", "1 +"),
            "01-one.md:5: the program cannot be read",
        ),
        (
            "lessons/first/steps/01-one.md",
            "Words.",
            FIGURE.format(id="a") + FIGURE.format(id="a"),
            "id: 'a' appears twice in this step",
        ),
    ],
)
def test_faults_name_file_and_line(
    tmp_path: Path, file: str, old: str, new: str, problem: str
) -> None:
    root = write_course(tmp_path, {"one": "Words."})
    path = root / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new, 1))
    assert any(problem in fault for fault in _problems(root)), _problems(root)


def test_every_view_of_the_catalogue_can_stand_in_a_lesson(tmp_path: Path) -> None:
    blocks = "".join(
        FIGURE.format(id=f"{entry.slug.replace('_', '-')}-{view}")
        .replace("encoding: sinusoidal", f"encoding: {entry.slug}")
        .replace("view: heatmap", f"view: {view}")
        .replace("set: {d_model: 8, positions: 4, position: 1, dimension: 2}\n", "")
        .replace("[d_model, positions, base]", "[]")
        for entry in REGISTRY.values()
        for view in entry.views
    )
    assert _problems(write_course(tmp_path, {"one": blocks})) == []


def test_an_empty_folder_is_one_fault(tmp_path: Path) -> None:
    assert _problems(tmp_path) == ["course.yaml:1: cannot be read: No such file or directory"]


@pytest.mark.django_db
def test_what_is_stored_has_the_hash_of_its_file(tmp_path: Path) -> None:
    root = write_course(tmp_path, {"one": "Words.", "two": "More."})
    ((source,), _), ((lesson,), _) = read_course(DiskFiles(root)), read_lessons(DiskFiles(root))
    course = Course.objects.create(slug=source.slug)
    saved = [(save_course(course, source), save_lesson(course, lesson)) for _ in range(2)]
    assert saved == [("created", "created"), ("unchanged", "unchanged")]
    for stored, read in ((stored_course(course), source), (stored_lessons(course), lesson)):
        assert stored[read.slug].loaded_hash == read.content_hash
        assert stored[read.slug].content_hash == read.content_hash


@pytest.mark.django_db
def test_layout_of_a_file_does_not_matter_but_its_words_do(tmp_path: Path) -> None:
    root = write_course(tmp_path, {"one": "Words."})
    ((before,), _) = read_lessons(DiskFiles(root))
    path = root / "lessons/first/lesson.yaml"
    path.write_text("# a comment\n\n" + path.read_text().replace("title: First", "title:   First"))
    ((after,), _) = read_lessons(DiskFiles(root))
    assert after.content_hash == before.content_hash
    (root / "lessons/first/steps/01-one.md").write_text("Other words.")
    ((after,), _) = read_lessons(DiskFiles(root))
    assert after.content_hash != before.content_hash


@pytest.mark.django_db
def test_steps_may_change_places_and_vanish(tmp_path: Path) -> None:
    first = write_course(tmp_path / "a", {"one": "1", "two": "2", "three": "3"})
    course = Course.objects.create(slug="course")
    save_lesson(course, read_lessons(DiskFiles(first))[0][0])
    second = write_course(tmp_path / "b", {"three": "3", "one": "new"})
    assert save_lesson(course, read_lessons(DiskFiles(second))[0][0]) == "updated"
    assert list(Step.objects.values_list("slug", "number", "text")) == [
        ("three", 1, "3"),
        ("one", 2, "new"),
    ]


PATH_AND_DEEPER = {"one": "word " * 100, "two": "word " * 60, "more": "word " * 900}


@pytest.mark.django_db
def test_a_step_that_goes_deeper_is_stored_beside_the_path(tmp_path: Path) -> None:
    root = write_course(tmp_path, PATH_AND_DEEPER, deeper=["more"])
    assert _problems(root) == []
    ((source,), _) = read_lessons(DiskFiles(root))
    course = Course.objects.create(slug="course")
    assert [save_lesson(course, source) for _ in range(2)] == ["created", "unchanged"]
    lesson = Lesson.objects.get()
    assert [step.slug for step in lesson.path_steps] == ["one", "two"]
    assert [step.slug for step in lesson.deeper_steps] == ["more"]
    assert lesson.reading_seconds == 48
    stored = stored_lessons(course)["first"]
    assert stored.loaded_hash == stored.content_hash == source.content_hash


@pytest.mark.django_db
def test_a_flag_alone_is_a_change_of_a_lesson(tmp_path: Path) -> None:
    before = read_lessons(DiskFiles(write_course(tmp_path / "a", PATH_AND_DEEPER)))[0][0]
    after = read_lessons(DiskFiles(write_course(tmp_path / "b", PATH_AND_DEEPER, deeper=["more"])))[
        0
    ][0]
    course = Course.objects.create(slug="course")
    assert [save_lesson(course, source) for source in (before, after)] == ["created", "updated"]
    assert Step.objects.filter(going_deeper=True).count() == 1


def test_without_the_flag_hashes_are_those_of_releases_before(tmp_path: Path) -> None:
    ((lesson,), _) = read_lessons(DiskFiles(write_course(tmp_path, {"one": "Words."})))
    steps = [
        {
            "slug": "one",
            "title": "Step one",
            "text": "Words.",
            "sources": [["paper", "section 1"]],
        }
    ]
    facts = ("First lesson", "Small.", "steps", ["numbers"])
    assert lesson.content_hash == content_hash_of(*facts, steps)


@pytest.mark.django_db
def test_no_step_of_a_reference_is_on_the_path(tmp_path: Path) -> None:
    root = write_course(tmp_path, {"one": "Words."})
    write_lesson(root, "words", {"notation": "word " * 400}, title="Words", form="reference")
    (root / "course.yaml").write_text(
        (root / "course.yaml").read_text().replace("[first]", "[first, words]")
    )
    assert _problems(root) == []
    course = Course.objects.create(slug="course")
    for source in read_lessons(DiskFiles(root))[0]:
        save_lesson(course, source)
    reference = Lesson.objects.get(slug="words")
    assert reference.is_reference
    assert (reference.path_steps, reference.reading_seconds) == ([], 0)
    assert [step.slug for step in reference.deeper_steps] == ["notation"]


@pytest.mark.parametrize(
    ("deeper", "form", "problem"),
    [
        (
            ["two"],
            "steps",
            "lesson.yaml:12: steps: 'more' comes after 'two', which has going_deeper: true;"
            " expected all such steps after the others",
        ),
        (
            ["one", "two", "more"],
            "steps",
            "lesson.yaml:5: steps: all have going_deeper: true; expected at least one step"
            " without it",
        ),
        (
            ["more"],
            "reference",
            "lesson.yaml:12: going_deeper: step 'more' is in a lesson with form: reference;"
            " expected going_deeper only with form: steps",
        ),
        (["more"], "cards", "step 'more' is in a lesson with form: cards"),
    ],
)
def test_a_misplaced_deeper_step_is_a_fault(
    tmp_path: Path, deeper: list[str], form: str, problem: str
) -> None:
    root = write_course(tmp_path, PATH_AND_DEEPER, deeper=deeper)
    if form != "steps":
        file = root / "lessons/first/lesson.yaml"
        file.write_text(
            file.read_text().replace("summary: Small.", f"summary: Small.\nform: {form}")
        )
    (message,) = _problems(root)
    assert problem in message


def test_a_flag_that_is_none_is_a_fault(tmp_path: Path) -> None:
    root = write_course(tmp_path, PATH_AND_DEEPER, deeper=["more"])
    file = root / "lessons/first/lesson.yaml"
    file.write_text(file.read_text().replace("going_deeper: true", "going_deeper: later"))
    (message,) = _problems(root)
    assert "going_deeper: 'later': must be true or false" in message


LONG = "word " * 151
DONE = FIGURE.format(id="codes")


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (f"One.\n{DONE}\n:::screen\n{LONG}", "01-one.md:11: screen 2 of 2 has 151 words of text"),
        (f"One.\n\n:::screen\n{DONE}", "01-one.md:1: screen 1 of 2 has nothing to do"),
        (
            f"{'word ' * 121}\n{DONE}\n:::screen\nTwo.",
            "01-one.md:1: the lesson has 121 words before the first thing to do",
        ),
        (
            f"{'word ' * 100}{LISTING}\n:::screen\n{'word ' * 21}{DONE}",  # not done, only read
            "01-one.md:1: the lesson has 121 words before the first thing to do",
        ),
    ],
)
def test_a_step_in_screens_has_few_words_and_things_to_do(
    text: str, problem: str, tmp_path: Path
) -> None:
    (found,) = _problems(write_course(tmp_path, {"one": text}))
    assert problem in found


def test_a_step_without_screens_may_be_long(tmp_path: Path) -> None:
    assert _problems(write_course(tmp_path, {"one": LONG, "two": LONG})) == []


def test_the_time_for_exercises_is_told_apart(tmp_path: Path) -> None:
    text = "word " * 100 + "\n\n```exercise\nslug: sum\n```\n"
    (lesson,), _ = read_lessons(DiskFiles(write_course(tmp_path, {"one": text})))
    assert lesson.steps_read[0].reading_seconds == 930
    assert lesson.steps_read[0].code_seconds == 900


PREDICT = """
```predict
id: base
encoding: sinusoidal
view: heatmap
set: {d_model: 50}
change: {base: 100}
question: What happens?
options:
  - {text: It moves, right: true, reason: "So."}
  - {text: Nothing, reason: "No."}
```
"""
ONE_LINE = [
    ("question: What happens?", "question: What ==happens==?", 8, "highlighting"),
    ("text: It moves", "text: It <b>moves</b>", 10, "HTML"),
    ('"No."', '"No[^1]."', 11, "a footnote"),
    ('"No."', '"No $\\\\foo$."', 11, "formula"),
]


@pytest.mark.parametrize(("before", "after", "line", "words"), ONE_LINE)
def test_texts_of_a_prediction_are_looked_at(
    tmp_path: Path, before: str, after: str, line: int, words: str
) -> None:
    root = write_course(tmp_path, {"one": PREDICT.replace(before, after)})
    (problem,) = read_lessons(DiskFiles(root))[1]
    assert (problem.path, problem.line) == ("lessons/first/steps/01-one.md", line)
    assert words in problem.message
    assert problem.since_published


def test_prerequisites_and_titles_are_looked_at(tmp_path: Path) -> None:
    root = write_course(tmp_path, {"one": "Words."}, title="The **first** lesson")
    file = root / "lessons/first/lesson.yaml"
    file.write_text(file.read_text().replace("[numbers]", '["- numbers", "words"]'))
    found = [(one.line, one.message) for one in read_lessons(DiskFiles(root))[1]]
    assert found == [
        (1, "“**”: Markdown shows as typed here; write plain words"),
        (
            3,
            "“- numbers”: a heading, list, quotation or fence in a one-line text shows as typed;"
            " remove it",
        ),
    ]
