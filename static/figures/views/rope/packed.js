// The position of the key minus that of the query, for the keys that queries of two packed documents see.

import { cellAxis } from "../../numbers/axes.js";
import { read } from "../../numbers/parameters.js";
import { array, counting, names, viewData } from "../../numbers/view-data.js";

const USUAL = { first: 3, second: 2, restart: true, separate: true };

export function cells(parameters) {
  const { first, second } = read(parameters, USUAL);
  return (first + second) ** 2;
}

export function compute(parameters) {
  const { first, second, restart, separate } = read(parameters, USUAL);
  const tokens = first + second;
  const values = new Float64Array(tokens * tokens).fill(NaN);
  for (let query = 0; query < tokens; query += 1) {
    for (let key = 0; key <= query; key += 1) {
      const isCrossing = key < first && query >= first;
      if (isCrossing && separate) continue;
      values[query * tokens + key] = key - query + (isCrossing && restart ? first : 0);
    }
  }
  const [farthest, border, end] = [Math.max(tokens - 1, 1), first - 0.5, tokens - 0.5];
  const corners = Float64Array.of(border, end, border, border, -0.5, border);
  return viewData({
    kind: "heatmap",
    scale: "signed_unit",
    values: array([tokens, tokens], values),
    x: cellAxis("column of the key", tokens, 10),
    y: cellAxis("column of the query", tokens, 6),
    limits: [-farthest, farthest],
    unit: "key − query",
    masked: "keys that the query does not see",
    edges: [{ corners: array([3, 2], corners), label: "border between the documents" }],
    square: true,
    row_noun: "query",
    row_names: names(counting(tokens)),
    column_noun: "key",
    column_names: names(counting(tokens)),
  });
}
