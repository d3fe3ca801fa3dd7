"""Names and addresses as classes store and compare them."""

from unicodedata import normalize


def fold_email(address: str) -> str:
    """Return an address as it is compared: composed, lower-case, without blanks around it."""
    return normalize("NFC", address).strip().lower()


def fold_name(name: str) -> str:
    """Return a name as it is stored: composed, with single blanks."""
    return " ".join(normalize("NFC", name).split())
