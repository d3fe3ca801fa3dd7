// The same dimensions in three widths.

import { panelOf, several } from "../../numbers/dimensions.js";
import { read } from "../../numbers/parameters.js";
import { SINUSOIDAL, column, sinusoidal } from "../../numbers/sinusoidal.js";
import { array } from "../../numbers/view-data.js";

const USUAL = { ...SINUSOIDAL, positions: 60, narrow: 20, middle: 50 };
const COMPARED = [4, 5, 12, 13]; // sine and cosine of a fast pair and of a slower one

export function cells(parameters) {
  return 12 * 8 * read(parameters, USUAL).positions;
}

function turns(encoding, dimension) {
  return dimension < encoding.d_model && column(encoding, dimension).wave !== "zero";
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { positions, narrow, middle, d_model } = given;
  const widths = [...new Set([narrow, middle, d_model])];
  const encodings = widths.map((width) => sinusoidal({ ...given, d_model: width }));
  const common = COMPARED.filter((one) => encodings.every((encoding) => turns(encoding, one)));
  const shown = common.length ? common : [0, 1];
  const panels = encodings.map((encoding) => panelOf(encoding, shown, positions));
  const [, columns] = panels[0].values.shape;
  const values = new Float64Array(panels.length * shown.length * columns);
  panels.forEach((panel, one) => values.set(panel.values.data, one * shown.length * columns));
  return several(panels, {
    rows: widths.flatMap((width) => shown.map((j) => `d_model ${width}, dimension ${j}`)),
    values: array([panels.length * shown.length, columns], values),
    beside: 1,
  });
}
