// How many layers it takes from each key to each query through windows, nothing where there are more.

import { read } from "../../numbers/parameters.js";
import { mapOfPairs } from "../../numbers/pictures.js";
import { array } from "../../numbers/view-data.js";

const USUAL = { tokens: 12, window: 4, layers: 1 };

export function cells(parameters) {
  return read(parameters, USUAL).tokens ** 2;
}

export function compute(parameters) {
  const { tokens, window, layers } = read(parameters, USUAL);
  const values = new Float64Array(tokens * tokens).fill(NaN);
  for (let query = 0; query < tokens; query += 1) {
    for (let distance = 0; distance <= query && distance <= layers * (window - 1); distance += 1) {
      const needed = Math.ceil(distance / Math.max(window - 1, 1));
      values[query * tokens + query - distance] = Math.max(needed, 1);
    }
  }
  return mapOfPairs(array([tokens, tokens], values), {
    scale: "magnitude",
    limits: [0, layers],
    unit: "layers needed",
    masked: layers === 1 ? "not seen" : "no part in the output",
  });
}
