"""Answers regraded after a wrong key: what was done to which response, so that it can be undone.

A response keeps its version for ever; only how it counts changes. Each change stands here with what
was before, until the response itself is deleted.
"""

from django.conf import settings
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from quizzes.assessment.models.attempts import Response
from quizzes.assessment.models.questions import Question, QuestionVersion


class Regrade(models.Model):
    """The answers to one version of a question, regraded by one rule.

    `rest` says what happened to answers that cannot be compared; `same_prompt`, that staff judged a
    changed text to ask the same thing. `cohort_id` is the key of the class whose attempts alone
    were regraded, None for all of a course; this room does not know classes, and a regrade outlives
    its class, so it is no foreign key. Only what was submitted until `as_of` was looked at.
    """

    class Rule(models.TextChoices):
        NEW_KEY = "new_key", "by the new version"
        ACCEPT_BOTH = "accept_both", "right by either version"
        ALL_RIGHT = "all_right", "right for everybody"
        DROP = "drop", "left out for everybody"

    class Rest(models.TextChoices):
        LEAVE = "leave", "left as it is"
        ALL_RIGHT = "all_right", "right"
        DROP = "drop", "left out"

    question = models.ForeignKey(Question, on_delete=models.CASCADE, related_name="regrades")
    from_version = models.ForeignKey(QuestionVersion, on_delete=models.PROTECT, related_name="+")
    to_version = models.ForeignKey(
        QuestionVersion, null=True, on_delete=models.PROTECT, related_name="+"
    )
    rule = models.CharField(max_length=20, choices=Rule.choices)
    rest = models.CharField(max_length=20, choices=Rest.choices, default=Rest.LEAVE)
    nobody_loses = models.BooleanField(default=False)
    same_prompt = models.BooleanField(default=False, db_default=False)
    cohort_id = models.BigIntegerField(null=True, editable=False)
    note = models.TextField(blank=True)  # students read it
    as_of = models.DateTimeField(editable=False)
    at = models.DateTimeField(default=timezone.now, editable=False)
    by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    undone_at = models.DateTimeField(null=True, editable=False)
    undone_by = models.ForeignKey(
        settings.AUTH_USER_MODEL, null=True, on_delete=models.SET_NULL, related_name="+"
    )
    changed: int  # how many answers, where a page of regrades counts them

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.CheckConstraint(
                name="regrade_rule_is_known",
                condition=Q(rule__in=["new_key", "accept_both"], to_version__isnull=False)
                | Q(rule__in=["all_right", "drop"], to_version=None),
            ),
            models.CheckConstraint(
                name="regrade_rest_is_known", condition=Q(rest__in=["leave", "all_right", "drop"])
            ),
        ]

    def __str__(self) -> str:
        by = f" by version {self.to_version.number}" if self.to_version else ""
        return f"{self.from_version}{by}: {self.get_rule_display()}"


class RegradedResponse(models.Model):
    """One response that a regrade changed, with how it counted before.

    `kept`: what followed from it and was changed with it (progress and the review card, as they
    were), with the first such response of its learner. `undone_at` is set when it was taken back.
    """

    regrade = models.ForeignKey(Regrade, on_delete=models.CASCADE, related_name="responses")
    response = models.ForeignKey(Response, on_delete=models.CASCADE, related_name="regraded")
    was_right = models.BooleanField(null=True)
    was_score = models.DecimalField(max_digits=6, decimal_places=5, null=True)
    was_dropped = models.BooleanField()
    now_right = models.BooleanField(null=True)
    now_score = models.DecimalField(max_digits=6, decimal_places=5, null=True)
    now_dropped = models.BooleanField()
    kept = models.JSONField(default=dict, editable=False)
    undone_at = models.DateTimeField(null=True, editable=False)

    class Meta:
        ordering = [F("pk").asc()]
        constraints = [
            models.UniqueConstraint(
                fields=["regrade", "response"], name="a_response_once_in_a_regrade"
            ),
        ]

    def __str__(self) -> str:
        return f"response {self.response_id} in {self.regrade}"

    @property
    def words(self) -> str:
        """Tell the learner how the answer has counted since then."""
        if self.now_dropped:
            return "this question is left out and does not count"
        if self.now_right:
            return "your answer now counts as right"
        if self.now_score:
            return "your answer now counts as partly right"
        return "your answer no longer counts as right"


class WantedInstance(models.Model):
    """The numbers of one seed that a regrade needs from a newer version; a worker draws them.

    The row goes when they are drawn. `problem` says why the newer generate.py makes none.
    """

    version = models.ForeignKey(QuestionVersion, on_delete=models.CASCADE, related_name="wanted")
    seed = models.BigIntegerField(editable=False)
    problem = models.TextField(blank=True, default="", editable=False)
    asked_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = [
            models.UniqueConstraint(fields=["version", "seed"], name="one_wanted_seed_per_version"),
        ]

    def __str__(self) -> str:
        return f"{self.version}, seed {self.seed}: {self.problem or 'waits'}"
