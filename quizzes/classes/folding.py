"""Names and addresses as classes store and compare them."""

from unicodedata import normalize

from quizzes.learners.models import User

MOST_NAME = 200  # of a place in a class; an account has two names of 150


def fold_email(address: str) -> str:
    """Return an address as it is compared: composed, lower-case, without blanks around it."""
    return normalize("NFC", address).strip().lower()


def fold_name(name: str) -> str:
    """Return a name as it is stored: composed, with single blanks."""
    return " ".join(normalize("NFC", name).split())


def name_of(user: User) -> str:
    """Return the name of an account as a place in a class keeps it."""
    return fold_name(user.get_full_name())[:MOST_NAME].strip()
