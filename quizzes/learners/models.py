"""Learners, with or without an account, and their progress."""

import hashlib
import uuid
from collections.abc import Iterator
from contextlib import suppress
from datetime import datetime
from typing import Any

from django.conf import settings
from django.contrib.auth.hashers import check_password, make_password
from django.contrib.auth.models import AbstractUser
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.crypto import salted_hmac
from django.utils.functional import cached_property

from quizzes.content_files.typed_text import clean_name
from quizzes.learners.name_likeness import likeness_of
from quizzes.limits.models import Budget  # noqa: F401  (a table of this app)

# Django's, so that sessions from before `session_signatures` go on.
SESSION_SALT = "django.contrib.auth.models.AbstractBaseUser.get_session_auth_hash"
INSTRUCTORS = "Instructors"  # the group whose members may open classes and copy courses


class User(AbstractUser):
    """An account. Learning itself belongs to `Learner`, which an account may have."""

    is_demo = models.BooleanField(default=False, editable=False)
    first_signed_in_at = models.DateTimeField(null=True, blank=True, editable=False)
    # Of its name.
    likeness = models.CharField(max_length=150, default="", db_default="", editable=False)
    session_signatures = models.JSONField(null=True, editable=False)  # see `_rehash`

    class Meta(AbstractUser.Meta):
        indexes = [models.Index(name="users_by_likeness", fields=["likeness"])]

    def save(self, *args: Any, **kwargs: Any) -> None:
        """Keep the address in small letters, because sign-in looks for it in small letters.

        `createsuperuser` keeps the capitals before the @, and its account could not sign in by
        e-mail at all. Names lose controls and marks of direction: these would turn around what
        stands beside them.
        """
        self.email = self.email.lower()
        self.first_name = clean_name(self.first_name)
        self.last_name = clean_name(self.last_name)
        self.likeness = likeness_of(self.username)
        if (fields := kwargs.get("update_fields")) is not None and "username" in fields:
            kwargs["update_fields"] = {*fields, "likeness"}
        super().save(*args, **kwargs)

    @property
    def has_stored_password(self) -> bool:
        """Whether the account has a password, usable or not at this time."""
        return super().has_usable_password()

    @property
    def signs_in_elsewhere(self) -> bool:
        """Whether its password counts nothing: it has a provider, and `LOCAL_PASSWORDS` is off.

        The password is kept, and opens the account again when the setting is on. One query.
        """
        if settings.LOCAL_PASSWORDS:
            return False
        names = [provider.id for provider in settings.OIDC_PROVIDERS]
        identities = User.objects.filter(pk=self.pk, socialaccount__provider__in=names)
        return identities.exists()

    def has_usable_password(self) -> bool:
        """Return whether the account can sign in and confirm with a password."""
        return super().has_usable_password() and not self.signs_in_elsewhere

    def check_password(self, raw_password: str | None) -> bool:
        """Return whether this password opens the account; hash it again if its cost has changed.

        It is compared in any case: the time must not tell which accounts have a provider.
        """
        is_right = check_password(raw_password, self.password, setter=self._rehash)
        return is_right and not self.signs_in_elsewhere

    # Django signs a session with the hash of the password, so that a new password ends all
    # sessions. Its own way of hashing again would do the same to the phone of a person who signs in
    # at a laptop, and to the session in which somebody confirms a change with the password. So the
    # signatures by the former hash go on, for as long as the password has this new hash. They open
    # nothing by themselves: a session needs SECRET_KEY too, and no password follows from them.
    #
    # Of two sign-ins at once, one stores its hash; the session of the other has the same signature.
    def _rehash(self, raw_password: str) -> None:
        password = make_password(raw_password)
        keys = [settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS]
        by_key = {_name_of(key): self._session_signature(key) for key in keys}
        signatures = {"password": _digest(password), "by_key": by_key}
        row = User.objects.filter(pk=self.pk, password=self.password)
        if row.update(password=password, session_signatures=signatures):
            self.password, self.session_signatures = password, signatures

    def get_session_auth_hash(self) -> str:
        """Return the signature of this account's sessions. A new password changes it."""
        return self._session_signature(settings.SECRET_KEY)

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """Yield the signatures by former keys."""
        return map(self._session_signature, settings.SECRET_KEY_FALLBACKS)

    def _session_signature(self, key: str) -> str:
        stored = self.session_signatures or {"password": "", "by_key": {}}
        is_of_this_password = stored["password"] == _digest(self.password)
        if is_of_this_password and (signature := stored["by_key"].get(_name_of(key))):
            return str(signature)
        return salted_hmac(SESSION_SALT, self.password, secret=key, algorithm="sha256").hexdigest()

    @cached_property
    def is_instructor(self) -> bool:
        """Whether this account may open classes and copy courses. One query."""
        teaches = self.is_superuser or self.groups.filter(name=INSTRUCTORS).exists()
        return self.is_active and teaches

    @cached_property
    def finds_teaching(self) -> bool:
        """Whether this account has a way to instructors' pages: the group, or a role in a course
        or a class. One query.
        """
        own = User.objects.filter(pk=self.pk)
        return self.is_active and (self.is_superuser or own.filter(teaching_roles()).exists())

    @cached_property
    def knows_classes(self) -> bool:
        """Whether this account has or had a place in a class, to learn or to teach. One query."""
        return User.objects.filter(class_places(), pk=self.pk).exists()

    def forget_roles(self) -> None:
        """Let the properties above ask the database again."""
        for name in ("is_instructor", "finds_teaching", "knows_classes"):
            with suppress(AttributeError):
                delattr(self, name)


