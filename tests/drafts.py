"""What is written in the browser, for tests: revisions of forms, and contents of drafts."""

from typing import Any

from django.db.models import QuerySet

from quizzes.assessment.models import Question, Quiz
from quizzes.assessment.question_drafts import EditableQuestion
from quizzes.assessment.quiz_drafts import EditableQuiz
from quizzes.courses.drafts import current_text
from quizzes.courses.models import ContentDraft


def editable(row: Question | Quiz) -> EditableQuestion | EditableQuiz:
    """Return a row, read again, for the mechanism of drafts."""
    row = type(row).objects.get(pk=row.pk)
    return EditableQuestion(row) if isinstance(row, Question) else EditableQuiz(row)


def revision_of(row: Question | Quiz) -> str:
    """Return the revision that a form carries which is opened now."""
    return current_text(editable(row)).revision


def question_drafts() -> QuerySet[ContentDraft]:
    return ContentDraft.objects.filter(kind=ContentDraft.Kind.QUESTION)


def quiz_drafts() -> QuerySet[ContentDraft]:
    return ContentDraft.objects.filter(kind=ContentDraft.Kind.QUIZ)


def content_of_draft(row: Question | Quiz | None = None) -> dict[str, Any]:
    """Return the content of a draft: of this row, or of the only one."""
    drafts = ContentDraft.objects.all()
    if row is not None:
        drafts = drafts.filter(kind=row._meta.model_name, slug=row.slug, course=row.course_id)
    draft = drafts.get()
    kinds = {"question": EditableQuestion(Question()), "quiz": EditableQuiz(Quiz())}
    return kinds[draft.kind].content(draft.files)


def create_draft(row: Question | Quiz, content: dict[str, Any], **facts: Any) -> ContentDraft:
    """Store a draft of any content."""
    thing = editable(row)
    names = {"course": row.course, "kind": thing.kind, "slug": row.slug}
    return ContentDraft.objects.create(**names, files=thing.files(content), **facts)
