"""Every formula of the shipped courses, with the numbers put in, and the hash of its MathML."""

import hashlib
from collections.abc import Iterator

from quizzes.pages.markdown import FORMULAS, parser, value_problem
from quizzes.pages.mathematics import mathml
from tests.content.lesson_text import lessons, questions
from tests.course_folders import COURSES


def texts() -> Iterator[str]:
    """Yield every Markdown text of the courses."""
    for course in COURSES:
        for lesson in lessons(course):
            yield from (step.text for step in lesson.steps_read)
        for question in questions(course).values():
            yield question.prompt
            for option in question.options:
                yield from (option.text, option.reason)
        yield from (path.read_text() for path in sorted(course.glob("exercises/*/statement.md")))


def formulas() -> dict[str, str]:
    """Return the hash of the MathML of every formula, by its LaTeX with the numbers put in."""
    found = {}
    for text in texts():
        for token in parser().parse(text):
            for part in [token, *(token.children or [])]:
                if part.type in FORMULAS:
                    assert not value_problem(part)
                    made = mathml(part.content, display=part.type != "math_inline")
                    assert "merror" not in made
                    digest = hashlib.sha256(made.encode()).hexdigest()[:16]
                    found[f"{part.type} {part.content}"] = digest
    return found
