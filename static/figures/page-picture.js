// The picture of a figure, computed and drawn in the page.

import { Drawer } from "./drawer.js";
import { sceneOf } from "./scene.js";

export class PagePicture {
  constructor(view, most) {
    this.view = view;
    this.most = most;
    this.drawer = new Drawer();
  }

  // The picture on its stage, or null where the server is quicker or the numbers cannot be had.
  draw(parameters, width, scheme) {
    try {
      if (this.view.cells(parameters) > this.most) return null;
      const scene = sceneOf(this.view.compute(parameters), width);
      this.drawer.paint(scene, scheme);
      return scene;
    } catch (error) {
      console.warn(error);
      return null;
    }
  }

  get stage() {
    return this.drawer.stage;
  }
}
