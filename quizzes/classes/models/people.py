"""The people of classes, what staff write to them, and marks that outlive a person."""

from typing import Any
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db import models
from django.db.models import Exists, F, OuterRef, Q
from django.utils.timezone import now

from quizzes.assessment.models import Attempt, Response
from quizzes.courses.log_subjects import Kind, Subject
from quizzes.courses.models import Course
from quizzes.exercises.models import Submission

CODE_LENGTH = 8


class Cohort(models.Model):
    """A class: people who take a course together between two days.

    `timezone` is an IANA name; dates of the class are typed and shown in it, and stored in UTC.
    """

    course = models.ForeignKey(Course, on_delete=models.PROTECT, related_name="cohorts")
    slug = models.SlugField(max_length=60, unique=True)
    title = models.CharField(max_length=200)
    begins_on = models.DateField()
    ends_on = models.DateField()
    timezone = models.CharField(max_length=64, default="UTC")
    join_code = models.CharField(max_length=CODE_LENGTH, unique=True)  # Crockford's base 32
    join_open = models.BooleanField(default=True)
    archived_at = models.DateTimeField(null=True, blank=True)
    made_at = models.DateTimeField(default=now, editable=False)
    # A demo class without its instructor: a worker still makes up its people and their work.
    is_being_filled = models.BooleanField(default=False, db_default=False, editable=False)
    # What the columns of rosters mean that nobody knew: {"names": [...], "meanings": [...]}
    roster_columns = models.JSONField(default=list, db_default=[], blank=True, editable=False)

    class Meta:
        ordering = ["-begins_on", "title", "pk"]
        constraints = [
            models.CheckConstraint(
                name="class_begins_before_it_ends", condition=Q(begins_on__lte=F("ends_on"))
            ),
            models.CheckConstraint(name="class_has_a_title", condition=~Q(title="")),
        ]

    def __str__(self) -> str:
        return self.title

    @property
    def zone(self) -> ZoneInfo:
        """Return the time zone of the class."""
        return ZoneInfo(self.timezone)


class Membership(models.Model):
    """A place in a class: of an account, or of somebody who is invited and has not come yet.

    It keeps what the roster says of the person. Marks belong to it, so it outlives its account:
    then it is "deleted person n" and has nothing that names anybody.
    """

    class Role(models.TextChoices):
        STUDENT = "student"
        ASSISTANT = "assistant"
        INSTRUCTOR = "instructor"

        @property
        def teaches(self) -> bool:
            """Return whether it lets an account see the work of the class."""
            return self != Membership.Role.STUDENT

        @property
        def may_manage(self) -> bool:
            """Return whether it lets an account change people, dates and marks of the class."""
            return self == Membership.Role.INSTRUCTOR

    class State(models.TextChoices):
        INVITED = "invited"
        ACTIVE = "active"
        REMOVED = "removed"  # keeps work and marks, sees nothing of the class any more
        DELETED = "deleted"  # the account is gone, the marks are frozen

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(
        settings.AUTH_USER_MODEL,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        related_name="class_memberships",
    )
    email = models.CharField(max_length=254, blank=True)  # lower-case, NFC
    name = models.CharField(max_length=200, blank=True)  # as on the roster, NFC
    # Its two parts where a roster has them in two columns; "" where it does not.
    given_name = models.CharField(
        max_length=200, blank=True, default="", db_default="", editable=False
    )
    family_name = models.CharField(
        max_length=200, blank=True, default="", db_default="", editable=False
    )
    external_id = models.CharField(max_length=100, blank=True)
    login_id = models.CharField(max_length=100, blank=True)
    section = models.CharField(max_length=100, blank=True)
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.STUDENT)
    extra_time_percent = models.PositiveSmallIntegerField(default=0)
    state = models.CharField(max_length=10, choices=State.choices, default=State.INVITED)
    made_at = models.DateTimeField(default=now, editable=False)
    joined_at = models.DateTimeField(null=True, blank=True)
    last_seen_at = models.DateTimeField(
        null=True, blank=True
    )  # of announcements, as they were read
    invite_token = models.CharField(max_length=64, blank=True)  # SHA-256 of the personal link's
    invite_ends_at = models.DateTimeField(null=True, blank=True, editable=False)  # of that link
    deleted_number = models.PositiveIntegerField(null=True, blank=True)  # "deleted person n"
    # By `own_place`: whether any work of its person was regraded, and whether marks of it may have
    # been set by hand or written down.
    was_corrected = may_have_overrides = may_have_frozen_marks = True

    class Meta:
        ordering = ["name", "pk"]
        constraints = [
            models.UniqueConstraint(fields=["cohort", "user"], name="one_place_of_an_account"),
            models.UniqueConstraint(
                fields=["cohort", "email"],
                condition=~Q(email=""),
                name="one_place_of_an_address",
            ),
            models.UniqueConstraint(
                fields=["cohort", "external_id"],
                condition=~Q(external_id=""),
                name="one_place_of_an_id",
            ),
            models.UniqueConstraint(
                fields=["invite_token"],
                condition=~Q(invite_token=""),
                name="one_place_of_a_personal_link",
            ),
            models.UniqueConstraint(
                fields=["cohort", "deleted_number"], name="one_number_of_a_deleted_person"
            ),
            models.CheckConstraint(
                name="class_role_is_known",
                condition=Q(role__in=["student", "assistant", "instructor"]),
            ),
            models.CheckConstraint(
                name="extra_time_is_at_most_300", condition=Q(extra_time_percent__lte=300)
            ),
            models.CheckConstraint(
                name="place_is_held_as_its_state_says",
                condition=Q(state="invited", user=None, joined_at=None)
                | Q(state="active", user__isnull=False, joined_at__isnull=False)
                | Q(state="removed")
                | Q(state="deleted", user=None),
            ),
            models.CheckConstraint(
                name="deleted_person_has_a_number_and_no_name",
                condition=(~Q(state="deleted") & Q(deleted_number=None))
                | Q(
                    state="deleted",
                    deleted_number__isnull=False,
                    email="",
                    name="",
                    given_name="",
                    family_name="",
                    external_id="",
                    login_id="",
                    section="",
                    invite_token="",
                ),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.label}: {self.role} of {self.cohort_id}"

    def as_subject(self) -> Subject:
        """Return this person's subject for the log: the key, and no name."""
        return Subject.of(Kind.MEMBER, self.pk)

    @property
    def label(self) -> str:
        """Return this person's name on pages: the roster's, or else the account's."""
        if self.deleted_number is not None:
            return f"deleted person {self.deleted_number}"
        user = self.user
        account = (user.get_full_name() or user.get_username()) if user else ""
        return self.name or account or self.email or self.external_id or self.login_id


class AnnouncementQuerySet(models.QuerySet["Announcement"]):
    def told_to(self, place: Any) -> "AnnouncementQuerySet":
        """Return what a member was told: all of it, and what was for this member alone.

        `place` is the key of a membership, or an expression for it; what classes the announcements
        are of is for the caller to say.
        """
        named = Announcement.to.through.objects.filter(
            announcement=OuterRef("pk"), membership=place
        )
        return self.filter(Q(is_for_all=True) | Exists(named))


class Announcement(models.Model):
    """What staff tell a class, or the members in `to` alone where `is_for_all` says so.

    Unread is what came after a member's `last_seen_at`.
    """

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="announcements")
    is_for_all = models.BooleanField(default=True, db_default=True, editable=False)
    to = models.ManyToManyField(Membership, related_name="+", editable=False)
    title = models.CharField(max_length=200)
    text = models.TextField(blank=True)  # Markdown
    published_at = models.DateTimeField(default=now)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )

    objects = AnnouncementQuerySet.as_manager()

    class Meta:
        ordering = ["-published_at", "-pk"]
        constraints = [
            models.CheckConstraint(name="announcement_has_a_title", condition=~Q(title="")),
        ]

    def __str__(self) -> str:
        return self.title

    def as_subject(self) -> Subject:
        """Return its subject for the log."""
        return Subject.of(Kind.ANNOUNCEMENT, self.pk, self.title)


