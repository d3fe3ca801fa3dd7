// PE(p) . PE(p + k) against the offset k.

import { endAxis, numberAxis } from "../../numbers/axes.js";
import { grouped } from "../../numbers/number-format.js";
import { read } from "../../numbers/parameters.js";
import { SINUSOIDAL, sinusoidal } from "../../numbers/sinusoidal.js";
import { sumOfCosines } from "../../numbers/sum-of-cosines.js";
import { array, counting, linspace, lowest, names, viewData } from "../../numbers/view-data.js";

const USUAL = { ...SINUSOIDAL, offsets: 200, position: 0 };
const DENSE = 300; // offsets, beyond which straight lines from one to the next are finer than a px

export function cells(parameters) {
  const { offsets, d_model } = read(parameters, USUAL);
  return offsets * d_model;
}

// A pair with both its waves adds cos(k w), wherever it starts; a sine alone adds a product.
function products({ d_model, inv_freq }, position, offsets) {
  const whole = Math.floor(d_model / 2);
  const sums = sumOfCosines(inv_freq.subarray(0, whole), offsets + 1);
  for (const frequency of inv_freq.subarray(whole)) {
    const own = Math.sin(position * frequency);
    sums.forEach((_, k) => {
      sums[k] += own * Math.sin((position + k) * frequency);
    });
  }
  return sums;
}

function curveBetween({ d_model, inv_freq }, offsets) {
  if (offsets > DENSE || d_model % 2) return null;
  const fine = linspace(0, offsets, 4 * offsets + 1);
  const values = sumOfCosines(inv_freq, fine.length, 1 / 4);
  return { x: array([fine.length], fine), values: array([1, fine.length], values) };
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { offsets, position } = given;
  const encoding = sinusoidal(given);
  const values = products(encoding, position, offsets);
  const between = curveBetween(encoding, offsets);
  const low = Math.min(0, lowest(values), between ? lowest(between.values.data) : 0);
  const whole = counting(offsets + 1);
  return viewData({
    kind: "curves",
    scale: "signed_unit",
    values: array([1, offsets + 1], values),
    x: endAxis("offset k", offsets, whole),
    y: numberAxis("PE(p) · PE(p + k)", low, values[0]),
    limits: [low, values[0]],
    series: [`p = ${grouped(position)}`],
    between,
    row_noun: "product",
    row_names: [`p = ${position}`],
    column_noun: "offset",
    column_names: names(whole),
  });
}
