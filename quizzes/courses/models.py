"""Courses, and the accounts that work on them."""

from typing import Any
from uuid import uuid4

from django.conf import settings
from django.db import models, transaction
from django.db.models import Q
from django.utils import timezone
from django.utils.functional import cached_property

from quizzes.content_files.fields import MAX_SLUG
from quizzes.courses import addresses

# Long columns of JSON, which take longer to read than the rest of a list; few pages need them.
LATER = ("sources", "lesson_order")
LATER_OF_COURSE = tuple(f"course__{name}" for name in LATER)


class CourseQuerySet(models.QuerySet["Course"]):
    def update(self, **values: Any) -> int:
        """Change courses; a course's own row is part of its content."""
        return super().update(**values, content_token=uuid4())

    def renew_tokens(self) -> int:
        """Say that the content of these courses changes, or did: see `courses/content.py`."""
        return self.update()


class Course(models.Model):
    """A course: an order of lessons. Its works cited stand in `sources` by key.

    Lessons, questions, quizzes, exercises and maps belong to one course, and their names are
    unique within it. The first of all by `place` is the home course of the site.
    """

    slug = models.SlugField(max_length=MAX_SLUG, unique=True)
    title = models.CharField(max_length=200)
    summary = models.TextField()
    sources = models.JSONField(default=dict)  # {key: {"text", "url"}}
    lesson_order = models.JSONField(default=list)  # slugs
    place = models.PositiveIntegerField(default=0)  # among the courses of the site
    is_listed = models.BooleanField(default=True)  # else only its address leads to it
    loaded_hash = models.CharField(max_length=64, blank=True, editable=False)
    # Whether a folder of files is its home: a load may change it then, and no zip may. What was
    # begun, copied or uploaded in the browser has none until it is exported into one.
    has_folder = models.BooleanField(default=True, db_default=True, editable=False)
    # Another with each change of content; null where an earlier release made the course.
    content_token = models.UUIDField(default=uuid4, editable=False, null=True)

    objects = CourseQuerySet.as_manager()

    home_pk: int | None = None  # of the home course, where a query asked for it

    class Meta:
        db_table = "lessons_course"
        ordering = ["place", "pk"]
        # Workers ask for all tokens once a second, and a row is as long as its sources.
        indexes = [models.Index(name="courses_by_content_token", fields=["content_token"])]

    def __str__(self) -> str:
        return self.title

    def save(self, *args: Any, **options: Any) -> None:
        """Store the course with a new token: the one at hand may be an older one by now."""
        self.content_token = uuid4()
        if options.get("update_fields") is not None:
            options["update_fields"] = {*options["update_fields"], "content_token"}
        super().save(*args, **options)

    def get_absolute_url(self) -> str:
        return addresses.course_address(self.slug)

    @cached_property
    def is_home(self) -> bool:
        """Return whether the short addresses of the site lead here. One query at most."""
        return self.pk == (self.home_pk or Course.objects.values_list("pk", flat=True).first())

    @transaction.atomic
    def make_home(self) -> None:
        """Put this course before all others; from now on the short addresses lead here."""
        # All rows in one order, this one too: two at once wait for each other.
        held = list(Course.objects.select_for_update())
        for place, course in enumerate([self, *(one for one in held if one.pk != self.pk)]):
            Course.objects.filter(pk=course.pk).update(place=place)

    @property
    def lists(self) -> dict[str, str]:
        """Return the addresses of this course's lists, by the names templates use."""
        return {
            name.replace("-", "_"): addresses.list_address(self.slug, name)
            for name in addresses.LISTS
        }


class OldName(models.Model):
    """A name that something in a course had before; its old address leads to the new one.

    Names are kept for ever, unless another thing of the course takes one.
    """

    class Kind(models.TextChoices):
        LESSON = "lesson"
        STEP = "step"  # "<lesson>/<step>"
        QUESTION = "question"
        QUIZ = "quiz"
        EXERCISE = "exercise"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="old_names")
    kind = models.CharField(max_length=10, choices=Kind.choices)
    old = models.CharField(max_length=2 * MAX_SLUG + 1)
    new = models.CharField(max_length=2 * MAX_SLUG + 1)

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["course", "kind", "old"], name="one_new_name_for_an_old_one"
            ),
            models.CheckConstraint(
                name="old_name_kind_is_known",
                condition=Q(kind__in=["lesson", "step", "question", "quiz", "exercise"]),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.old}, now {self.new}"


