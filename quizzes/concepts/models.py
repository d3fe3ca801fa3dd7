"""A course's concept map as loaded from its file, with the places of its nodes."""

from django.db import models

from quizzes.content_files.fields import MAX_SLUG


class ConceptMap(models.Model):
    """The map of one course: one row, so that it is never half another map."""

    slug = models.SlugField(max_length=MAX_SLUG, unique=True)  # that of the course
    concepts = models.JSONField(default=list)  # as `Concept.content()` says, in the file's order
    drawing = models.JSONField(default=dict)  # as `Drawing.content()` says; follows from concepts
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return f"map of {self.slug}"
