"""A course's concept map as loaded from its file, with the places of its nodes."""

from django.db import models

from quizzes.courses.content import Content
from quizzes.courses.models import Course


class ConceptMap(Content):
    """The map of one course: one row, so that it is never half another map."""

    course = models.OneToOneField(Course, on_delete=models.CASCADE, related_name="concept_map")
    concepts = models.JSONField(default=list)  # as `Concept.content()` says, in the file's order
    drawing = models.JSONField(default=dict)  # as `Drawing.content()` says; follows from concepts
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return f"map of {self.course.slug}"
