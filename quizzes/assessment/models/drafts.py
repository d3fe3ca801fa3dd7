"""What an instructor is writing: one draft per question, until it is published as a version."""

from django.conf import settings
from django.db import models

from quizzes.assessment.models.questions import Question


class QuestionDraft(models.Model):
    """A question as it is being written; it may still be incomplete.

    `content` has the fields of question.yaml. `revision` grows with every save, so that of two
    instructors who edit at once the second is told and overwrites nothing.
    """

    question = models.OneToOneField(Question, on_delete=models.CASCADE, related_name="draft")
    content = models.JSONField()
    revision = models.PositiveIntegerField(default=1)
    edited_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    edited_at = models.DateTimeField(auto_now=True)

    def __str__(self) -> str:
        return f"draft {self.revision} of {self.question.slug}"
