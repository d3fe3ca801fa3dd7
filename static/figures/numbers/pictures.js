// Pictures that many encodings share, as posenc/pictures.py makes them.

import { cellAxis, exactly, numberAxis } from "./axes.js";
import { array, counting, highest, lowest, names, viewData } from "./view-data.js";

// The heatmap of one value for each query and key.
export function mapOfPairs(values, fields) {
  const [queries, keys] = values.shape;
  return viewData({
    kind: "heatmap",
    values,
    x: cellAxis("position of the key", keys, 10),
    y: cellAxis("position of the query", queries, 6),
    square: true,
    row_noun: "query",
    row_names: names(counting(queries)),
    column_noun: "key",
    column_names: names(counting(keys)),
    ...fields,
  });
}

// One curve of whole numbers over `at`, flat around each of them, rising between two.
export function stairs(values, at, { x_label, y_label, series, ...fields }) {
  const y = numberAxis(y_label, Math.min(lowest(values), 0), Math.max(highest(values), 0));
  const [first, last] = [at[0], at.at(-1)];
  const ends = new Float64Array(2 * at.length);
  const twice = new Float64Array(2 * at.length);
  at.forEach((point, one) => {
    ends[2 * one] = Math.max(point - 0.5, first);
    ends[2 * one + 1] = Math.min(point + 0.5, last);
    twice.fill(values[one], 2 * one, 2 * one + 2);
  });
  return viewData({
    kind: "curves",
    scale: "category",
    values: array([1, at.length], values),
    x: exactly(numberAxis(x_label, first, last), at),
    y,
    limits: y.limits,
    between: { x: array([ends.length], ends), values: array([1, ends.length], twice) },
    series: [series],
    row_noun: "curve",
    row_names: [series],
    column_names: names(at),
    ...fields,
  });
}
