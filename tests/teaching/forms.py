"""The forms of a question and of a quiz as a browser sends them."""

from django.urls import reverse

from quizzes.assessment.models import Question, Quiz
from tests.courses import SLUG
from tests.drafts import revision_of


def address(slug="one", name="question"):
    return reverse(f"teaching:{name}", args=[SLUG, slug])


def teach(path="", course=SLUG):
    """Return the address of an instructors' page of a course: `teach("questions/")`."""
    return f"/teach/courses/{course}/{path}"


def form(slug="one", **changes):
    """Return the fields of a complete question, opened now and changed."""
    found = Question.objects.filter(slug=slug).first()
    return {
        "revision": revision_of(found) if found else "",
        "do": "publish",
        "prompt": "What is $2 + 2$?",
        "step": "sums/adding",
        "tags": "sums, easy",
        "key": "2",
        "text-1": "five",
        "reason-1": "One too many.",
        "text-2": "four",
        "reason-2": "Count on your fingers.",
        **changes,
    }


def quiz_form(slug="sums", **changes):
    """Return the fields of a complete quiz, opened now and changed."""
    found = Quiz.objects.filter(slug=slug).first()
    return {
        "revision": revision_of(found) if found else "",
        "do": "publish",
        "title": "Sums, again",
        "summary": "Adding $1$ to things.",
        "questions": ["three", "one"],
        **changes,
    }
