// The penalty of each query and key for one head.

import { ALIBI, slopesOf } from "../../numbers/alibi.js";
import { read } from "../../numbers/parameters.js";
import { mapOfPairs } from "../../numbers/pictures.js";
import { array, highest } from "../../numbers/view-data.js";

const USUAL = { ...ALIBI, tokens: 32, head: 1 };
const BEND = 0.1; // of the logarithmic colours: below it they are nearly linear

export function cells(parameters) {
  return read(parameters, USUAL).tokens ** 2;
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { tokens, head, n_heads, form } = given;
  const slopes = slopesOf(given);
  const slope = slopes[Math.min(head, n_heads) - 1];
  const values = new Float64Array(tokens * tokens);
  values.forEach((_, one) => {
    const distance = Math.floor(one / tokens) - (one % tokens);
    values[one] = form === "causal" && distance < 0 ? NaN : slope * Math.abs(distance);
  });
  const steepest = highest(slopes) * (tokens - 1);
  return mapOfPairs(array([tokens, tokens], values), {
    scale: "magnitude",
    limits: [0, steepest],
    unit: "penalty",
    bend: BEND,
    bar_ticks: [0.1, 0.5, 2, 8].filter((tick) => tick < steepest / 1.5),
    masked: "later keys, which a causal mask hides",
  });
}
