"""What instructors are writing: one draft per question and per quiz, until it is published.

Questions and quizzes count their changes in `revision`: a draft saved, published or discarded, a
file loaded. A form sends the revision it was made from, so that of two instructors who edit at
once the second is told and overwrites nothing (`quizzes.assessment.revisions`).
"""

from django.conf import settings
from django.db import models

from quizzes.assessment.models.questions import Question, Quiz

# What saving a draft undoes.
UNPLANNED = {"publish_when_closed": False, "not_published_at": None, "not_published_why": ""}


class Draft(models.Model):
    """Something as it is being written; it may still be incomplete.

    `base` is the content hash of what was published when the draft was begun, or when it was last
    planned to be published; "" for nothing.
    """

    content = models.JSONField()
    base = models.CharField(max_length=64, blank=True, editable=False)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    edited_at = models.DateTimeField(auto_now=True)
    # When no class has a quiz to do any more that it would change.
    publish_when_closed = models.BooleanField(default=False, db_default=False)
    # When a worker gave that up, and why, until the draft is saved again.
    not_published_at = models.DateTimeField(null=True, editable=False)
    not_published_why = models.CharField(
        max_length=300, blank=True, default="", db_default="", editable=False
    )

    class Meta:
        abstract = True


class QuestionDraft(Draft):
    """`content` has the fields of question.yaml."""

    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="draft")

    def __str__(self) -> str:
        return f"draft of question {self.question.slug}"


class QuizDraft(Draft):
    """`content` has the fields of a quiz's file: title, summary, questions."""

    quiz = models.OneToOneField(Quiz, on_delete=models.CASCADE, related_name="draft")

    def __str__(self) -> str:
        return f"draft of quiz {self.quiz.slug}"
