// RoPE and the ways to stretch it, as posenc/catalog/rope/scaling.py has them.

export const ROPE = {
  head_dim: 64,
  base: 10000,
  pairing: "adjacent",
  scaling: "none",
  factor: 1,
  trained_length: 2048,
};
const MANY_TURNS = 32; // of YaRN; pages cannot set these four
const FEW_TURNS = 1;
const LOW_FACTOR = 1; // of Llama 3
const HIGH_FACTOR = 4;

// YaRN finds its pairs by a logarithm of the base.
export function excludeEachOther({ scaling, base }) {
  return scaling === "yarn" && base === 1;
}

function unscaled(base, turning) {
  const power = (_, pair) => base ** -((2 * pair) / turning);
  return Float64Array.from({ length: turning / 2 }, power);
}

function ntkBase(base, turning, factor) {
  return turning === 2 ? base : base * factor ** (turning / (turning - 2));
}

function clip(value) {
  return Math.min(Math.max(value, 0), 1);
}

function yarn(inv_freq, { base, factor, trained_length }) {
  const turning = 2 * inv_freq.length;
  const pairWith = (turns) =>
    (turning * Math.log(trained_length / (turns * 2 * Math.PI))) / (2 * Math.log(base));
  const low = Math.max(Math.floor(pairWith(MANY_TURNS)), 0);
  const high = Math.min(Math.ceil(pairWith(FEW_TURNS)), turning - 1);
  if (high < low) return high < 0 ? inv_freq.map((one) => one / factor) : inv_freq;
  const width = high === low ? 0.001 : high - low;
  return inv_freq.map((one, pair) => {
    const ramp = clip((pair - low) / width);
    return (one / factor) * ramp + one * (1 - ramp);
  });
}

function llama3(inv_freq, { factor, trained_length }) {
  return inv_freq.map((one) => {
    const turns = (trained_length * one) / (2 * Math.PI);
    const blend = clip((turns - LOW_FACTOR) / (HIGH_FACTOR - LOW_FACTOR));
    return (one / factor) * (1 - blend) + one * blend;
  });
}

// Radians per token of each pair, for a text of `length` tokens.
export function frequencies(rope, length) {
  const { head_dim, base, scaling, factor, trained_length } = rope;
  if (scaling === "ntk") return unscaled(ntkBase(base, head_dim, factor), head_dim);
  if (scaling === "dynamic-ntk") {
    const stretch = 1 + (factor * Math.max(length - trained_length, 0)) / trained_length;
    return unscaled(ntkBase(base, head_dim, stretch), head_dim);
  }
  const inv_freq = unscaled(base, head_dim);
  if (scaling === "linear") return inv_freq.map((one) => one / factor);
  if (scaling === "yarn") return yarn(inv_freq, rope);
  return scaling === "llama3" ? llama3(inv_freq, rope) : inv_freq;
}
