"""One provider process for all tests of sign-on."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.core.cache import cache

from quizzes.learners.sign_on import client
from tests.learners.sign_on.provider import Provider, configured


@pytest.fixture(scope="session")
def running_provider(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Provider]:
    provider = Provider(Path(tmp_path_factory.mktemp("provider")))
    provider.start()
    yield provider
    provider.stop()


@pytest.fixture
def provider(
    running_provider: Provider, settings, request: pytest.FixtureRequest
) -> Iterator[Provider]:
    """The provider, without faults; the site trusts its addresses and its second factor."""
    settings.OIDC_PROVIDERS = configured(running_provider)
    client.forget_all()
    running_provider.switch()
    yield running_provider
    client.forget_all()
    if "live_server" in request.fixturenames:
        cache.clear()  # the outcomes: Django empties the tables of models alone
