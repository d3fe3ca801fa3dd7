"""Questions in versions that never change once somebody met them, and quizzes made of questions."""

from decimal import Decimal
from typing import Any

from django.conf import settings
from django.db import models
from django.db.models import Count, F, Q, Sum
from django.db.models.functions import Coalesce
from django.db.models.signals import pre_delete
from django.dispatch import receiver
from django.utils.timezone import now

from quizzes.content_files.fields import MAX_SLUG
from quizzes.courses import addresses
from quizzes.courses.content import Content, ContentQuerySet
from quizzes.courses.log_subjects import Kind as SubjectKind
from quizzes.courses.log_subjects import Subject
from quizzes.courses.models import Course
from quizzes.courses.withdrawal import Withdrawable
from quizzes.learners.models import ReviewCard
from quizzes.learners.review import set_cards_aside


class FrozenVersionError(Exception):
    """A version that learners have met cannot be edited: make a new version."""


class QuestionQuerySet(ContentQuerySet["Question"]):
    def available(self) -> "QuestionQuerySet":
        """Return the questions that learners can still be asked."""
        return self.filter(current__isnull=False, withdrawn_at=None)


class Question(Withdrawable, Content):
    """A question under its lasting name; what it asks stands in its current version."""

    notes = frozenset({"numbers_missing_since"})

    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="questions")
    slug = models.SlugField(max_length=MAX_SLUG)
    current = models.ForeignKey(
        "assessment.QuestionVersion", null=True, on_delete=models.PROTECT, related_name="+"
    )
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)  # no longer asked
    # When an attempt of a class first had to wait for its numbers; see services.start_attempt.
    numbers_missing_since = models.DateTimeField(null=True, editable=False)

    objects = QuestionQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_question_per_slug"),
        ]

    def __str__(self) -> str:
        return self.slug

    def as_subject(self) -> Subject:
        """Return its subject for the log: a question is known by its name."""
        return Subject.of(SubjectKind.QUESTION, self.slug, self.slug)

    def follow_withdrawal(self) -> None:
        set_withdrawn_cards_aside(self.course_id)

    @property
    def practice_address(self) -> str:
        return addresses.practice_address(self.course.slug, self.slug)


def set_withdrawn_cards_aside(course: int) -> None:
    """Have the review cards of withdrawn questions wait, and all others be due again."""
    gone = Question.objects.filter(course=course, withdrawn_at__isnull=False)
    slugs = list(gone.values_list("slug", flat=True))
    set_cards_aside(course, kind=ReviewCard.Kind.QUESTION, slugs=slugs)


