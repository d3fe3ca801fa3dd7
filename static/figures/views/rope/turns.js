// The angles of four pairs at each position.

import { axis } from "../../numbers/axes.js";
import { fixed, roundHalfEven, significant } from "../../numbers/number-format.js";
import { read } from "../../numbers/parameters.js";
import { ROPE, excludeEachOther, frequencies } from "../../numbers/rope.js";
import { array, counting, highest, names, viewData } from "../../numbers/view-data.js";

const USUAL = { ...ROPE, positions: 6 };
const SHOWN = [0, 1 / 8, 1 / 4, 1 / 2]; // of the pairs have a circle, from the fastest on

export function refuses(parameters) {
  return excludeEachOther(read(parameters, USUAL));
}

export function cells(parameters) {
  return SHOWN.length * read(parameters, USUAL).positions;
}

function shownOf(pairs) {
  if (pairs <= SHOWN.length) return Array.from({ length: pairs }, (_, pair) => pair);
  return [...new Set(SHOWN.map((share) => roundHalfEven(share * (pairs - 1))))];
}

function degrees(radians) {
  return `${fixed(significant(radians * (180 / Math.PI), 3), 10).replace(/\.?0+$/, "")}°`;
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { positions } = given;
  const inv_freq = frequencies(given, positions);
  const pairs = shownOf(inv_freq.length);
  const angles = new Float64Array(pairs.length * positions);
  angles.forEach((_, one) => {
    angles[one] = (one % positions) * inv_freq[pairs[Math.floor(one / positions)]];
  });
  const unit = (label) => axis(label, [-1, 1], [-1, 0, 1], ["−1", "0", "1"]);
  return viewData({
    kind: "circles",
    scale: "cyclic",
    values: array([pairs.length, positions], angles),
    x: unit("first dimension of the pair"),
    y: unit("second dimension of the pair"),
    limits: [0, Math.max(highest(angles), 1e-9)],
    unit: "radians",
    series: pairs.map((pair) => `pair ${pair}: ${degrees(inv_freq[pair])}`),
    row_noun: "pair",
    row_names: names(pairs),
    column_noun: "position",
    column_names: names(counting(positions)),
  });
}
