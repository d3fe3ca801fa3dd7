// Paints scenes: cells on canvases, everything else in one SVG above them. A step changes what is
// there instead of making it again.

import facts from "./facts.js";

const SVG = "http://www.w3.org/2000/svg";

export class Drawer {
  constructor(paintCells) {
    this.paintCells = paintCells; // of kinds of pictures that have some
    this.stage = document.createElement("div");
    this.stage.className = "live__stage";
    this.stage.setAttribute("role", "img");
    this.stage.dataset.part = "picture";
    this.canvases = [];
    this.shapes = []; // { element, attributes }, as they were painted last
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("font-family", facts.scene.FONT);
    this.svg.setAttribute("font-size", facts.scene.TICK_SIZE);
    this.svg.setAttribute("aria-hidden", "true");
    this.stage.append(this.svg);
  }

  paint(scene, scheme) {
    this.stage.style.aspectRatio = `${scene.width} / ${scene.height}`;
    const size = `0 0 ${scene.width} ${scene.height}`;
    // Chromium lays all words out again, also where the size is the same.
    if (size !== this.size) this.svg.setAttribute("viewBox", (this.size = size));
    const maps = scene.parts.filter((part) => part.kind === "cells");
    const shapes = scene.parts.filter((part) => part.kind !== "cells");
    for (const extra of this.canvases.splice(maps.length)) extra.remove();
    for (const extra of this.shapes.splice(shapes.length)) extra.element.remove();
    maps.forEach((part, index) => this.paintCells(part, this.canvas(index), scene, scheme));
    shapes.forEach((part, index) => this.paintShape(part, index, facts.colours[scheme]));
  }

  canvas(index) {
    if (!this.canvases[index]) {
      this.canvases[index] = document.createElement("canvas");
      this.svg.before(this.canvases[index]);
    }
    return this.canvases[index];
  }

  paintShape(part, index, colours) {
    let last = this.shapes[index];
    if (last?.element.tagName !== part.kind) {
      const element = document.createElementNS(SVG, part.kind);
      if (last) last.element.replaceWith(element);
      else this.svg.append(element);
      element.append("");
      last = this.shapes[index] = { element, attributes: {} };
    }
    const { element, attributes } = last;
    for (const name of Object.keys(attributes)) {
      if (name in part.attributes) continue;
      element.removeAttribute(name);
      delete attributes[name];
    }
    for (const [name, given] of Object.entries(part.attributes)) {
      const value = name === "fill" || name === "stroke" ? colours[given] : given;
      if (attributes[name] === value) continue;
      element.setAttribute(name, value);
      attributes[name] = value;
    }
    // The text node stays, as beside a slider (figure-controls.js).
    const words = element.firstChild;
    if (words.data !== part.words) words.data = part.words;
  }
}
