// The position of each token of three texts in a batch, nothing at padding.

import { cellAxis } from "../../numbers/axes.js";
import { read } from "../../numbers/parameters.js";
import { array, counting, names, viewData } from "../../numbers/view-data.js";

const USUAL = { longest: 6, side: "left", count: "tokens", written: 0 };
const TEXTS = 3;

export function cells(parameters) {
  const { longest, written } = read(parameters, USUAL);
  return TEXTS * (longest + written);
}

export function compute(parameters) {
  const { longest, side, count, written } = read(parameters, USUAL);
  const columns = longest + written;
  const values = new Float64Array(TEXTS * columns).fill(NaN);
  for (let text = 0; text < TEXTS; text += 1) {
    const length = Math.ceil((longest * (TEXTS - text)) / TEXTS);
    const [first, end] = side === "left" ? [longest - length, longest] : [0, length];
    let tokens = 0;
    for (let column = 0; column < columns; column += 1) {
      if (column < longest && (column < first || column >= end)) continue;
      values[text * columns + column] = count === "tokens" ? tokens : column;
      tokens += 1;
    }
  }
  return viewData({
    kind: "heatmap",
    scale: "magnitude",
    values: array([TEXTS, columns], values),
    x: cellAxis("column of the batch", columns, 10),
    y: cellAxis("text", TEXTS, TEXTS),
    limits: [0, columns - 1],
    unit: "position",
    masked: "padding",
    row_noun: "text",
    row_names: names(counting(TEXTS)),
    column_noun: "column",
    column_names: names(counting(columns)),
  });
}