class CourseStaff(models.Model):
    """An account with a role in a course.

    A viewer sees a course as its authors do, and its learners only as numbers. An editor writes in
    it and sees named work. An owner also says who has a role in it.
    """

    class Role(models.TextChoices):
        VIEWER = "viewer"
        EDITOR = "editor"
        OWNER = "owner"

        @property
        def may_edit(self) -> bool:
            """Return whether it lets an account write in the course, and see work with names."""
            return self.includes(CourseStaff.Role.EDITOR)

        @property
        def may_manage(self) -> bool:
            """Return whether it lets an account say who has a role in the course."""
            return self.includes(CourseStaff.Role.OWNER)

        def includes(self, other: "CourseStaff.Role") -> bool:
            """Return whether this role may do all that the other may."""
            ranks = list(CourseStaff.Role)
            return ranks.index(self) >= ranks.index(other)

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="staff")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="course_roles"
    )
    role = models.CharField(max_length=10, choices=Role.choices)

    class Meta:
        verbose_name_plural = "course staff"
        constraints = [
            models.UniqueConstraint(fields=["course", "user"], name="one_role_in_a_course"),
            models.CheckConstraint(
                name="course_role_is_known", condition=Q(role__in=["viewer", "editor", "owner"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.user}: {self.role} of {self.course.slug}"


class AuditEntry(models.Model):
    """What somebody of the staff did, or whose work they opened; never changed.

    It outlives the account, the course and the class: `by_number` is the key that the account had,
    `cohort` the slug of the class (which this room does not know).
    """

    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    by_number = models.PositiveBigIntegerField()
    act = models.CharField(max_length=200)  # "published", "graded again", "removed"
    about = models.CharField(max_length=300, blank=True)  # more words: "3 added, 1 removed"
    # What it was about, as `audit.Subject`: kind, key and title at that time. No learner's name.
    subjects = models.JSONField(default=list, db_default=[], blank=True)
    course = models.ForeignKey(Course, null=True, on_delete=models.SET_NULL, related_name="+")
    cohort = models.CharField(max_length=60, blank=True)
    at = models.DateTimeField(default=timezone.now)

    class Meta:
        verbose_name_plural = "audit entries"
        ordering = ["-at", "-pk"]
        indexes = [
            models.Index(name="audit_by_time", fields=["-at", "-id"]),
            models.Index(name="audit_by_class", fields=["cohort", "-at", "-id"]),
            models.Index(name="audit_by_course", fields=["course", "-at", "-id"]),
        ]
        constraints = [
            models.CheckConstraint(name="audit_entry_says_what", condition=~Q(act="")),
        ]

    def __str__(self) -> str:
        named = (f"{kind} {key}" for kind, key, _ in self.subjects)
        return " ".join([str(self.by_number), self.act, *named, self.about]).rstrip()


class PendingZip(models.Model):
    """A zip that an account has uploaded and looks at, before it applies it: the newest alone.

    `slug` is the course that it would change, or would be.
    """

    by = models.OneToOneField(
        settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="pending_zip"
    )
    slug = models.SlugField(max_length=MAX_SLUG)
    data = models.BinaryField()
    at = models.DateTimeField(default=timezone.now)

    def __str__(self) -> str:
        return f"zip for {self.slug}"


# What saving a draft undoes.
UNPLANNED = {"publish_when_closed": False, "not_published_at": None, "not_published_why": ""}


class ContentDraft(models.Model):
    """A thing of a course as it is being written in the browser; it may still be incomplete.

    `slug` is the name that the thing has, or will have. `files` are its texts by name, as they
    would stand in the thing's folder. `base` is the content hash of what was published when the
    draft was begun, or when it was last planned to be published; "" for nothing.
    """

    class Kind(models.TextChoices):
        QUESTION = "question"
        QUIZ = "quiz"
        LESSON = "lesson"
        EXERCISE = "exercise"
        PLOT = "plot"

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="drafts")
    kind = models.CharField(max_length=20, choices=Kind.choices)
    slug = models.SlugField(max_length=MAX_SLUG)
    files = models.JSONField()
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
        constraints = [
            models.UniqueConstraint(fields=["course", "kind", "slug"], name="one_draft_of_a_thing"),
        ]

    def __str__(self) -> str:
        return f"draft of {self.kind} {self.slug}"


class Edition(models.Model):
    """What learners got of a thing from a time on; never changed, and numbered from 1.

    For kinds without a table of versions: questions and exercises have one, which answers and
    submissions name. `by` is the account that published it, null where it came with the files of
    the course, where the account is gone, and where nobody had noted it.
    """

    course = models.ForeignKey(Course, on_delete=models.CASCADE, related_name="editions")
    kind = models.CharField(max_length=20, choices=ContentDraft.Kind.choices)
    slug = models.SlugField(max_length=MAX_SLUG)
    number = models.PositiveIntegerField()
    files = models.JSONField()  # its texts by name, as in a draft
    content_hash = models.CharField(max_length=64, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    from_files = models.BooleanField(default=False)
    at = models.DateTimeField(null=True, default=timezone.now)  # null where nobody noted it

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["course", "kind", "slug", "number"], name="one_edition_per_number"
            ),
        ]

    def __str__(self) -> str:
        return f"{self.kind} {self.slug}, edition {self.number}"
