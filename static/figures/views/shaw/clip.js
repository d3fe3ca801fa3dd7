// The row of the table that each relative position, key - query, reads.

import { read } from "../../numbers/parameters.js";
import { stairs } from "../../numbers/pictures.js";
import { counting } from "../../numbers/view-data.js";

const USUAL = { head_dim: 64, clip_distance: 16, on_the_values: true, reach: 24 };

export function cells(parameters) {
  return 2 * read(parameters, USUAL).reach + 1;
}

function zones(far, reach) {
  if (reach <= far || !far) return [];
  return [
    { low: -reach, high: -far - 0.5, label: "clipped: all read row 0" },
    { low: -far - 0.5, high: far + 0.5, label: "a row for each relative position" },
    { low: far + 0.5, high: reach, label: `clipped: all read row ${2 * far}` },
  ];
}

export function compute(parameters) {
  const { clip_distance: far, reach } = read(parameters, USUAL);
  const relative = counting(2 * reach + 1, -reach);
  const rows = relative.map((one) => Math.min(Math.max(one, -far), far) + far);
  return stairs(rows, relative, {
    x_label: "relative position, key − query",
    y_label: "row of the table",
    series: "row",
    column_noun: "relative position",
    unit: "row",
    zones: zones(far, reach),
  });
}
