"""Views refuse what they cannot draw: wrong numbers, other encodings, more than fits a picture."""

import posenc.catalog  # noqa: F401  (registers every encoding)
import pytest
from posenc.catalog.alibi import Alibi
from posenc.catalog.rope import Rope
from posenc.errors import ParameterError
from posenc.registry import REGISTRY

from tests.posenc.refusing import NO_REALS, NO_SIZES, ZERO, refused

OF_VIEWS = [
    pytest.param(entry, view, one, id=f"{entry.slug}-{view.slug}-{one.name}")
    for entry in REGISTRY.values()
    for view in entry.views.values()
    for one in view.parameters
    if one.kind in (int, float)
]


@pytest.mark.parametrize(("entry", "view", "declared"), OF_VIEWS)
def test_every_parameter_of_a_view_refuses_invalid_values(entry, view, declared):
    encoding = entry.encoding()
    for value in {int: NO_SIZES, float: NO_REALS}[declared.kind]:
        if value is not ZERO or declared.ge > 0:
            refused(
                lambda value=value: view.compute(encoding, **{declared.name: value}), declared.name
            )


@pytest.mark.parametrize("slug", REGISTRY)
def test_every_view_refuses_other_encodings(slug):
    other = Alibi() if slug != "alibi" else Rope()
    for view in REGISTRY[slug].views.values():
        for bad in (None, "x", other, type(other)):
            with pytest.raises(ParameterError, match=r"^encoding=.*whose view"):
                view.compute(bad)


WIDE = {"d_model": 65_536}
TOO_MUCH = [
    ("sinusoidal", "heatmap", WIDE, {"positions": 1000}, "positions"),
    ("sinusoidal", "rounded-positions", WIDE, {"positions": 1000}, "positions"),
    ("sinusoidal", "dot-products", WIDE, {"offsets": 100_000}, "offsets"),
    ("sinusoidal", "similarity", WIDE, {"positions": 1024}, "positions"),
    ("sinusoidal", "full-period", WIDE, {}, "d_model"),
    ("sinusoidal", "behind-a-row", WIDE, {}, "d_model"),
    ("sinusoidal", "behind-a-row", {}, {"positions": 10**7}, "positions"),
    ("learned", "similarity", WIDE, {"rows": 512}, "rows"),
    ("rope", "scores", {"head_dim": 65_536}, {}, "distances"),
    ("rope", "packed", {"head_dim": 65_536}, {"first": 60}, "first"),
    ("xpos", "scores", {"head_dim": 65_536}, {}, "distances"),
    ("rope_2d", "patches", {}, {"side": 1000}, "side"),
    ("transformer_xl", "position-term", WIDE, {}, "head_dim"),
    ("transformer_xl", "position-term", {}, {"reach": 100_000}, "reach"),
]


@pytest.mark.parametrize(("slug", "view", "sizes", "arguments", "named_first"), TOO_MUCH)
def test_too_large_a_picture_is_refused_before_anything_is_allocated(
    slug, view, sizes, arguments, named_first
):
    entry = REGISTRY[slug]
    encoding = entry.encoding(**sizes)
    refused(lambda: entry.views[view].compute(encoding, **arguments), named_first)
