// The parts of a scene, as posenc/figures/scene.py has them: places in px, colours as names.

import facts from "./facts.js";

const SERIES = Object.keys(facts.colours.light).filter((name) => name.startsWith("series-")).length;

export function seriesColour(row) {
  return `series-${row % SERIES}`;
}

export function number(value) {
  const text = value.toFixed(2);
  return text.endsWith("00") ? text.slice(0, -3) : text.endsWith("0") ? text.slice(0, -1) : text;
}

function written(attributes) {
  const texts = {};
  for (const [name, value] of Object.entries(attributes)) {
    if (value === null) continue;
    texts[name] = typeof value === "string" ? value : number(value);
  }
  return texts;
}

export function shape(layer, kind, attributes) {
  return { layer, kind, attributes: written(attributes), words: "" };
}

export function text(layer, words, x, y, attributes) {
  return { layer, kind: "text", attributes: written({ x, y, ...attributes }), words };
}

// `indices` into a palette, row by row; in the palette "cover", 0 is transparent.
export function cells(layer, box, [rows, columns], indices, palette) {
  return { layer, kind: "cells", box, shape: [rows, columns], indices, palette };
}

export function bottom(box) {
  return box.y + box.height;
}
