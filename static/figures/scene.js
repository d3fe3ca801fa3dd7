// What is drawn, and where, in a picture of a width: the same as posenc.figures.live.scene_of.
// A page loads the layout of the kinds it shows, and what paints cells where there are some.

const LAYOUTS = {
  async heatmap(scale) {
    const parts = [import("./heatmap.js"), import("./paint-cells.js")];
    const [{ heatmapScene }, { painterOf }] = await Promise.all(parts);
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
