"""An exercise, its versions as files, and the packs of cases prepared from each version."""

from typing import Any, Self

from django.db import models
from django.db.models import Count, Expression, OuterRef, Q, Subquery
from django.db.models.functions import Coalesce

from quizzes.courses import addresses
from quizzes.courses.content import Content
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import Course
from quizzes.courses.withdrawal import Withdrawable
from quizzes.exercises.stored_packs import PackField
from quizzes.grader.definitions import ExerciseDefinition, read_definition

MAX_PREPARATIONS = 3
_DEFINITIONS: dict[int, ExerciseDefinition] = {}  # versions never change, and there are few


LAST = 1_000_000  # the place of what belongs to no lesson


class Exercise(Withdrawable, Content):
    """One coding exercise under its address. What it asks stands in its versions."""

    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="exercises")
    slug = models.SlugField(max_length=80)
    place = models.PositiveIntegerField(default=LAST, editable=False)  # in the order of the course
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    current = models.ForeignKey(
        "exercises.ExerciseVersion",
        null=True,
        editable=False,
        on_delete=models.RESTRICT,
        related_name="+",
        help_text="The version that learners meet.",
    )
    withdrawn_at = models.DateTimeField(null=True, editable=False)  # the files name it no longer

    class Meta:
        ordering = ["place", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_exercise_per_slug"),
        ]

    def __str__(self) -> str:
        return self.slug

    def get_absolute_url(self) -> str:
        return addresses.exercise_address(self.course.slug, self.slug)

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        title = self.current.title if self.current else self.slug
        return Subject.of(Kind.EXERCISE, self.slug, title)

    @property
    def draft_address(self) -> str:
        return addresses.draft_address(self.course.slug, self.slug)

    @property
    def solution_address(self) -> str:
        return addresses.solution_address(self.course.slug, self.slug)


class ExerciseVersion(Content):
    """The files of an exercise at one time. They never change: a change is a new version.

    Before it grades anybody, a worker verifies it in the author sandbox: the reference is right,
    the starter is not, and every known mistake is told apart.
    """

    course_path = "exercise__course"
    notes = frozenset({"preparations", "packs_wanted", "leased_until"})  # of workers

    class Verification(models.TextChoices):
        WAITING = "waiting", "being verified"
        OK = "ok", "verified"
        REFUSED = "refused", "refused"

    exercise = models.ForeignKey(Exercise, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField(editable=False)
    title = models.CharField(max_length=200, editable=False)
    step = models.CharField(
        max_length=200, blank=True, editable=False, help_text="Where it stands: lesson/step."
    )
    files = models.JSONField(editable=False, help_text="Relative file name to text.")
    content_hash = models.CharField(max_length=64, editable=False)
    created_at = models.DateTimeField(auto_now_add=True)

    verification = models.CharField(
        max_length=10, choices=Verification.choices, default=Verification.WAITING, editable=False
    )
    verified_at = models.DateTimeField(null=True, editable=False)
    problems = models.JSONField(default=list, editable=False)
    outline = models.JSONField(
        default=dict, editable=False, help_text="What the page says of the cases beforehand."
    )
    proof = models.JSONField(
        null=True, editable=False, help_text="Which case catches which known mistake."
    )
    preparations = models.PositiveSmallIntegerField(default=0, editable=False)
    packs_wanted = models.PositiveSmallIntegerField(
        default=0, editable=False, help_text="By learners who have met most of the pool."
    )
    leased_until = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["exercise", "number"]
        constraints = [
            models.UniqueConstraint(fields=["exercise", "number"], name="one_version_per_number"),
            models.CheckConstraint(
                name="verified_at_exactly_when_verified",
                condition=Q(verification="waiting", verified_at=None)
                | Q(verification__in=["ok", "refused"], verified_at__isnull=False),
            ),
            models.CheckConstraint(
                name="at_most_three_preparations",
                condition=Q(preparations__lte=MAX_PREPARATIONS),
            ),
        ]
        indexes = [
            models.Index(
                name="versions_to_verify", fields=["id"], condition=Q(verification="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.exercise.slug}, version {self.number}"

    def save(self, *args: Any, **options: Any) -> None:
        """Store a new version; a stored one never changes (ValueError)."""
        if not self._state.adding:
            raise ValueError(f"version {self.number} of {self.exercise}: stored versions are fixed")
        super().save(*args, **options)

    @property
    def definition(self) -> ExerciseDefinition:
        """What the files say; raises DefinitionError should they no longer be readable."""
        known = _DEFINITIONS.get(self.pk)
        if known is None or known.content_hash != self.content_hash:
            known = _DEFINITIONS[self.pk] = read_definition(self.exercise.slug, self.files)
        return known


class CasePackQuerySet(models.QuerySet["CasePack"]):
    """Packs, counted without reading them."""

    def in_pools(self) -> Self:
        """Return the packs that are drawn for every submission without a pack of its own."""
        return self.filter(retired_at=None, is_reserved=False)

    def count_of(self, version: str) -> Expression:
        """Count these for each row of another query, which has their version's key as `version`.

        Within the pools, the index `packs_of_a_pool` answers this alone: a join would read packs.
        """
        counted = self.filter(version=OuterRef(version)).order_by().values("version")
        return Coalesce(Subquery(counted.annotate(number=Count("pk")).values("number")), 0)


class CasePack(models.Model):
    """Cases drawn with one seed, and what the reference gives for them.

    A pool of them waits for each version. An exhausted pack is retired, never deleted while a
    submission names it, so that its grading can be repeated.

    A reserved pack serves one submission, of work that counts in a class, and is retired when it is
    taken. Its `data` goes some time after the work closed; its seed stays, which draws it again.
    """

    version = models.ForeignKey(ExerciseVersion, on_delete=models.CASCADE, related_name="packs")
    seed = models.BigIntegerField(editable=False)
    data = PackField(null=True, editable=False)
    is_reserved = models.BooleanField(
        default=False,
        db_default=False,
        editable=False,
        help_text="For one submission of work of a class.",
    )
    uses = models.PositiveIntegerField(default=0, editable=False)
    made_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, editable=False)

    objects = CasePackQuerySet.as_manager()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "seed"], name="one_pack_per_seed"),
        ]
        indexes = [
            # All that is asked of a pool. A row has 300 kB, which SQLite walks through for `uses`.
            models.Index(
                name="packs_of_a_pool", fields=["version", "retired_at", "is_reserved", "uses"]
            ),
            models.Index(
                name="packs_with_data_of_work",
                fields=["version"],
                condition=Q(is_reserved=True, data__isnull=False),
            ),
        ]

    def __str__(self) -> str:
        return f"pack {self.pk} of {self.version}"
