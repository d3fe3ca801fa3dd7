// The code of each position.

import { cellAxis } from "../../numbers/axes.js";
import { groupColumns } from "../../numbers/column-kinds.js";
import { read } from "../../numbers/parameters.js";
import { SINUSOIDAL, kindsOf, sinusoidal, table } from "../../numbers/sinusoidal.js";
import { counting, names, viewData } from "../../numbers/view-data.js";

const USUAL = { ...SINUSOIDAL, positions: 20, position: 3, dimension: 4, group: "none" };
const WORDS = { interleaved: "even = sine, odd = cosine", concatenated: "sines, then cosines" };

export function cells(parameters) {
  const { positions, d_model } = read(parameters, USUAL);
  return positions * d_model;
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { positions, position, dimension, group } = given;
  const encoding = sinusoidal(given);
  const inside = position < positions && dimension < encoding.d_model;
  const data = viewData({
    kind: "heatmap",
    scale: "signed_unit",
    values: table(encoding, positions),
    x: cellAxis(`dimension j (${WORDS[encoding.layout]})`, encoding.d_model, 10),
    y: cellAxis("position", positions, 6),
    limits: [-1, 1],
    cursor: inside ? [position, dimension] : null,
    row_noun: "position",
    row_names: names(counting(positions)),
    column_noun: "dimension",
    column_names: names(counting(encoding.d_model)),
    kinds: kindsOf(encoding),
  });
  return group === "none" ? data : groupColumns(data);
}