class QuestionVersion(Content):
    """What a question asked at one time. Equal content is one version, however often loaded."""

    course_path = "question__course"

    class Kind(models.TextChoices):
        SINGLE = "single", "one right option"
        NUMERIC = "numeric", "a number"
        MULTIPLE = "multiple", "several right options"
        TEXT = "text", "a text"

    class Scoring(models.TextChoices):
        ALL_OR_NOTHING = "all_or_nothing", "all or nothing"
        PER_OPTION = "per_option", "a part for each right option"

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="versions")
    number = models.PositiveIntegerField()
    content_hash = models.CharField(max_length=64, editable=False)
    kind = models.CharField(max_length=20, choices=Kind.choices, default=Kind.SINGLE)
    prompt = models.TextField()  # Markdown
    step = models.CharField(max_length=2 * MAX_SLUG + 1)  # "<lesson>/<step>" that explains it
    tags = models.JSONField(default=list, blank=True)
    keep_last = models.BooleanField(default=False)  # "none of these" stays below the others
    # Of a number a NumericAnswer, of a text a TextAnswer.
    answer = models.JSONField(null=True, blank=True)
    scoring = models.CharField(  # of several right options, else ""
        max_length=20, choices=Scoring.choices, blank=True, default="", db_default=""
    )
    generator = models.JSONField(default=dict, blank=True)  # generate.py and what it needs, by name
    problem = models.TextField(blank=True, editable=False)  # why generate.py makes no questions
    created_at = models.DateTimeField(auto_now_add=True)
    written_by = models.ForeignKey(  # None: it came with the course's files
        settings.AUTH_USER_MODEL,
        null=True,
        editable=False,
        on_delete=models.SET_NULL,
        related_name="+",
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["question", "number"], name="one_question_version_per_number"
            ),
            models.UniqueConstraint(
                fields=["question", "content_hash"], name="one_question_version_per_content"
            ),
            models.CheckConstraint(
                name="scoring_exactly_with_several_right_options",
                condition=Q(kind="multiple", scoring__in=["all_or_nothing", "per_option"])
                | (~Q(kind="multiple") & Q(scoring="")),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.question.slug} version {self.number}"

    def save(self, **kwargs: Any) -> None:
        """Save; raises FrozenVersionError for a version that a learner has met."""
        self.refuse_when_frozen()
        super().save(**kwargs)

    @property
    def is_generated(self) -> bool:
        """Return whether each learner gets numbers of their own: see `Instance`."""
        return bool(self.generator)

    def refuse_when_frozen(self) -> None:
        """Raise FrozenVersionError when a response pins this version."""
        if self.pk and self.responses.exists():
            raise FrozenVersionError(f"{self}: learners have already seen it; create a new version")


class Option(Content):
    """One answer a learner can choose, with the reason why it is right or wrong."""

    course_path = "version__question__course"

    version = models.ForeignKey(QuestionVersion, on_delete=models.CASCADE, related_name="options")
    instance = models.ForeignKey(  # None: the question is the same for everybody
        "assessment.Instance",
        null=True,
        blank=True,
        editable=False,
        on_delete=models.CASCADE,
        related_name="options",
    )
    order = models.PositiveSmallIntegerField()  # in the file; learners see them shuffled
    text = models.TextField()  # Markdown, one line; of a picture: its text alternative
    picture = models.TextField(blank=True, editable=False)  # a PNG in base 64
    is_key = models.BooleanField(default=False)
    reason = models.TextField()  # Markdown
    mistake = models.CharField(max_length=170, blank=True)  # "<exercise>/<known mistake>"

    class Meta:
        ordering = ["order"]
        constraints = [
            models.UniqueConstraint(
                fields=["version", "order"],
                condition=Q(instance=None),
                name="one_option_per_place",
            ),
            models.UniqueConstraint(
                fields=["instance", "order"], name="one_option_per_place_of_an_instance"
            ),
            models.CheckConstraint(name="every_option_has_a_reason", condition=~Q(reason="")),
        ]

    def __str__(self) -> str:
        return self.text

    def content_course(self) -> int | None:
        """Return the key of the course; None for drawn numbers, which workers add all the time."""
        return super().content_course() if self.instance_id is None else None

    def save(self, **kwargs: Any) -> None:
        """Save; raises FrozenVersionError when the version has been met by a learner."""
        self.version.refuse_when_frozen()
        super().save(**kwargs)


@receiver(pre_delete, sender=Option, dispatch_uid="keep_options_that_were_shown")
def keep_options_that_were_shown(*, instance: Option, **_: Any) -> None:
    """Raise FrozenVersionError for an option of a version, or of an instance, that was asked."""
    if instance.instance is None:
        instance.version.refuse_when_frozen()
    elif instance.instance.responses.exists():
        raise FrozenVersionError(f"{instance.instance}: learners have already seen it")


MAX_TAG = 80
LAST = 1_000_000  # the place of what belongs to no lesson


class QuizQuerySet(ContentQuerySet["Quiz"]):
    def open(self) -> "QuizQuerySet":
        """Return the quizzes that may be begun: published, and not withdrawn."""
        return self.filter(is_published=True, withdrawn_at=None)

    def listed(self) -> "QuizQuerySet":
        """Return the quizzes that every learner finds: open ones, but for those of classes."""
        return self.open().filter(class_only=False)


