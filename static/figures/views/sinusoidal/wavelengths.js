// The wavelength of each pair against 2i / d_model.

import { axis, logAxis } from "../../numbers/axes.js";
import { grouped } from "../../numbers/number-format.js";
import { read } from "../../numbers/parameters.js";
import { SINUSOIDAL, sinusoidal } from "../../numbers/sinusoidal.js";
import { array, counting, highest, lowest, names, viewData } from "../../numbers/view-data.js";

const USUAL = { ...SINUSOIDAL, text: 512 };
const QUARTERS = [0, 0.25, 0.5, 0.75, 1];

export function cells(parameters) {
  return read(parameters, USUAL).d_model;
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { text, d_model } = given;
  const { wavelengths } = sinusoidal(given);
  const longest = Math.max(highest(wavelengths), text);
  const y = logAxis("wavelength (positions)", lowest(wavelengths), longest);
  const at = wavelengths.map((_, pair) => (2 * pair) / d_model);
  return viewData({
    kind: "curves",
    scale: "magnitude",
    values: array([1, wavelengths.length], wavelengths),
    x: axis("2i / d_model", [0, 1], QUARTERS, QUARTERS.map(String), at),
    y,
    limits: y.limits,
    unit: "positions",
    series: ["wavelength"],
    band: { low: text, high: y.limits[1], label: `no full turn in ${grouped(text)} tokens` },
    row_noun: "curve",
    row_names: ["wavelength"],
    column_noun: "pair",
    column_names: names(counting(wavelengths.length)),
  });
}
