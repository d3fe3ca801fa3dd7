"""The live picture: palette PNGs, paths and axes in SVG, fast enough for every step of a slider.

No matplotlib here: drawing its text takes a hundred times longer than all of this together.
"""

from posenc.figures.circles import draw_circles
from posenc.figures.curves import draw_curves
from posenc.figures.heatmap import draw_heatmap
from posenc.figures.palettes import Scheme
from posenc.figures.panels import draw_panels
from posenc.figures.picture import LivePicture, require_data, require_scheme_and_width
from posenc.views import ViewData

__all__ = ["LivePicture", "draw_live"]

RENDERERS = {
    "heatmap": draw_heatmap,
    "curves": draw_curves,
    "panels": draw_panels,
    "circles": draw_circles,
}


def draw_live(view_data: ViewData, *, scheme: Scheme = "light", width_px: int = 720) -> LivePicture:
    """Return the picture at the width it is shown at. Raises ParameterError."""
    require_scheme_and_width(scheme, width_px)
    return RENDERERS[require_data(view_data).kind](view_data, scheme, width_px)
