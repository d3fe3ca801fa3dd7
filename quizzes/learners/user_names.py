"""User names that nobody may take: kept for the site, or so like another that people mix them up.

Names that look alike have one likeness (`name_likeness`). It is kept beside each account, so one
query finds them.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b

from confusable_homoglyphs import confusables
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Q

from quizzes.learners.models import User
from quizzes.learners.name_likeness import likeness_of

_WORDS = """
    abuse account accounts admin administration administrator anonymous api deleted everybody help
    hostmaster info instructor instructors mail me moderator nobody noreply null official operator
    ordinal owner postmaster root security staff student superuser support system teach teacher
    undefined user webmaster www
"""
RESERVED = frozenset(_WORDS.split())
KEPT_LIKENESSES = frozenset(map(likeness_of, RESERVED))
KEPT = "This name is reserved, or too similar to a reserved name. Choose another."
TAKEN = "This name is too similar to one that is already taken. Choose another."
NO_ADDRESS = "A user name cannot contain @: it must not look like an e-mail address."
MIXED = (
    "This name mixes similar-looking letters from two scripts. Use letters from one script only."
)
NAMES_LOCK = 0x6E616D65  # of advisory locks, which other programs on this database must not use


def check_new_name(name: str) -> None:
    """Raise ValidationError for a name that a visitor may not take."""
    if "@" in name:
        raise ValidationError(NO_ADDRESS, code="looks_like_address")
    if confusables.is_dangerous(name):
        raise ValidationError(MIXED, code="mixed_scripts")
    likeness = likeness_of(name)
    if likeness in KEPT_LIKENESSES:
        raise ValidationError(KEPT, code="reserved")
    if User.objects.filter(likeness=likeness).exclude(username__iexact=name).exists():
        raise ValidationError(TAKEN, code="confusable")


@contextmanager
def name_kept_free(name: str) -> Iterator[None]:
    """Let nobody take a name that looks the same while the block stores this one.

    Raises ValidationError if it was taken meanwhile. An index could not say so: accounts that are
    older than the rule may look alike.
    """
    likeness = likeness_of(name)
    with transaction.atomic():  # on SQLite there is one writer at a time
        if connection.vendor == "postgresql":
            digest = blake2b(likeness.encode(), digest_size=4).digest()
            lock = int.from_bytes(digest, "big", signed=True)
            with connection.cursor() as cursor:
                cursor.execute("SELECT pg_advisory_xact_lock(%s, %s)", [NAMES_LOCK, lock])
        if User.objects.filter(Q(likeness=likeness) | Q(username__iexact=name)).exists():
            raise ValidationError(TAKEN, code="confusable")
        yield
