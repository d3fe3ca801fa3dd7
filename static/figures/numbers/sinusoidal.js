// The sinusoidal encoding, as posenc/catalog/sinusoidal/encoding.py has it.

import { eachLine } from "./turns.js";

export const SINUSOIDAL = { d_model: 512, base: 10000, grid: "paper", layout: "interleaved" };

export function sinusoidal({ d_model, base, grid, layout }) {
  const paper = grid === "paper";
  const pairs = paper ? Math.ceil(d_model / 2) : Math.floor(d_model / 2);
  const [step, below] = paper ? [2, d_model] : [1, Math.max(Math.floor(d_model / 2) - 1, 1)];
  const power = (_, pair) => base ** -((step * pair) / below);
  const inv_freq = Float64Array.from({ length: pairs }, power);
  const wavelengths = inv_freq.map((frequency) => (2 * Math.PI) / frequency);
  return { d_model, base, grid, layout, inv_freq, wavelengths };
}

// The kind of a dimension, "sine", "cosine" or "zero", and its pair.
export function column({ layout, inv_freq }, dimension) {
  const pairs = inv_freq.length;
  const between = layout === "interleaved";
  const pair = between ? Math.floor(dimension / 2) : dimension % pairs;
  const wave = between ? dimension % 2 : Math.floor(dimension / pairs);
  if (pair >= pairs || wave > 1) return { wave: "zero", pair: pairs };
  return { wave: wave ? "cosine" : "sine", pair };
}

// The kind of each column of the code, in words.
export function kindsOf(encoding) {
  const words = { sine: "sines", cosine: "cosines", zero: "always zero" };
  const kind = (_, dimension) => words[column(encoding, dimension).wave];
  return Array.from({ length: encoding.d_model }, kind);
}

// The codes of positions 0 .. rows - 1, (rows, d_model): line by line for the colours of a step, at
// once in `data` for those that ask. `grouped` has all sines first.
export function table(encoding, rows) {
  const { d_model: columns, layout, inv_freq } = encoding;
  const lines = (write) => eachLine({ rows, columns, inv_freq, interleaved: layout === "interleaved" }, write);
  let data;
  return {
    shape: [rows, columns],
    lines,
    grouped: () => table({ ...encoding, layout: "concatenated" }, rows),
    get data() {
      if (!data) {
        data = new Float64Array(rows * columns);
        lines((line, row) => data.set(line, row * columns));
      }
      return data;
    },
  };
}
