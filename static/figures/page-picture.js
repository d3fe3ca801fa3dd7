// The picture of a figure, computed and drawn in the page.

import { Drawer } from "./drawer.js";
import { layoutOf } from "./scene.js";

// For pictures of one kind and scale of colours, of at most so many numbers.
export async function pagePicture(module, kind, scale, most) {
  const [view, layout] = await Promise.all([import(module), layoutOf(kind, scale)]);
  return new PagePicture(view, layout, most);
}

class PagePicture {
  constructor(view, { sceneOf, paintCells }, most) {
    this.view = view;
    this.sceneOf = sceneOf;
    this.most = most;
    this.drawer = new Drawer(paintCells);
  }

  // The picture on its stage, or null where the server is quicker or the numbers cannot be had.
  draw(parameters, width, scheme) {
    try {
      if (this.view.cells(parameters) > this.most) return null;
      const scene = this.sceneOf(this.view.compute(parameters), width);
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