# The questions of a quiz that it asks, those that wait for their numbers included.
AVAILABLE = Q(places__question__current__isnull=False, places__question__withdrawn_at=None)


def question_count() -> Any:
    """Return an expression for quizzes: how many questions an attempt asks, pools included."""
    return Count("places", filter=AVAILABLE) + Coalesce(Sum("places__draw"), 0)


class Quiz(Withdrawable, Content):
    """Questions in an order, taken as one. Learners find the published ones."""

    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="quizzes")
    slug = models.SlugField(max_length=MAX_SLUG)
    title = models.CharField(max_length=200)
    summary = models.TextField(blank=True)  # Markdown
    questions = models.ManyToManyField(Question, through="QuizQuestion", related_name="quizzes")
    is_published = models.BooleanField(default=True, editable=False)
    place = models.PositiveIntegerField(default=LAST, editable=False)  # in the order of the course
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    withdrawn_at = models.DateTimeField(null=True, editable=False)  # the files name it no longer
    # Questions in a drawn order.
    shuffle = models.BooleanField(default=False, db_default=False, editable=False)
    # Not found without a class.
    class_only = models.BooleanField(default=False, db_default=False, editable=False)
    # Null for those from before it was written down.
    made_at = models.DateTimeField(null=True, default=now, editable=False)

    objects = QuizQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        ordering = ["place", "pk"]
        verbose_name_plural = "quizzes"
        constraints = [
            models.UniqueConstraint(fields=["course", "slug"], name="one_quiz_per_slug"),
        ]

    def __str__(self) -> str:
        return self.title

    def get_absolute_url(self) -> str:
        return addresses.quiz_address(self.course.slug, self.slug)

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        return Subject.of(SubjectKind.QUIZ, self.slug, self.title or self.slug)

    def set_withdrawn(self, *, is_withdrawn: bool) -> bool:
        """Let learners find it no longer, as before it was published; publishing restores it.

        Raises ValueError for `is_withdrawn=False`: a quiz may never have been published.
        """
        if not is_withdrawn:
            raise ValueError("a quiz is restored by publishing it")
        return bool(Quiz.objects.filter(pk=self.pk, is_published=True).update(is_published=False))

    @property
    def is_open(self) -> bool:
        """Return whether learners find it and may begin it."""
        return self.is_published and self.withdrawn_at is None


class QuizQuestion(Content):
    """A place in a quiz: of one question, or of a pool from which `draw` are drawn by their tag."""

    course_path = "quiz__course"

    quiz = models.ForeignKey(Quiz, on_delete=models.CASCADE, related_name="places")
    question = models.ForeignKey(
        Question, null=True, blank=True, on_delete=models.PROTECT, related_name="places"
    )
    draw = models.PositiveSmallIntegerField(null=True, blank=True)
    tag = models.CharField(max_length=MAX_TAG, blank=True, default="", db_default="")
    points = models.DecimalField(
        max_digits=6, decimal_places=2, default=Decimal(1), db_default=Decimal(1)
    )
    order = models.PositiveSmallIntegerField()

    class Meta:
        ordering = [F("order").asc()]
        constraints = [
            models.UniqueConstraint(fields=["quiz", "question"], name="a_question_once_in_a_quiz"),
            models.UniqueConstraint(fields=["quiz", "order"], name="one_question_per_place"),
            models.CheckConstraint(
                name="a_question_or_a_pool",
                condition=Q(question__isnull=False, draw=None, tag="")
                | (Q(question=None, draw__gte=1) & ~Q(tag="")),
            ),
            models.CheckConstraint(
                name="points_of_a_place_are_positive", condition=Q(points__gt=0)
            ),
        ]

    def __str__(self) -> str:
        what = self.question.slug if self.question else f"{self.draw} of {self.tag}"
        return f"{self.quiz.slug} {self.order}: {what}"
