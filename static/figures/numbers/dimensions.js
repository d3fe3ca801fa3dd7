// Single dimensions of the sinusoidal code as curves, as posenc/catalog/sinusoidal/waves.py has
// them.

import { axis, endAxis } from "./axes.js";
import { fixed, grouped } from "./number-format.js";
import { column } from "./sinusoidal.js";
import { array, counting, linspace, names, viewData } from "./view-data.js";

const MOST_POINTS = 2400; // of one curve; a picture has fewer px

// 13.1 or 43 469
function turn(wavelength) {
  return wavelength >= 1000 ? grouped(Math.floor(wavelength + 0.5)) : fixed(wavelength, 1);
}

// A wave with fewer than four points to a turn goes from end to end of its range instead: the
// points alone would make a slow wave that is not there.
function swings({ wavelengths }, { wave, pair }, positions) {
  const step = positions.length > 1 ? positions[1] - positions[0] : 0;
  return wave !== "zero" && step > Math.max(wavelengths[pair] / 4, 1);
}

function waves(encoding, shown, positions) {
  const values = new Float64Array(shown.length * positions.length);
  shown.forEach((dimension, row) => {
    const { wave, pair } = column(encoding, dimension);
    if (wave === "zero") return;
    const first = row * positions.length;
    const sparse = swings(encoding, { wave, pair }, positions);
    const at = wave === "cosine" ? Math.cos : Math.sin;
    positions.forEach((position, one) => {
      const swing = one % 2 ? 1 : -1;
      values[first + one] = sparse ? swing : at(position * encoding.inv_freq[pair]);
    });
  });
  return array([shown.length, positions.length], values);
}

export function panelOf(encoding, shown, positions, title = "") {
  const every = positions <= MOST_POINTS;
  const steps = every ? positions - 1 : MOST_POINTS;
  const finer = Math.max(1, Math.min(8, Math.floor(MOST_POINTS / Math.max(steps, 1))));
  const fine = linspace(0, positions - 1, finer * steps + 1);
  const drawn = every ? counting(positions) : fine;
  const slowness = shown.filter((_, one) => one % 2 === 0);
  const turns = slowness.map((one) => turn(encoding.wavelengths[column(encoding, one).pair]));
  return viewData({
    kind: "curves",
    scale: "signed_unit",
    values: waves(encoding, shown, drawn),
    x: endAxis("position", positions - 1, drawn),
    y: axis("value", [-1, 1], [-1, 0, 1], ["−1", "0", "1"]),
    limits: [-1, 1],
    title: title || `d_model ${encoding.d_model}: waves ${turns.join(", ")}`,
    series: shown.map((one) => `j = ${one} (${column(encoding, one).wave})`),
    row_noun: "dimension",
    row_names: shown.map((one) =>
      swings(encoding, column(encoding, one), drawn) ? `${one} (drawn from end to end)` : String(one),
    ),
    column_noun: "position",
    column_names: Array.from(drawn, (at) => fixed(at, every ? 0 : 1)),
    between: { x: array([fine.length], fine), values: waves(encoding, shown, fine) },
  });
}

// Panels as one picture; the table has a row for each name.
export function several(panels, { rows, values, beside }) {
  const [{ x, y, series }] = panels;
  return viewData({
    kind: "panels",
    scale: "signed_unit",
    values,
    x,
    y,
    limits: [-1, 1],
    series,
    row_noun: "dimension",
    row_names: rows,
    column_noun: "position",
    column_names: names(counting(values.shape[1])),
    panels,
    panel_columns: beside,
  });
}
