// Sines and cosines of the multiples of angles, by angle addition: a row is the product of the turn
// of its block of 32 rows and of its place in the block, so that a picture of n rows needs the
// sines of 32 + n / 32 of them. Errors do not grow from row to row, as they would if each row came
// from the one before.

const BLOCK = 32;

function wavesAt(inv_freq, positions) {
  const pairs = inv_freq.length;
  const cos = new Float64Array(positions.length * pairs);
  const sin = new Float64Array(positions.length * pairs);
  positions.forEach((position, row) => {
    for (let pair = 0; pair < pairs; pair += 1) {
      const angle = position * inv_freq[pair];
      cos[row * pairs + pair] = Math.cos(angle);
      sin[row * pairs + pair] = Math.sin(angle);
    }
  });
  return { cos, sin };
}

// Calls write(row, blocks, block, places, place) for each of `count` rows at start, start + step
// ...: the waves of its block begin at index `block` of `blocks`, those of its place at `place`.
function eachRow(inv_freq, count, { start, step }, write) {
  const pairs = inv_freq.length;
  const multiples = (many, by, from) => Array.from({ length: many }, (_, one) => from + one * by);
  const blocks = wavesAt(inv_freq, multiples(Math.ceil(count / BLOCK), BLOCK * step, start));
  const places = wavesAt(inv_freq, multiples(Math.min(count, BLOCK), step, 0));
  for (let row = 0; row < count; row += 1) {
    const block = Math.floor(row / BLOCK) * pairs;
    write(row, blocks, block, places, (row % BLOCK) * pairs);
  }
}

// Calls write(line, row) with the waves of positions 0 .. rows - 1, in the columns of a table. The
// line is the same array each time: a whole table of 512 x 512 would be out of the processor's
// nearest cache before its numbers are made colours of, and be litter after.
export function eachLine({ rows, columns, inv_freq, interleaved }, write) {
  const pairs = inv_freq.length;
  const cosines = Math.min(pairs, columns - pairs);
  const [apart, later] = interleaved ? [2, 1] : [1, pairs];
  const line = new Float64Array(columns);
  eachRow(inv_freq, rows, { start: 0, step: 1 }, (row, blocks, block, places, place) => {
    for (let pair = 0; pair < pairs; pair += 1) {
      const cosB = blocks.cos[block + pair];
      const sinB = blocks.sin[block + pair];
      const cosP = places.cos[place + pair];
      const sinP = places.sin[place + pair];
      const sine = apart * pair;
      line[sine] = sinB * cosP + cosB * sinP;
      if (pair < cosines) line[sine + later] = cosB * cosP - sinB * sinP;
    }
    write(line, row);
  });
}

// The sum of cos(position * inv_freq) over the pairs, at 0, step, 2 step ...
export function sumOfCosines(inv_freq, count, step = 1) {
  const sums = new Float64Array(count);
  eachRow(inv_freq, count, { start: 0, step }, (row, blocks, block, places, place) => {
    let sum = 0;
    for (let pair = 0; pair < inv_freq.length; pair += 1) {
      sum += blocks.cos[block + pair] * places.cos[place + pair];
      sum -= blocks.sin[block + pair] * places.sin[place + pair];
    }
    sums[row] = sum;
  });
  return sums;
}
