// Slow dimensions in a short text and in many positions.

import { panelOf, several } from "../../numbers/dimensions.js";
import { grouped, roundHalfEven } from "../../numbers/number-format.js";
import { read } from "../../numbers/parameters.js";
import { SINUSOIDAL, sinusoidal } from "../../numbers/sinusoidal.js";

const USUAL = { ...SINUSOIDAL, positions: 45000 };
const SLOW = [0.72, 0.8, 0.88, 0.96]; // of d_model: sines whose turns take thousands of positions
const SHORT = 100; // positions of a short text

export function cells() {
  return SLOW.length * 2 * 2400;
}

export function compute(parameters) {
  const given = read(parameters, USUAL);
  const { positions, layout, d_model } = given;
  const encoding = sinusoidal(given);
  const last = encoding.inv_freq.length - 1;
  const pairs = SLOW.map((share) => Math.min(roundHalfEven((share * d_model) / 2), last));
  const shown = [...new Set(pairs)].map((pair) => (layout === "interleaved" ? 2 * pair : pair));
  const near = panelOf(encoding, shown, SHORT, `the first ${SHORT} positions`);
  const far = panelOf(encoding, shown, positions, `${grouped(positions)} positions`);
  return several([near, far], {
    rows: shown.map((j) => `dimension ${j}`),
    values: near.values,
    beside: 2,
  });
}
