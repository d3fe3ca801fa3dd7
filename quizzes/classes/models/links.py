"""Personal links that go out by mail."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from quizzes.classes.models.people import Cohort, Membership


class LinkRun(models.Model):
    """One press of "Send the links" in a class, until each of its mails was sent or given up.

    `total` people were to get a link. Those in none of the counts got none: they joined or left
    before their turn, or the run ended early, as `end` says.
    """

    class End(models.TextChoices):
        DONE = "done"
        STOPPED = "stopped"  # by an instructor
        ARCHIVED = "archived"  # the class was
        NO_INSTRUCTOR = "no_instructor"  # the person who began it manages the class no longer
        NO_SERVER = "no_server"  # the mail server could not be used for hours

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="link_runs")
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    started_at = models.DateTimeField(default=now)
    ended_at = models.DateTimeField(null=True)
    end = models.CharField(max_length=15, choices=End.choices, blank=True)
    total = models.PositiveIntegerField()
    sent = models.PositiveIntegerField(default=0)
    refused = models.PositiveIntegerField(default=0)
    uncertain = models.PositiveIntegerField(default=0)  # interrupted while they were sent
    server_failures = models.PositiveSmallIntegerField(default=0)  # since a mail was last sent
    next_at = models.DateTimeField(default=now)  # the mail server is not tried before

    class Meta:
        ordering = ["-started_at", "-pk"]
        constraints = [
            models.UniqueConstraint(
                fields=["cohort"], condition=Q(ended_at=None), name="one_open_run_of_a_class"
            ),
            models.CheckConstraint(
                name="ended_run_says_how", condition=Q(ended_at=None) | ~Q(end="")
            ),
        ]

    def __str__(self) -> str:
        return f"{self.sent} of {self.total} links to {self.cohort_id}"


class LinkMail(models.Model):
    """The mail that brings an invited person their link; it goes when the person joins.

    It is about the link that the place holds now, or will hold: one that is made by hand ends both.
    """

    class State(models.TextChoices):
        WAITING = "waiting"
        SENDING = "sending"
        SENT = "sent"  # the mail server took it; whether it arrived is unknown
        REFUSED = "refused"  # by the mail server, as `problem` says
        UNCERTAIN = "uncertain"  # interrupted: it was sent, or it was not

    run = models.ForeignKey(LinkRun, on_delete=models.CASCADE, related_name="mails")
    membership = models.OneToOneField(
        Membership, on_delete=models.CASCADE, related_name="link_mail"
    )
    address = models.CharField(max_length=254)  # of that time: the roster may have another since
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    tries = models.PositiveSmallIntegerField(default=0)  # put off by the mail server
    due_at = models.DateTimeField(default=now)  # of one that is sent now: when it counts as killed
    sent_at = models.DateTimeField(null=True)
    problem = models.CharField(max_length=300, blank=True)

    class Meta:
        ordering = ["pk"]
        indexes = [models.Index(fields=["state", "due_at"], name="link_mail_by_its_turn")]
        constraints = [
            models.CheckConstraint(
                name="sent_link_has_its_time",
                condition=Q(state="sent", sent_at__isnull=False)
                | (~Q(state="sent") & Q(sent_at=None)),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.state} link of {self.membership_id}"
