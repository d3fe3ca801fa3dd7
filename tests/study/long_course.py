"""Made-up courses of any length, for pages that must not grow with them."""

from collections.abc import Sequence

from quizzes.concepts.files import Concept, MapSource, save_map
from quizzes.courses.models import Course
from tests.courses import some_course
from tests.factories import create_exercise, create_lesson, create_question, create_quiz

SENTENCE = "A sentence that says in a few more words than it needs what somebody learns here."
STEPS, DEEPER = [f"step-{letter}" for letter in "abcdefg"], ["proof", "history", "code"]


def create_long_course(lessons: int, concepts: int, families: Sequence[str] = ()) -> Course:
    """Create lessons with a quiz and two exercises each, and a map of so many concepts.

    The families take turns, lesson by lesson, in runs of the same length; none for a course
    without.
    """
    course = some_course()
    slugs = [f"lesson-{number}" for number in range(1, lessons + 1)]
    for number, slug in enumerate(slugs, 1):
        title, summary = f"The lesson that has number {number}", " ".join([SENTENCE] * 3)
        needs = ["what the lesson before this one says", "sine and cosine in radians"]
        facts = {"number": number, "title": title, "summary": summary, "prerequisites": needs}
        create_lesson(slug, STEPS, deeper=DEEPER, **facts)
        question = create_question(f"about-{slug}")
        question.current.step = f"{slug}/{STEPS[0]}"
        question.current.save()
        create_quiz(f"quiz-{slug}", [question])
        for exercise in ("first", "second"):
            create_exercise(f"{exercise}-{slug}", step=f"{slug}/{STEPS[-1]}")
    family_of = [
        families[number * len(families) // lessons] if families else "" for number in range(lessons)
    ]
    nodes = tuple(
        Concept(
            f"concept-{number}",
            f"Concept {number}",
            "A summary.",
            (),
            (f"{slugs[number % lessons]}/{STEPS[number // lessons]}",),
            (),
            family_of[number % lessons],
        )
        for number in range(concepts)
    )
    save_map(course, MapSource(course.slug, "map.yaml", 1, nodes))
    return course
