// From values to indices of colours, as posenc/figures/cells.py finds them.

import { kindStarts } from "./groups.js";

export function colourShare(value, [low, high], bend) {
  if (bend) return Math.log1p((value - low) / bend) / Math.log1p((high - low) / bend);
  return (value - low) / (high - low);
}

// Of values that come line by line, or all in one line.
export function colourIndices(values, limits, bend) {
  const [rows, columns] = values.shape;
  const indices = new Uint8Array(rows * columns);
  const { lines = (write) => write(values.data, 0) } = values;
  lines((line, row) => colourLine(line, indices, row * columns, limits, bend));
  return indices;
}

// Whole numbers are compared, and the loop has no other branch: 0.5 ms instead of 0.8 for 512 x 512.
// A value may lie outside the limits, but not millions of times as far as they are apart, nor at infinity.
function colourLine(line, indices, first, limits, bend) {
  if (bend) {
    const shares = line.map((value) => colourShare(value, limits, bend));
    return colourLine(shares, indices, first, [0, 1]);
  }
  const [low, high] = limits;
  const wide = high - low;
  for (let one = 0; one < line.length; one += 1) {
    const index = (256 * ((line[one] - low) / wide)) | 0; // 0 for NaN, which is covered later
    indices[first + one] = index > 255 ? 255 : index < 0 ? 0 : index;
  }
}

// The cells of a heatmap, at most one for each px, and a note about their meaning.
export function cellsDrawn(data, width, height) {
  const mean = data.scale !== "category";
  let values = data.values;
  const notes = [];
  const [rows, columns] = values.shape;
  if (columns > Math.trunc(width)) {
    const starts = columnStarts(columns, Math.trunc(width), data.kinds);
    const ends = [...starts.slice(1), columns];
    values = mean ? meanColumns(values, starts, ends) : takeColumns(values, starts, ends);
    notes.push(note("column", starts, ends, mean, false));
  }
  if (rows > Math.trunc(height)) {
    const every = Math.ceil(rows / Math.trunc(height));
    const starts = Array.from({ length: Math.ceil(rows / every) }, (_, one) => one * every);
    const ends = [...starts.slice(1), rows];
    values = mean ? meanRows(values, starts, ends) : takeRows(values, starts, ends);
    notes.push(note("row", starts, ends, mean, true));
  }
  return { values, note: notes.join(" ") };
}

// The first column behind each px: those whose middle is in that px. Where two kinds meet within a
// px, it is left to the one that has more of it.
function columnStarts(count, pixels, kinds) {
  const ends = Array.from(
    { length: pixels + 1 },
    (_, pixel) => -Math.floor((pixels - 2 * count * pixel) / (2 * pixels)),
  );
  for (const meeting of kindStarts(kinds)) {
    let pixel = ends.findIndex((end) => end > meeting);
    pixel = (pixel < 0 ? ends.length : pixel) - 1;
    const left = meeting - ends[pixel];
    const right = ends[pixel + 1] - meeting;
    if (left) ends[left >= right && pixel + 1 < pixels ? pixel + 1 : pixel] = meeting;
  }
  return ends.slice(0, -1);
}

function meanColumns({ shape: [rows, columns], data }, starts, ends) {
  const drawn = new Float64Array(rows * starts.length);
  for (let row = 0; row < rows; row += 1) {
    for (let pixel = 0; pixel < starts.length; pixel += 1) {
      let sum = 0;
      for (let one = starts[pixel]; one < ends[pixel]; one += 1) sum += data[row * columns + one];
      drawn[row * starts.length + pixel] = sum / (ends[pixel] - starts[pixel]);
    }
  }
  return { shape: [rows, starts.length], data: drawn };
}

function meanRows({ shape: [, columns], data }, starts, ends) {
  const drawn = new Float64Array(starts.length * columns);
  starts.forEach((start, pixel) => {
    for (let column = 0; column < columns; column += 1) {
      let sum = 0;
      for (let row = start; row < ends[pixel]; row += 1) sum += data[row * columns + column];
      drawn[pixel * columns + column] = sum / (ends[pixel] - start);
    }
  });
  return { shape: [starts.length, columns], data: drawn };
}

function middles(starts, ends) {
  return starts.map((start, one) => start + Math.floor((ends[one] - start) / 2));
}

function takeColumns({ shape: [rows, columns], data }, starts, ends) {
  const kept = middles(starts, ends);
  const drawn = new Float64Array(rows * kept.length);
  for (let row = 0; row < rows; row += 1) {
    kept.forEach((column, pixel) => {
      drawn[row * kept.length + pixel] = data[row * columns + column];
    });
  }
  return { shape: [rows, kept.length], data: drawn };
}

function takeRows({ shape: [, columns], data }, starts, ends) {
  const kept = middles(starts, ends);
  const drawn = new Float64Array(kept.length * columns);
  kept.forEach((row, pixel) => {
    drawn.set(data.subarray(row * columns, (row + 1) * columns), pixel * columns);
  });
  return { shape: [kept.length, columns], data: drawn };
}

function note(noun, starts, ends, mean, even) {
  const sizes = starts.map((start, one) => ends[one] - start);
  const [least, most] = [Math.min(...sizes), Math.max(...sizes)];
  if (!mean) return `Each ${noun} of pixels is one of ${most} ${noun}s.`;
  if (even || least === most) return `Each ${noun} of pixels is the mean of ${most} ${noun}s.`;
  if (least === 1) return `Some ${noun}s are drawn together: a ${noun} of pixels is the mean of at most ${most}.`;
  return `Each ${noun} of pixels is the mean of ${least} to ${most} ${noun}s.`;
}