def _digest(password_hash: str) -> str:
    return hashlib.sha256(password_hash.encode()).hexdigest()


def _name_of(key: str) -> str:
    return salted_hmac(
        "quizzes.learners.models.User.session_signatures", "", secret=key
    ).hexdigest()


def teaching_roles() -> Q:
    """Return the condition for accounts in the group of instructors, or with a role that teaches.

    Joins several tables: use `distinct()`, or `exists()`.
    """
    roles = Q(groups__name=INSTRUCTORS) | Q(course_roles__isnull=False)  # of the room courses
    return roles | Q(  # of the room classes
        class_memberships__state="active",
        class_memberships__role__in=["assistant", "instructor"],
    )


def class_places() -> Q:
    """Return the condition for accounts that have or had a place in a class.

    Joins a table: use `exists()`.
    """
    return Q(class_memberships__isnull=False)


class Learner(models.Model):
    """One person's learning. Made on the first POST; an account adopts it at sign-up."""

    uuid = models.UUIDField(default=uuid.uuid4, unique=True, editable=False)
    user = models.OneToOneField(User, null=True, blank=True, on_delete=models.SET_NULL)
    created_at = models.DateTimeField(auto_now_add=True)
    last_seen_at = models.DateTimeField(auto_now_add=True)
    # Whether its browser came back with the cookie and did a second thing: programs that flood
    # throw cookies away.
    # A process of the version before knows no claim: its visitors are kept as before.
    is_claimed = models.BooleanField(default=False, db_default=True)
    # What `hidden_answers.py` found, and for when.
    hidden_answers: tuple[datetime, frozenset[Any]] | None = None
    # While staff of a class view pages as this learner: the keys of its course and of the class.
    # Those pages show no reviews of other courses, and no work of other classes.
    only_course: int | None = None
    only_class: int | None = None

    class Meta:
        indexes = [
            models.Index(
                name="unclaimed_learners",
                fields=["created_at"],
                condition=Q(is_claimed=False, user=None),
            )
        ]

    def __str__(self) -> str:
        return str(self.user) if self.user else f"learner {str(self.uuid)[:8]}"

    @property
    def may_be_in_class(self) -> bool:
        """Whether work of classes is worth a query: False only where it is known to be none."""
        is_known = Learner._meta.get_field("user").is_cached(self)  # without a query
        return self.user.knows_classes if is_known and self.user else self.user_id is not None


class Progress(models.Model):
    """A learner's state in one thing, named by course, kind and slug (loading rewrites steps)."""

    class Kind(models.TextChoices):
        STEP = "step"
        LESSON = "lesson"
        QUIZ = "quiz"
        EXERCISE = "exercise"
        QUESTION = "question"

    class State(models.TextChoices):
        SEEN = "seen"
        NEEDS_WORK = "shaky", "Needs work"
        DONE = "done"

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="progress")
    course = models.ForeignKey(  # by name: this room knows no courses
        "courses.Course", on_delete=models.CASCADE, related_name="+"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    slug = models.CharField(max_length=200)  # a step is "<lesson>/<step>"
    state = models.CharField(max_length=10, choices=State.choices)
    updated_at = models.DateTimeField(auto_now=True)
    done_at = models.DateTimeField(null=True, editable=False)  # when it was first done

    class Meta:
        verbose_name_plural = "progress"
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "course", "kind", "slug"], name="one_progress_row_per_thing"
            ),
            models.CheckConstraint(
                name="progress_kind_is_known",
                condition=Q(kind__in=["step", "lesson", "quiz", "exercise", "question"]),
            ),
            models.CheckConstraint(
                name="progress_state_is_known", condition=Q(state__in=["seen", "shaky", "done"])
            ),
        ]

    def __str__(self) -> str:
        return f"{self.learner}: {self.kind} {self.slug} {self.state}"


class ReviewCard(models.Model):
    """A question or mistake that comes back to a learner, named by course, kind and slug.

    FSRS computes the time from `stability` (days until recall falls to 90 %) and `difficulty` (1 to
    10), both None before the first review; see `review`.
    """

    class Kind(models.TextChoices):
        QUESTION = "question"
        MISTAKE = "mistake", "mistake made in code"

    learner = models.ForeignKey(Learner, on_delete=models.CASCADE, related_name="review_cards")
    course = models.ForeignKey(  # by name: this room knows no courses
        "courses.Course", on_delete=models.CASCADE, related_name="+"
    )
    kind = models.CharField(max_length=20, choices=Kind.choices)
    slug = models.CharField(max_length=200)  # a mistake is "<exercise>/<known mistake>"
    state = models.PositiveSmallIntegerField(default=1)  # fsrs.State
    stage = models.PositiveSmallIntegerField(null=True, default=0)  # within learning, else None
    stability = models.FloatField(null=True)
    difficulty = models.FloatField(null=True)
    due_at = models.DateTimeField(default=timezone.now)
    reviewed_at = models.DateTimeField(null=True)
    reviews = models.PositiveIntegerField(default=0)
    noted_at = models.DateTimeField(default=timezone.now)
    is_set_aside = models.BooleanField(default=False)  # its question was withdrawn: never due

    class Meta:
        constraints = [
            models.UniqueConstraint(
                fields=["learner", "course", "kind", "slug"], name="one_review_card_per_thing"
            ),
            models.CheckConstraint(
                name="review_card_kind_is_known", condition=Q(kind__in=["question", "mistake"])
            ),
        ]
        indexes = [models.Index(name="cards_by_due_time", fields=["learner", "due_at"])]

    def __str__(self) -> str:
        return f"{self.learner}: {self.kind} {self.slug}, due {self.due_at:%Y-%m-%d}"
