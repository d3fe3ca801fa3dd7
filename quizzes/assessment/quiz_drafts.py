"""Putting quizzes together in the browser: drafts, what is missing, publishing, withdrawing."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction
from django.db.models import F

from quizzes.assessment.models import Question, Quiz, QuizDraft
from quizzes.assessment.models.drafts import UNPLANNED
from quizzes.assessment.pools import pool_problems
from quizzes.assessment.question_drafts import node_of, unseen_problems
from quizzes.assessment.question_files import quiz_from
from quizzes.assessment.revisions import (
    NotReadyError,
    SlugTakenError,
    take_revision,
)
from quizzes.assessment.sources import QuizSource
from quizzes.assessment.store import content_of_quiz, put_quiz, stored_quiz_hash
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.courses.audit import record
from quizzes.courses.models import Course
from quizzes.learners.models import User

BLANK: Mapping[str, Any] = {"title": "", "summary": "", "questions": []}


@dataclass(frozen=True)
class EditableQuiz:
    """What an editor opens: the draft, else the quiz as learners find it."""

    content: Mapping[str, Any]
    revision: int
    draft: QuizDraft | None


def editable_quiz(quiz: Quiz) -> EditableQuiz:
    """Return the content to edit, with the revision that a change must name."""
    found = Quiz.objects.select_related("draft__edited_by").get(pk=quiz.pk)
    draft = getattr(found, "draft", None)
    content = draft.content if draft is not None else content_of_quiz(found)
    return EditableQuiz(content, found.revision, draft)


def check_quiz(
    quiz: Quiz, content: Mapping[str, Any]
) -> tuple[QuizSource, tuple[ContentProblem, ...]]:
    """Read a draft by the rules of quiz files; a question must have been published.

    One query, another where the quiz has pools, and some where a rule is younger than the quiz.
    """
    problems = list(unseen_problems(content))
    source = quiz_from(quiz.slug, node_of(dict(content)), problems)
    named = [question for question, _ in source.questions]
    found = Question.objects.filter(course=quiz.course_id, slug__in=named, current__isnull=False)
    withdrawn = dict(found.values_list("slug", "withdrawn_at"))
    for question, problem in source.questions:
        if question not in withdrawn or withdrawn[question]:
            why = "is withdrawn" if question in withdrawn else "is not published yet"
            words = f"questions: {question!r} {why}"
            problems.append(replace(problem, message=words))
    problems += _pool_problems(quiz, source)
    younger = any(problem.since_published for problem in problems)
    same = younger and quiz.is_published and stored_quiz_hash(quiz) == source.content_hash
    return source, refused(problems, is_published=same)


def _pool_problems(quiz: Quiz, source: QuizSource) -> Iterator[ContentProblem]:
    if not source.pools:
        return
    asked = Question.objects.available().filter(course=quiz.course_id)
    tags = dict(asked.values_list("slug", "current__tags"))
    fixed = {slug for slug, _ in source.questions}
    pools = [(pool.draw, pool.tag) for pool in source.pools]
    for number, words in pool_problems(pools, fixed, tags):
        yield replace(source.pools[number].problem, message=f"questions: a pool {words}")


@transaction.atomic
def save_quiz_draft(*, quiz: Quiz, content: Mapping[str, Any], revision: int, editor: User) -> int:
    """Save a draft over the revision it was made from; return the new one.

    Raises StaleRevisionError.
    """
    taken = take_revision(quiz, revision)
    facts = {"content": dict(content), "edited_by": editor, **UNPLANNED}
    QuizDraft.objects.update_or_create(
        quiz=quiz, defaults=facts, create_defaults={**facts, "base": stored_quiz_hash(quiz)}
    )
    return taken


@transaction.atomic
def publish_quiz(*, quiz: Quiz, revision: int, by: User | None = None) -> int:
    """Let learners find the draft under the quiz's address; return its number of questions.

    Attempts that have begun keep their questions. Raises NotReadyError or StaleRevisionError.
    """
    take_revision(quiz, revision)
    draft = QuizDraft.objects.filter(quiz=quiz).first()
    content = draft.content if draft is not None else content_of_quiz(quiz)
    source, problems = check_quiz(quiz, content)
    if problems:
        raise NotReadyError(problems)
    put_quiz(quiz, source)
    # What the files name no longer belongs to the browser from now on: no load takes it again.
    gone = Quiz.objects.filter(pk=quiz.pk, withdrawn_at__isnull=False)
    gone.update(withdrawn_at=None, loaded_hash="")
    QuizDraft.objects.filter(quiz=quiz).delete()
    quiz.refresh_from_db(fields=["title"])
    record(by=by, act="published", subjects=[quiz.as_subject()], course=quiz.course)
    return source.size


@transaction.atomic
def publish_quiz_later(*, quiz: Quiz, revision: int, by: User) -> None:
    """Have the draft published when no class has the quiz to do any more; saving it undoes that.

    The plan is based on what is published now, which the editor of this revision has seen.
    Raises NotReadyError or StaleRevisionError.
    """
    take_revision(quiz, revision)
    draft = QuizDraft.objects.get(quiz=quiz)
    _, problems = check_quiz(quiz, draft.content)
    if problems:
        raise NotReadyError(problems)
    base = stored_quiz_hash(Quiz.objects.get(pk=quiz.pk))
    QuizDraft.objects.filter(pk=draft.pk).update(publish_when_closed=True, base=base)
    record(
        by=by,
        act="will publish",
        subjects=[quiz.as_subject()],
        about="when no class has it to do",
        course=quiz.course,
    )


@transaction.atomic
def set_class_only(*, quiz: Quiz, class_only: bool) -> None:
    """Say which learners find a quiz, at once: in what is published, and in a draft of it.

    A draft that was based on what is published stays so: this is no change that its editor has to
    look at, and one that waits for its class is published as planned. The revision moves on, so
    that a form which was opened before does not undo it unseen.
    """
    Quiz.objects.filter(pk=quiz.pk).update(revision=F("revision") + 1)  # locks the row
    quiz.refresh_from_db()
    before = stored_quiz_hash(quiz)
    quiz.class_only = class_only
    quiz.save(update_fields=["class_only"])
    draft = QuizDraft.objects.filter(quiz=quiz).first()
    if draft is not None:
        content = {name: value for name, value in draft.content.items() if name != "class_only"}
        content |= {"class_only": True} if class_only else {}
        base = stored_quiz_hash(quiz) if draft.base == before else draft.base
        QuizDraft.objects.filter(pk=draft.pk).update(content=content, base=base)


@transaction.atomic
def withdraw_quiz(*, quiz: Quiz, revision: int, by: User | None = None) -> None:
    """Take the quiz away from learners. Who has begun it may finish. Raises StaleRevisionError.

    A draft that waits for its class is published by nobody any more: that would bring it back.
    """
    take_revision(quiz, revision)
    Quiz.objects.filter(pk=quiz.pk).update(is_published=False)
    QuizDraft.objects.filter(quiz=quiz).update(publish_when_closed=False)
    record(by=by, act="withdrew", subjects=[quiz.as_subject()], course=quiz.course)


@transaction.atomic
def discard_quiz_draft(*, quiz: Quiz, revision: int) -> bool:
    """Delete the draft; a quiz that was never published goes with it, and False is returned.

    Raises StaleRevisionError.
    """
    take_revision(quiz, revision)
    QuizDraft.objects.filter(quiz=quiz).delete()
    if quiz.is_published or quiz.places.exists() or quiz.attempts.exists():
        return True
    quiz.delete()
    return False


@transaction.atomic
def new_quiz(course: Course, *, slug: str, content: Mapping[str, Any], editor: User) -> Quiz:
    """Begin a quiz as a draft that no learner finds. Raises SlugTakenError."""
    quiz, made = Quiz.objects.get_or_create(
        course=course, slug=slug, defaults={"is_published": False}
    )
    if not made:
        raise SlugTakenError(f"there is already a quiz {slug}")
    save_quiz_draft(quiz=quiz, content=content, revision=0, editor=editor)
    return quiz
