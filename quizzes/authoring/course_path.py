"""The way of a learner through a course: words and things to do, screen by screen."""

from collections.abc import Iterator

from quizzes.authoring.course_files import CourseFiles
from quizzes.lessons.lesson_files import actions_of, words_before_action

NOTHING = "nothing to do"


def course_path(files: CourseFiles) -> Iterator[str]:
    """Yield a line for each lesson, with the words before its first thing to do, and each screen.

    Words are those of running text: `shuffled-sentence 2/3   57 words   listing`.
    """
    for lesson in files.sources["lesson"]:
        has_prediction = any(
            block.kind == "predict" for step in lesson.steps_read for block in step.page.blocks
        )
        words = f"{words_before_action(lesson)} words before the first thing to do"
        yield f"{lesson.slug}: {words}{'' if has_prediction else ', no prediction'}"
        for step in lesson.steps_read:
            screens = step.page.screens
            for number, screen in enumerate(screens, start=1):
                name = f"{step.slug} {number}/{len(screens)}"
                actions = ", ".join(actions_of(screen)) or NOTHING
                yield f"  {name:<32}{screen.running_words:>5} words   {actions}"
