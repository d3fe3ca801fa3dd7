"""What the tests of figures draw: every view of the catalogue, and figure 3."""

import posenc.catalog  # noqa: F401  (fills the registry)
import pytest
from posenc.catalog.sinusoidal import Sinusoidal
from posenc.registry import REGISTRY

VIEWS = [
    pytest.param(entry, view, id=f"{entry.slug}-{view.slug}")
    for entry in REGISTRY.values()
    for view in entry.views.values()
]
HEATMAP = REGISTRY["sinusoidal"].views["heatmap"]
FIGURE_3 = HEATMAP.compute(Sinusoidal(d_model=50))
SCHEMES = ["light", "dark"]


def views_of(*kinds):
    """Return the views of some kinds."""
    return [one for one in VIEWS if one.values[1].kind in kinds]
