// The attention weights of tokens that are all the same: a query shares its weight equally.

import { read } from "../../numbers/parameters.js";
import { mapOfPairs } from "../../numbers/pictures.js";
import { array } from "../../numbers/view-data.js";

const USUAL = { tokens: 12, causal: true };

export function cells(parameters) {
  return read(parameters, USUAL).tokens ** 2;
}

export function compute(parameters) {
  const { tokens, causal } = read(parameters, USUAL);
  const values = new Float64Array(tokens * tokens);
  for (let query = 0; query < tokens; query += 1) {
    const seen = causal ? query + 1 : tokens;
    values.fill(1 / seen, query * tokens, query * tokens + seen);
  }
  return mapOfPairs(array([tokens, tokens], values), {
    scale: "magnitude",
    limits: [0, 1],
    unit: "attention weight",
  });
}
