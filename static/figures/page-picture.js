// The picture of a figure, computed and drawn in the page.

import { Drawer } from "./drawer.js";
import { areTaken } from "./numbers/parameters.js";

// A page loads the layout of the kinds it shows. A file is named as its kind: the page's preloads are
// found by it (quizzes/pages/module_preloads.py).
const LAYOUTS = {
  async heatmap(scale) {
    const { heatmapScene, painterOf } = await import("./heatmap.js");
    return { sceneOf: heatmapScene, paintCells: await painterOf(scale) };
  },
  curves: async () => ({ sceneOf: (await import("./curves.js")).curvesScene }),
  panels: async () => ({ sceneOf: (await import("./panels.js")).panelsScene }),
  circles: async () => ({ sceneOf: (await import("./circles.js")).circlesScene }),
};

// Of a kind of picture: the function (data, width) -> scene, and what paints cells of this scale.
export function layoutOf(kind, scale) {
  return LAYOUTS[kind](scale);
}

// For pictures of one kind and scale of colours, of at most so many numbers, within the limits that
// the server has for each parameter. `loading` is the module of their view on its way.
export async function pagePicture(loading, kind, scale, bounds) {
  const [view, layout] = await Promise.all([loading, layoutOf(kind, scale)]);
  return new PagePicture(view, layout, bounds);
}

class PagePicture {
  constructor(view, { sceneOf, paintCells }, { most, limits }) {
    Object.assign(this, { view, sceneOf, most, limits });
    this.drawer = new Drawer(paintCells);
  }

  // What is to be drawn, or null where the server refuses the parameters, where it is quicker, and
  // where the numbers cannot be had.
  scene(parameters, width) {
    try {
      if (!areTaken(parameters, this.limits) || this.view.refuses?.(parameters)) return null;
      if (this.view.cells(parameters) > this.most) return null;
      return this.sceneOf(this.view.compute(parameters), width);
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  // The picture on its stage; null as above.
  draw(parameters, width, scheme) {
    const scene = this.scene(parameters, width);
    if (scene) this.drawer.paint(scene, scheme);
    return scene;
  }

  get stage() {
    return this.drawer.stage;
  }
}
