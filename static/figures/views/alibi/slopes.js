// The penalty of six heads or fewer at each distance, on a logarithmic scale.

import { ALIBI, NOTICED, slopesOf } from "../../numbers/alibi.js";
import { endAxis, logAxis } from "../../numbers/axes.js";
import { roundHalfEven } from "../../numbers/number-format.js";
import { read } from "../../numbers/parameters.js";
import { array, counting, highest, lowest, names, viewData } from "../../numbers/view-data.js";

const USUAL = { ...ALIBI, distances: 100 };

export function cells(parameters) {
  return 6 * read(parameters, USUAL).distances;
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { distances, n_heads } = given;
  const share = [0, 1, 2, 3, 4, 5].map((one) => roundHalfEven((one * (n_heads - 1)) / 5));
  const heads = [...new Set(share)];
  const slopes = slopesOf(given);
  const whole = counting(distances, 1);
  const values = new Float64Array(heads.length * distances);
  heads.forEach((head, row) => {
    values.set(
      whole.map((distance) => slopes[head] * distance),
      row * distances,
    );
  });
  const y = logAxis("penalty", lowest(values), Math.max(highest(values), NOTICED));
  return viewData({
    kind: "curves",
    scale: "magnitude",
    values: array([heads.length, distances], values),
    x: endAxis("distance between query and key", distances, whole),
    y,
    limits: y.limits,
    band: { low: NOTICED, high: y.limits[1], label: `${NOTICED} or more: hardly seen` },
    unit: "penalty",
    series: heads.map((head) => `head ${head + 1}`),
    row_noun: "head",
    row_names: heads.map((head) => String(head + 1)),
    column_noun: "distance",
    column_names: names(whole),
  });
}
