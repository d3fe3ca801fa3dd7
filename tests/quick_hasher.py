"""Argon2 with the least work: passwords of tests protect nothing.

A sign-in costs a tenth of a second by design, and the tests make thousands. The format stays, so
that "no hash in the export" looks for what production writes. `tests/learners/test_password_hashes`
holds what the settings say, which this does not touch.
"""

from django.contrib.auth.hashers import Argon2PasswordHasher


class QuickHasher(Argon2PasswordHasher):
    time_cost = 1
    memory_cost = 8
    parallelism = 1
