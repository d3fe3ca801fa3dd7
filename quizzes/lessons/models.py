"""Lessons, their steps and their plots, as loaded from files or edited since."""

from django.conf import settings
from django.db import models
from django.utils.timezone import now

from quizzes.content_files.fields import MAX_SLUG
from quizzes.courses import addresses
from quizzes.courses.content import Content, ContentQuerySet
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import LATER_OF_COURSE, Course
from quizzes.courses.withdrawal import Withdrawable


class LessonQuerySet(ContentQuerySet["Lesson"]):
    def with_steps(self) -> "LessonQuerySet":
        """Fetch courses and steps with the lessons, without texts and sources. Two queries."""
        steps = Step.objects.defer("text", "sources").order_by("number")
        there = self.select_related("course").defer(*LATER_OF_COURSE)
        return there.prefetch_related(models.Prefetch("steps", steps))


class Lesson(Withdrawable, Content):
    """One lesson: a few steps to read and work through in their order.

    One that was begun in the browser and never published has no title and is withdrawn.
    """

    class Form(models.TextChoices):
        STEPS = "steps"
        CARDS = "cards"  # short ones, read one after the other: the deep dive
        REFERENCE = "reference"  # pages to look things up in, of which none is to be read

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="lessons")
    slug = models.SlugField(max_length=MAX_SLUG)
    number = models.PositiveSmallIntegerField()  # place in the course, from 1
    title = models.CharField(max_length=200)
    summary = models.TextField()
    form = models.CharField(max_length=10, choices=Form.choices, default=Form.STEPS)
    prerequisites = models.JSONField(default=list)  # short texts
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)  # the files name it no longer
    # Null for those from before it was written down.
    made_at = models.DateTimeField(null=True, default=now, editable=False)

    objects = LessonQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        ordering = ["course__place", "course", "number"]
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_lesson_per_slug"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return addresses.lesson_address(self.course.slug, self.slug)

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        return Subject.of(Kind.LESSON, self.slug, self.title or self.slug)

    @property
    def is_reference(self) -> bool:
        return self.form == self.Form.REFERENCE

    @property
    def path_steps(self) -> "list[Step]":
        """Return the steps of the path, which are to be read: all counts are of these alone."""
        return [step for step in self.steps.all() if not self._is_beside(step)]

    @property
    def deeper_steps(self) -> "list[Step]":
        """Return the steps off the path: those that go deeper, or all pages of a reference."""
        return [step for step in self.steps.all() if self._is_beside(step)]

    def _is_beside(self, step: "Step") -> bool:
        return step.going_deeper or self.is_reference

    @property
    def reading_seconds(self) -> int:
        """Time to work through the steps of the path, exercises included."""
        return sum(step.reading_seconds for step in self.path_steps)

    @property
    def code_seconds(self) -> int:
        """The part of it that the exercises take."""
        return sum(step.code_seconds for step in self.path_steps)


class Step(Content):
    """One idea of a lesson, as Markdown with blocks."""

    course_path = "lesson__course"

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE, related_name="steps")
    slug = models.SlugField(max_length=MAX_SLUG)
    number = models.PositiveSmallIntegerField()  # place in the lesson, from 1
    title = models.CharField(max_length=200)
    text = models.TextField()
    sources = models.JSONField(default=list)  # [{"key", "where"}], keys of Course.sources
    reading_seconds = models.PositiveIntegerField()  # exercises included
    # The part of it for exercises.
    code_seconds = models.PositiveIntegerField(default=0, db_default=0)
    # To read after the lesson, or never. These are the last steps of their lesson.
    going_deeper = models.BooleanField(default=False, db_default=False)
    # When its sentences about models and libraries were last compared with their sources.
    as_of = models.DateField(null=True)

    class Meta:
        ordering = ["lesson", "number"]
        constraints = [
            models.UniqueConstraint(fields=["lesson", "slug"], name="one_step_per_slug"),
            models.UniqueConstraint(fields=["lesson", "number"], name="one_step_per_place"),
        ]

    def __str__(self) -> str:
        return f"{self.lesson_slug}/{self.slug}"

    def get_absolute_url(self) -> str:
        return addresses.step_address(self.lesson.course.slug, self.path)

    @property
    def lesson_slug(self) -> str:
        return self.lesson.slug

    @property
    def path(self) -> str:
        """Name the step in the record of progress and in links: "lesson/step"."""
        return f"{self.lesson_slug}/{self.slug}"


class SmallPicture(Content):
    """A small picture of a figure, in light or dark, made when files are loaded."""

    scheme = models.CharField(max_length=5)  # "light" or "dark"
    png = models.BinaryField()
    made_of = models.CharField(max_length=120)  # the version of the engine, and of the content

    class Meta:
        abstract = True


class Thumbnail(SmallPicture):
    """The picture of a lesson's first figure."""

    course_path = "lesson__course"

    lesson = models.ForeignKey(Lesson, on_delete=models.CASCADE)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["lesson", "scheme"], name="one_thumbnail_per_scheme"),
        ]

    def __str__(self) -> str:
        return f"{self.lesson.slug}, {self.scheme}"


