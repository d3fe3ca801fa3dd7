"""Commands run authors' code in the sandboxes that this process of tests has open."""

from tests.authoring.conftest import _open_sandboxes

__all__ = ["_open_sandboxes"]
