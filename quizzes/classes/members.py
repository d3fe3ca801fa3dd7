"""The members of a class that pages list: one search, whatever the page."""

from django.db.models import Q, QuerySet

from quizzes.classes.models import Cohort, Membership
from quizzes.classes.names import fold_name

MOST_WORDS = 5
LISTED = (Membership.State.INVITED, Membership.State.ACTIVE)  # unless a page is asked for others
SEARCHED = ("name", "email", "external_id", "login_id", "user__username")


def find_members(
    cohort: Cohort, text: str = "", *, section: str = "", role: str = ""
) -> QuerySet[Membership]:
    """Find members of a class, removed ones too, by the words of their names, addresses and ids."""
    rows = Membership.objects.filter(cohort=cohort)
    if section:
        rows = rows.filter(section=section)
    if role:
        rows = rows.filter(role=role)
    for word in fold_name(text).split()[:MOST_WORDS]:
        # SQLite, and PostgreSQL in the locale C, compare no capitals beyond ASCII.
        spellings = {word} if word.isascii() else {word, word.lower(), word.upper(), word.title()}
        matches = [(f"{field}__icontains", each) for field in SEARCHED for each in spellings]
        rows = rows.filter(Q(*matches, _connector=Q.OR))
    return rows


def sections_of(cohort: Cohort) -> list[str]:
    """Return the sections that stand on the roster, by name."""
    rows = Membership.objects.filter(cohort=cohort).exclude(section="").order_by("section")
    return list(rows.values_list("section", flat=True).distinct())
