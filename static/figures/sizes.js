// Sizes of plots: posenc/figures/picture.py and heatmap.py.

import facts from "./facts.js";
import { roundHalfEven } from "./numbers/number-format.js";

const { RIGHT, LOWEST_PLOT, TALLEST_PLOT, FLATNESS } = facts.picture;
const { SMALLEST_FREE_CELL, NARROW, TALLEST } = facts.heatmap;
const { DIGIT } = facts.axes;

export function rightOfPlot(axis) {
  const last = axis.tick_labels.at(-1);
  return Math.max(RIGHT, 4 + roundHalfEven((last.length * DIGIT) / 2));
}

export function heightOfPlot(room) {
  return Math.min(Math.max(roundHalfEven(room * FLATNESS), LOWEST_PLOT), TALLEST_PLOT);
}

export function widthIn(room) {
  return Math.floor(Math.trunc(room) / 2) * 2;
}

// As many px as there are for the rows, or whole px for each.
export function wholePixels(room, rows) {
  if (room / rows >= SMALLEST_FREE_CELL) return room;
  if (rows <= room) return Math.floor(room / rows) * rows;
  return Math.ceil(rows / Math.ceil(rows / room));
}

// The px to leave for a plot: as many as its room where cells are square.
export function tallFor(data, tall, room) {
  return data.square ? Math.min(room, TALLEST_PLOT) : tall;
}

// Width and height of a plot for which `tall` px are left.
export function sizeFor(data, tall, room) {
  if (!data.square) return { width: widthIn(room), height: heightFor(data, tall, room) };
  const [rows, columns] = data.values.shape;
  const most = Math.max(rows, columns);
  const side = wholePixels(tall, most);
  return { width: Math.floor((side * columns) / most), height: Math.floor((side * rows) / most) };
}

function heightFor(data, tall, room) {
  const [rows] = data.values.shape;
  const most = room < NARROW ? 2 * tall : Math.max(2 * tall, TALLEST);
  return wholePixels(rows <= tall ? tall : most, rows);
}
