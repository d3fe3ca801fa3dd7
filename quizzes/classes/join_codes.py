"""The codes and personal links by which people come into a class.

A code is eight characters of Crockford's base 32, which leaves out letters that look like digits:
a code that is read aloud or copied by hand is understood whichever way it is typed.
"""

import secrets
from datetime import timedelta
from hashlib import sha256

from quizzes.classes.models.people import CODE_LENGTH
from quizzes.content_files.typed_text import fold_for_comparison

ALPHABET = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
TYPED_FOR = str.maketrans({"O": "0", "I": "1", "L": "1"})
TOKEN_BYTES = 24
LINK_LIFETIME = timedelta(days=30)  # of a personal link, mailed or made by hand


def new_code() -> str:
    """Return a code that nobody can guess: one of 10^12."""
    return "".join(secrets.choice(ALPHABET) for _ in range(CODE_LENGTH))


def read_code(typed: str) -> str:
    """Return the code that was typed, "" if it can be none."""
    plain = fold_for_comparison(typed).upper()
    code = "".join(plain.split()).replace("-", "").translate(TYPED_FOR)
    return code if len(code) == CODE_LENGTH and set(code) <= set(ALPHABET) else ""


def new_token() -> str:
    """Return the secret of a personal link."""
    return secrets.token_urlsafe(TOKEN_BYTES)


def hash_of(token: str) -> str:
    """Return the stored form of a secret: a stolen table opens no class."""
    return sha256(token.encode()).hexdigest()
