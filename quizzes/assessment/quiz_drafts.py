"""Quizzes that are put together in the browser: what is missing, how they are published."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from quizzes.assessment.canonical_files import QUIZ_FILE, quiz_file, quiz_form_content
from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.pools import pool_problems
from quizzes.assessment.question_drafts import node_of, unseen_problems
from quizzes.assessment.question_files import quiz_from
from quizzes.assessment.sources import QuizSource, quiz_hash
from quizzes.assessment.store import add_quiz_edition, content_of_quiz, put_quiz, stored_quiz_hash
from quizzes.content_files.problems import ContentProblem, refused
from quizzes.courses.drafts import (
    CheckedText,
    draft_of,
    lock_course,
)
from quizzes.courses.editions import PastText, editions_of
from quizzes.courses.models import ContentDraft, OldName
from quizzes.courses.old_names import new_names
from quizzes.learners.models import User

BLANK: Mapping[str, Any] = {"title": "", "summary": "", "questions": []}


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


def _slug_in(entry: Any) -> str:
    """Return the question that an entry of a form names, "" for a pool."""
    return str(entry.get("slug", "")) if isinstance(entry, dict) else str(entry)


def _renamed(entry: Any, new: Mapping[str, str]) -> Any:
    """Return an entry that names its question as it is called now."""
    slug = _slug_in(entry)
    if slug not in new:
        return entry
    return {**entry, "slug": new[slug]} if isinstance(entry, dict) else new[slug]


@dataclass
class EditableQuiz:
    """A quiz for the mechanism of drafts."""

    row: Quiz
    kind = ContentDraft.Kind.QUIZ

    def refresh(self) -> None:
        self.row.refresh_from_db(from_queryset=Quiz.objects.select_related("course"))

    def published(self) -> dict[str, Any] | None:
        return content_of_quiz(self.row) if self.row.is_published else None

    def published_hash(self) -> str:
        return stored_quiz_hash(self.row)

    def blank(self) -> Mapping[str, Any]:
        """Return what a quiz had when it was withdrawn."""
        return content_of_quiz(self.row)

    def files(self, content: Mapping[str, Any]) -> dict[str, str]:
        return {QUIZ_FILE: quiz_file(content)}

    def content(self, files: Mapping[str, str]) -> dict[str, Any]:
        return quiz_form_content(files[QUIZ_FILE])

    def check(self, content: Mapping[str, Any]) -> CheckedText:
        return CheckedText(*check_quiz(self.row, content))

    def store_published(self, source: QuizSource, editor: User | None) -> str:
        """Let learners find the quiz under its address."""
        put_quiz(self.row, source, by=editor)
        # What the files name no longer belongs to the browser from now on: no load takes it again.
        gone = Quiz.objects.filter(pk=self.row.pk, withdrawn_at__isnull=False)
        if gone.update(withdrawn_at=None, loaded_hash=""):
            self.row.refresh_from_db()
        return ""

    def versions(self) -> list[PastText]:
        """Return its editions, with the names that their questions have now.

        Two queries, and three of the quiz.
        """
        now, editions = self.published_hash(), list(editions_of(self.row))
        contents = self._with_new_names([self.content(edition.files) for edition in editions])
        return [
            PastText(
                edition.number,
                content,
                edition.at,
                edition.by,
                edition.from_files,
                is_current=edition is editions[0]
                and now in {edition.content_hash, quiz_hash(content)},
                row=edition,
            )
            for edition, content in zip(editions, contents, strict=True)
        ]

    def _with_new_names(self, contents: Sequence[dict[str, Any]]) -> list[dict[str, Any]]:
        """Return contents that name questions as they are called now. One query."""
        named = {
            slug
            for content in contents
            for entry in content["questions"]
            if (slug := _slug_in(entry))
        }
        new = new_names(self.row.course, OldName.Kind.QUESTION, named)
        return [
            {**content, "questions": [_renamed(entry, new) for entry in content["questions"]]}
            for content in contents
        ]

    def drop_unused(self) -> bool:
        """Delete a quiz that was never published."""
        if self.row.is_published or self.row.places.exists() or self.row.attempts.exists():
            return False
        self.row.delete()
        return True


@transaction.atomic
def set_class_only(*, quiz: Quiz, class_only: bool, by: User | None = None) -> None:
    """Say which learners find a quiz, at once: in what is published, and in a draft of it.

    A draft that was based on what is published stays so: this is no change that its editor has to
    look at, and one that waits for its class is published as planned. The revision moves on, so
    that a form which was opened before does not undo it unseen.
    """
    lock_course(quiz.course_id)
    quiz.refresh_from_db()
    before, thing = stored_quiz_hash(quiz), EditableQuiz(quiz)
    if before:
        add_quiz_edition(quiz)
    quiz.class_only = class_only
    quiz.save(update_fields=["class_only"])
    if before:
        add_quiz_edition(quiz, by=by)
    draft = draft_of(thing)
    if draft is not None:
        content = thing.content(draft.files)
        content.pop("class_only", None)
        content |= {"class_only": True} if class_only else {}
        base = stored_quiz_hash(quiz) if draft.base == before else draft.base
        ContentDraft.objects.filter(pk=draft.pk).update(files=thing.files(content), base=base)
