"""Names and addresses as classes store and compare them."""

from unicodedata import normalize

from quizzes.content_files.typed_text import clean_name, without_invisible
from quizzes.learners.models import User

MOST_NAME = 200  # of a place in a class; an account has two names of 150


def fold_email(address: str) -> str:
    """Return an address for comparison: composed, lower-case, without invisible characters."""
    return normalize("NFC", fold_key(address).lower())


def fold_key(key: str) -> str:
    """Return an id or a login as it is stored: a name without anything that cannot be seen."""
    return clean_name(without_invisible(key))


def fold_name(name: str) -> str:
    """Return a name as it is stored: composed, with single blanks."""
    return clean_name(name)


def name_of(user: User) -> str:
    """Return the name of an account as a place in a class keeps it."""
    return fold_name(user.get_full_name())[:MOST_NAME].strip()
