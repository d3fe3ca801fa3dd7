"""What instructors see of questions: the list with its search, and one question to write."""

from collections.abc import Mapping
from typing import Any

from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from quizzes.assessment.drafting import check
from quizzes.assessment.models import Question, QuestionDraft, QuestionVersion
from quizzes.assessment.showing import source_shown
from quizzes.lessons.models import Step
from quizzes.teaching.forms import missing, rows


def step_paths() -> dict[str, str]:
    """Return {"lesson/step": title} for every step of every lesson, in order. One query."""
    steps = Step.objects.select_related("lesson").order_by("lesson__number", "number")
    return {
        f"{step.lesson.slug}/{step.slug}": f"{step.lesson.title}: {step.title}" for step in steps
    }


def found_questions(words: str) -> QuerySet[Question]:
    """Return the questions in which every word occurs: name, prompt, step or tags."""
    found = Question.objects.select_related("current").order_by("slug")
    for word in words.split()[:10]:
        found = found.filter(
            Q(slug__icontains=word)
            | Q(current__prompt__icontains=word)
            | Q(current__step__icontains=word)
            | Q(current__tags__icontains=word)
        )
    drafts = QuestionDraft.objects.filter(question=OuterRef("pk"))
    return found.annotate(has_draft=Exists(drafts), quizzes_count=Count("places"))


def history(question: Question) -> QuerySet[QuestionVersion]:
    """Return the versions of a question, newest first, each with `met`: how many responses."""
    return question.versions.annotate(met=Count("responses")).order_by("-number")


def writing(
    question: Question, content: Mapping[str, Any], revision: int, *, more: bool = False
) -> dict[str, Any]:
    """Return what the page of a question that is being written shows."""
    steps = step_paths()
    checked = check(question.slug, content, steps=steps)
    return {
        "question": question,
        "content": content,
        "revision": revision,
        "rows": rows(content, more=more),
        "steps": steps,
        "preview": source_shown(checked.source),
        "missing": missing(checked.faults),
        "versions": history(question),
    }
