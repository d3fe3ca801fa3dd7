"""The table of the limits. It bears the label of the room that had it first."""

from django.db import models


class Budget(models.Model):
    """How much of a bucket was used: the time at which it will be full again (`bucket`)."""

    key = models.BigIntegerField(primary_key=True)  # a hash of what is counted
    full_at = models.FloatField(db_index=True)  # seconds since 1970

    class Meta:
        app_label = "learners"

    def __str__(self) -> str:
        return f"bucket {self.key}, full at {self.full_at:.1f}"
