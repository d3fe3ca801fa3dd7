// Paints scenes: cells on canvases, everything else in one SVG above them. A step changes what is
// there instead of making it anew.

import facts from "./facts.js";

const SVG = "http://www.w3.org/2000/svg";
const palettes = new Map();

export class Drawer {
  constructor() {
    this.stage = document.createElement("div");
    this.stage.className = "live__stage";
    this.stage.setAttribute("role", "img");
    this.stage.dataset.part = "picture";
    this.canvases = [];
    this.shapes = []; // { element, attributes, words }, as they were painted last
    this.svg = document.createElementNS(SVG, "svg");
    this.svg.setAttribute("font-family", facts.scene.FONT);
    this.svg.setAttribute("font-size", facts.scene.TICK_SIZE);
    this.svg.setAttribute("aria-hidden", "true");
    this.stage.append(this.svg);
  }

  paint(scene, scheme) {
    this.stage.style.aspectRatio = `${scene.width} / ${scene.height}`;
    this.svg.setAttribute("viewBox", `0 0 ${scene.width} ${scene.height}`);
    const maps = scene.parts.filter((part) => part.kind === "cells");
    const shapes = scene.parts.filter((part) => part.kind !== "cells");
    for (const extra of this.canvases.splice(maps.length)) extra.remove();
    for (const extra of this.shapes.splice(shapes.length)) extra.element.remove();
    maps.forEach((part, index) => this.paintCells(part, index, scene, scheme));
    shapes.forEach((part, index) => this.paintShape(part, index, facts.colours[scheme]));
  }

  paintCells(part, index, { width, height }, scheme) {
    let canvas = this.canvases[index];
    if (!canvas) {
      canvas = document.createElement("canvas");
      this.canvases.push(canvas);
      this.svg.before(canvas);
    }
    const [rows, columns] = part.shape;
    if (canvas.width !== columns) canvas.width = columns;
    if (canvas.height !== rows) canvas.height = rows;
    const { box } = part;
    canvas.style.left = `${(100 * box.x) / width}%`;
    canvas.style.top = `${(100 * box.y) / height}%`;
    canvas.style.width = `${(100 * box.width) / width}%`;
    canvas.style.height = `${(100 * box.height) / height}%`;
    const image = new ImageData(columns, rows);
    const pixels = new Uint32Array(image.data.buffer);
    const colours = paletteOf(part.palette, scheme);
    for (let cell = 0; cell < pixels.length; cell += 1) pixels[cell] = colours[part.indices[cell]];
    canvas.getContext("2d").putImageData(image, 0, 0);
  }

  paintShape(part, index, colours) {
    let last = this.shapes[index];
    if (last?.element.tagName !== part.kind) {
      const element = document.createElementNS(SVG, part.kind);
      if (last) last.element.replaceWith(element);
      else this.svg.append(element);
      last = this.shapes[index] = { element, attributes: {}, words: "" };
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
    if (last.words !== part.words) {
      element.textContent = part.words;
      last.words = part.words;
    }
  }
}

// 256 colours as ImageData has them, the bytes of one pixel as one number.
function paletteOf(name, scheme) {
  const key = `${name} ${scheme}`;
  if (!palettes.has(key)) palettes.set(key, name === "cover" ? cover(scheme) : colours(name, scheme));
  return palettes.get(key);
}

function colours(scale, scheme) {
  const bytes = atob(facts.palettes[facts.scales[scale][scheme]]);
  const pixels = new Uint8Array(1024).fill(255);
  for (let one = 0; one < 256; one += 1) {
    for (let part = 0; part < 3; part += 1) pixels[4 * one + part] = bytes.charCodeAt(3 * one + part);
  }
  return new Uint32Array(pixels.buffer);
}

function cover(scheme) {
  const hex = facts.colours[scheme].masked;
  const rgb = [1, 3, 5].map((at) => parseInt(hex.slice(at, at + 2), 16));
  return new Uint32Array(Uint8Array.of(0, 0, 0, 0, ...rgb, 255).buffer);
}
