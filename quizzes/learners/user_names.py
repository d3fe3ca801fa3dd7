"""User names that nobody may take: kept for the site, or so like another that people mix them up.

Two names are alike when they look alike: letters of other scripts that look Latin, capitals, `0`
for `o`, `1` for `l`, dots and dashes more or fewer. A likeness is kept beside each account, so one
query finds them.
"""

import unicodedata
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import blake2b

from confusable_homoglyphs import confusables
from django.core.exceptions import ValidationError
from django.db import connection, transaction
from django.db.models import Q

_WORDS = """
    abuse account accounts admin administration administrator anonymous api deleted everybody help
    hostmaster info instructor instructors mail me moderator nobody noreply null official operator
    ordinal owner postmaster root security staff student superuser support system teach teacher
    undefined user webmaster www
"""
RESERVED = frozenset(_WORDS.split())
ALIKE = str.maketrans("01|!5$", "olllss")
SEPARATORS = str.maketrans("", "", " ._-+@'’")
KEPT = "This name is kept for the site, or looks like one that is. Choose another."
TAKEN = "This name looks like one that is taken. Choose another."
NO_ADDRESS = "A user name has no @: it must not look like somebody's e-mail address."
MIXED = "This name mixes letters that look alike in two scripts. Use letters of one script."
LONGEST = 150
NAMES_LOCK = 0x6E616D65  # of advisory locks, which other programs on this database must not use


def likeness_of(name: str) -> str:
    """Return the same text for names that look alike."""
    text = unicodedata.normalize("NFKC", name)
    text = "".join(map(_latin, text)).casefold()
    text = unicodedata.normalize("NFKD", text)
    text = "".join(char for char in text if not unicodedata.combining(char))
    text = text.translate(ALIKE).translate(SEPARATORS).replace("i", "l")
    return text.replace("rn", "m").replace("vv", "w")[:LONGEST]


def _latin(char: str) -> str:
    """Return the ASCII letter that a letter of another script looks like, or the letter itself."""
    if char.isascii():
        return char
    for found in confusables.is_confusable(char, greedy=True) or []:
        for twin in found["homoglyphs"]:
            if len(twin["c"]) == 1 and twin["c"].isascii() and twin["c"].isalnum():
                return str(twin["c"])
    return char


KEPT_LIKENESSES = frozenset(map(likeness_of, RESERVED))


def check_new_name(name: str) -> None:
    """Raise ValidationError for a name that a visitor may not take."""
    from quizzes.learners.models import User

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
    from quizzes.learners.models import User

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
