"""The live picture: a scene, written as SVG fast enough for every step of a slider.

No matplotlib here: drawing its text takes a hundred times longer than all of this together.
"""

from posenc.figures.circles import circles_scene
from posenc.figures.curves import curves_scene
from posenc.figures.describe import describe
from posenc.figures.heatmap import heatmap_scene
from posenc.figures.palettes import Scheme
from posenc.figures.panels import panels_scene
from posenc.figures.picture import LivePicture, require_data, require_scheme_and_width
from posenc.figures.scene import Scene
from posenc.figures.svg import write
from posenc.views import ViewData

__all__ = ["LivePicture", "draw_live", "scene_of"]

SCENES = {
    "heatmap": heatmap_scene,
    "curves": curves_scene,
    "bars": curves_scene,
    "points": curves_scene,
    "panels": panels_scene,
    "circles": circles_scene,
}


def draw_live(view_data: ViewData, *, scheme: Scheme = "light", width_px: int = 720) -> LivePicture:
    """Return the picture at the width it is shown at. Raises ParameterError."""
    require_scheme_and_width(scheme, width_px)
    scene = scene_of(require_data(view_data), width_px)
    alt = f"{describe(scene.drawn)} {scene.note}".strip()
    return LivePicture(write(scene, scheme=scheme, alt=alt), scene, alt)


def scene_of(view_data: ViewData, width_px: int) -> Scene:
    """Return the scene of a picture of this width."""
    return SCENES[view_data.kind](view_data, width_px)
