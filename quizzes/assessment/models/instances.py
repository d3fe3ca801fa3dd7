"""Generated questions with one set of numbers each."""

from django.db import models

from quizzes.assessment.models.questions import QuestionVersion
from quizzes.courses.content import Content


class Instance(Content):
    """What a question's generate.py made of one seed. It never changes: responses name it.

    Its options are rows of `Option`; `facts` are the numbers that were drawn.
    """

    course_path = "version__question__course"

    version = models.ForeignKey(QuestionVersion, on_delete=models.CASCADE, related_name="instances")
    seed = models.BigIntegerField(editable=False)
    prompt = models.TextField(editable=False)  # Markdown
    facts = models.JSONField(default=dict, editable=False)
    answer = models.JSONField(null=True, editable=False)  # as in QuestionVersion
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "seed"], name="one_instance_per_seed"),
        ]

    def __str__(self) -> str:
        return f"{self.version}, seed {self.seed}"

    def content_course(self) -> int | None:
        """Return the key of the course for the only one of a question, which it waits for."""
        others = Instance.objects.filter(version__question=self.version.question_id)
        return None if others.exclude(pk=self.pk).exists() else super().content_course()
