"""Passwords of a real site cost a guesser dear; only the tests hash cheaply."""

import pytest
from django.contrib.auth.hashers import check_password, identify_hasher, make_password

from quizzes.config import settings as shipped


@pytest.mark.slow
def test_a_site_hashes_with_argon2_at_full_strength(settings) -> None:
    settings.PASSWORD_HASHERS = shipped.PASSWORD_HASHERS
    stored = make_password("turnips-at-dawn")
    assert check_password("turnips-at-dawn", stored)
    assert not check_password("turnips-at-noon", stored)
    used = identify_hasher(stored).decode(stored)
    assert used["variety"] == "argon2id"
    assert used["memory_cost"] >= 64 * 1024
    assert used["time_cost"] >= 2