class StepThumbnail(SmallPicture):
    """The picture of a step's first figure, for the map; empty for a step without a figure."""

    course_path = "step__lesson__course"

    step = models.ForeignKey(Step, on_delete=models.CASCADE, related_name="thumbnails")

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["step", "scheme"], name="one_step_thumbnail_per_scheme")
        ]

    def __str__(self) -> str:
        return f"{self.step.path}, {self.scheme}"


class Picture(Withdrawable, Content):
    """A picture that an author brought, as its file is, without metadata."""

    class Kind(models.TextChoices):
        PNG = "png", "PNG"
        JPEG = "jpeg", "JPEG"
        WEBP = "webp", "WebP"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="pictures")
    slug = models.SlugField(max_length=MAX_SLUG)
    kind = models.CharField(max_length=4, choices=Kind.choices)
    data = models.BinaryField()
    sha256 = models.CharField(max_length=64, editable=False)  # of the data: its address has it
    size = models.PositiveIntegerField(editable=False)  # bytes
    width = models.PositiveIntegerField()  # pixels, as the height
    height = models.PositiveIntegerField()
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)  # kept for lessons of before

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_picture_per_slug"),
            models.CheckConstraint(
                name="picture_kind_is_known",
                condition=models.Q(kind__in=["png", "jpeg", "webp"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.slug}, {self.width} x {self.height}"


class ReleasedModels(Content):
    """The released models that a course lists: one row, so that it is never half another list."""

    course = models.OneToOneField(Course, on_delete=models.CASCADE, related_name="released_models")
    facts = models.JSONField(default=list)  # of each model, by name, as `model_files.py` reads them
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)

    def __str__(self) -> str:
        return f"released models of {self.course.slug}"


class ListingRun(models.Model):
    """The program of a listing, run by a worker for an author: what it prints, or why it fails.

    A course has one of each program, in whatever lesson or draft it stands; `digest` is that of
    `code`. `line`, from 1 in the program, is that of the `fault`.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        PRINTED = "printed"
        STOPPED = "stopped"  # by a fault of the program
        LEFT_OUT = "left_out"  # it needs torch, which is not installed
        FAILED = "failed"  # by our failure

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="+")
    digest = models.CharField(max_length=64)
    code = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    asked_at = models.DateTimeField(default=now)
    tries_used = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)
    printed = models.TextField(blank=True)
    fault = models.TextField(blank=True)
    line = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(fields=["course", "digest"], name="one_run_per_program"),
        ]
        indexes = [
            models.Index(
                name="listings_waiting", fields=["asked_at"], condition=models.Q(state="waiting")
            ),
            models.Index(name="old_listing_runs", fields=["asked_at"]),
        ]

    def __str__(self) -> str:
        return f"run of a listing, {self.state}"


class Plot(Withdrawable, Content):
    """A plot of a course: a program of its author. `text` is "" until it is published."""

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="plots")
    slug = models.SlugField(max_length=MAX_SLUG)
    title = models.CharField(max_length=200, blank=True)
    text = models.TextField(blank=True)
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = ["course", "slug"]
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_plot_per_slug"),
        ]

    def __str__(self) -> str:
        return self.title or self.slug

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        return Subject.of(Kind.PLOT, self.slug, str(self))


class PlotDrawing(models.Model):
    """One program of a plot, run for all places of its sliders: its frames, or what is wrong.

    Published plots and drafts name it by their program, so what was drawn as a draft need not be
    drawn once more. `key` stands in addresses: nobody guesses it who does not know the program.
    `scales` are those of all frames.
    """

    class State(models.TextChoices):
        WAITING = "waiting", "waiting to be drawn"
        DRAWN = "drawn", "drawn"
        REFUSED = "refused", "not drawn: there is a problem"
        FAILED = "failed", "not drawn: we failed"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="plot_drawings")
    key = models.CharField(max_length=32, unique=True)
    slug = models.SlugField(max_length=MAX_SLUG)  # of the plot for which it was begun
    text = models.TextField()
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    problem = models.TextField(blank=True)
    line = models.PositiveIntegerField(default=1)  # of the problem
    stage = models.CharField(max_length=60, blank=True)  # "24 of 80 frames"
    shape = models.JSONField(default=list)
    scales = models.JSONField(default=list)
    frames = models.PositiveSmallIntegerField(default=0)
    size = models.PositiveIntegerField(default=0)  # bytes of all frames
    asked_at = models.DateTimeField(default=now)
    asked_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    tries_used = models.PositiveSmallIntegerField(default=0)
    leased_until = models.DateTimeField(null=True)

    class Meta:
        ordering = ["asked_at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="plot_drawing_state_is_known",
                condition=models.Q(state__in=["waiting", "drawn", "refused", "failed"]),
            ),
        ]
        indexes = [
            models.Index(
                name="plots_waiting", fields=["asked_at"], condition=models.Q(state="waiting")
            ),
        ]

    def __str__(self) -> str:
        return f"drawing of the plot {self.slug}"


class PlotFrame(models.Model):
    """What a plot's program gave for one place of its sliders, numbered from 0."""

    drawing = models.ForeignKey(PlotDrawing, on_delete=models.CASCADE, related_name="frame_rows")
    number = models.PositiveSmallIntegerField()
    data = models.BinaryField()

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["drawing", "number"], name="one_frame_per_place"),
        ]

    def __str__(self) -> str:
        return f"frame {self.number} of {self.drawing_id}"