class Comment(models.Model):
    """What staff of a class write to a learner about one submission or one response."""

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="comments")
    submission = models.ForeignKey(
        Submission, null=True, blank=True, on_delete=models.CASCADE, related_name="comments"
    )
    response = models.ForeignKey(
        Response, null=True, blank=True, on_delete=models.CASCADE, related_name="comments"
    )
    line = models.PositiveIntegerField(null=True, blank=True)  # of the code, from 1
    text = models.TextField()  # Markdown
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)
    seen_at = models.DateTimeField(null=True, blank=True)
    withdrawn_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="comment_is_about_one_piece_of_work",
                condition=Q(submission__isnull=False, response=None)
                | Q(submission=None, response__isnull=False, line=None),
            ),
            models.CheckConstraint(name="comment_says_something", condition=~Q(text="")),
            models.CheckConstraint(
                name="lines_are_counted_from_1", condition=Q(line=None) | Q(line__gte=1)
            ),
        ]

    def __str__(self) -> str:
        return f"comment {self.pk}"

    @property
    def work(self) -> Submission | Attempt:
        """Return the submission or the attempt that it is about."""
        work = self.submission or (self.response.attempt if self.response else None)
        assert work is not None  # what is answered in a lesson is shown to nobody
        return work

    @property
    def place(self) -> str:
        """Return where in the work it stands: "line 3", "question 2", "" for all of it."""
        if self.response is not None:
            return f"question {self.response.order}"
        return f"line {self.line}" if self.line else ""


class FrozenMarks(models.Model):
    """The mark of a member in one assignment, written down before the member's work is cut off.

    Where there is such a row it is the mark. `state` is that of the mark at that moment.
    """

    membership = models.ForeignKey(
        Membership, on_delete=models.CASCADE, related_name="frozen_marks"
    )
    assignment = models.ForeignKey(
        "classes.Assignment", on_delete=models.CASCADE, related_name="frozen_marks"
    )
    points = models.DecimalField(max_digits=11, decimal_places=5, null=True)  # None: no mark
    state = models.CharField(max_length=30)
    counted_at = models.DateTimeField(default=now)

    class Meta:
        verbose_name_plural = "frozen marks"
        constraints = [
            models.UniqueConstraint(
                fields=["membership", "assignment"], name="one_frozen_mark_of_a_member"
            ),
            models.CheckConstraint(
                name="frozen_points_are_not_negative", condition=Q(points=None) | Q(points__gte=0)
            ),
        ]

    def __str__(self) -> str:
        return f"{self.membership_id}: {self.points}"
