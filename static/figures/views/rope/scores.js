// The score of equal vectors, all ones, over that at distance 0.

import { endAxis, numberAxis } from "../../numbers/axes.js";
import { read } from "../../numbers/parameters.js";
import { ROPE, excludeEachOther, frequencies } from "../../numbers/rope.js";
import { sumOfCosines } from "../../numbers/sum-of-cosines.js";
import { array, counting, highest, lowest, names, viewData } from "../../numbers/view-data.js";

const USUAL = { ...ROPE, distances: 256 };

export function refuses(parameters) {
  return excludeEachOther(read(parameters, USUAL));
}

export function cells(parameters) {
  const { distances, head_dim } = read(parameters, USUAL);
  return distances * head_dim;
}

function scores(rope, distances) {
  const sums = sumOfCosines(frequencies(rope, distances + 1), distances + 1);
  return sums.map((sum) => sum / sums[0]);
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { distances, scaling } = given;
  const series = scaling === "none" ? ["RoPE"] : [`scaled (${scaling})`, "RoPE"];
  const curves = [given, { ...given, scaling: "none" }].slice(0, series.length);
  const values = new Float64Array(series.length * (distances + 1));
  curves.forEach((rope, row) => values.set(scores(rope, distances), row * (distances + 1)));
  const limits = [Math.min(0, lowest(values)), highest(values)];
  const whole = counting(distances + 1);
  return viewData({
    kind: "curves",
    scale: "signed_unit",
    values: array([series.length, distances + 1], values),
    x: endAxis("distance between query and key", distances, whole),
    y: numberAxis("score, 1 at distance 0", ...limits),
    limits,
    series,
    row_noun: "encoding",
    row_names: series,
    column_noun: "distance",
    column_names: names(whole),
  });
}
