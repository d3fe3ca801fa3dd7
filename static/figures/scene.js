// What is drawn, and where, in a picture of a width: the same as posenc.figures.live.scene_of.

import { circlesScene } from "./circles.js";
import { curvesScene } from "./curves.js";
import { heatmapScene } from "./heatmap.js";
import { panelsScene } from "./panels.js";

const SCENES = {
  heatmap: heatmapScene,
  curves: curvesScene,
  panels: panelsScene,
  circles: circlesScene,
};

export function sceneOf(data, width) {
  return SCENES[data.kind](data, width);
}
