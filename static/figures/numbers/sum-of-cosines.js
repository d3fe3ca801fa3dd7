// Sums of cosines over the pairs of an encoding, from blocks of rows as in turns.js.

import { BLOCK, wavesAt } from "./turns.js";

// The sum of cos(position * inv_freq) over the pairs, at 0, step, 2 step ...
export function sumOfCosines(inv_freq, count, step = 1) {
  const pairs = inv_freq.length;
  const blocks = wavesAt(inv_freq, Math.ceil(count / BLOCK), BLOCK * step, 0);
  const places = wavesAt(inv_freq, Math.min(count, BLOCK), step, 0);
  const sums = new Float64Array(count);
  for (let row = 0; row < count; row += 1) {
    const block = Math.floor(row / BLOCK) * pairs;
    const place = (row % BLOCK) * pairs;
    for (let pair = 0; pair < pairs; pair += 1) {
      sums[row] += blocks.cos[block + pair] * places.cos[place + pair];
      sums[row] -= blocks.sin[block + pair] * places.sin[place + pair];
    }
  }
  return sums;
}
