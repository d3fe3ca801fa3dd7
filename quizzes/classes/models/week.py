"""What staff of a class did about a known mistake."""

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils.timezone import now

from quizzes.classes.models.people import Announcement, Cohort, Membership


class Deed(models.Model):
    """One thing that was done about a known mistake, and whom the mistake concerned then.

    `members` were concerned, `were_over` of them were over it already: pages compare that with how
    it is later. Never changed.
    """

    class Kind(models.TextChoices):
        TELL = "tell", "messaged them"
        ASK = "ask", "had them asked again"
        MEND = "mend", "went to edit the step"
        RIGHT = "right", "said that it is not a mistake"

    cohort = models.ForeignKey(Cohort, on_delete=models.CASCADE, related_name="deeds")
    mistake = models.CharField(max_length=170)  # "<exercise>/<known mistake>"
    kind = models.CharField(max_length=10, choices=Kind.choices)
    members = models.ManyToManyField(Membership, related_name="+")
    were_over = models.PositiveIntegerField(default=0)
    announcement = models.ForeignKey(
        Announcement, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    at = models.DateTimeField(default=now)

    class Meta:
        ordering = ["at", "pk"]
        constraints = [
            models.CheckConstraint(
                name="deed_kind_is_known", condition=Q(kind__in=["tell", "ask", "mend", "right"])
            ),
            models.CheckConstraint(name="deed_names_a_mistake", condition=~Q(mistake="")),
        ]
        indexes = [models.Index(name="deeds_of_a_class", fields=["cohort", "at"])]

    def __str__(self) -> str:
        return f"{self.kind} about {self.mistake} in {self.cohort_id}"
