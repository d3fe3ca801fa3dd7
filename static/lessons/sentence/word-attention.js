// Attention over words, as quizzes/lessons/sentence/word_attention.py has it: a reader's sentence never
// leaves the browser, so its weights and outputs are computed here.

export const DIMENSIONS = 8;
const LARGEST = 1.5;

export function wordVector(word) {
  let state = 2166136261;
  for (const byte of new TextEncoder().encode(word.toLowerCase())) state = Math.imul(state ^ byte, 16777619);
  return Array.from({ length: DIMENSIONS }, () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return LARGEST * (2 * (((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) - 1);
  });
}

function code(position) {
  return Array.from({ length: DIMENSIONS }, (_, column) => {
    const angle = position / 10000 ** ((column - (column % 2)) / DIMENSIONS);
    return column % 2 ? Math.cos(angle) : Math.sin(angle);
  });
}

// One row of each for every word: how it shares its attention, and what it gets for it.
export function attend(words, { positions = false, causal = false } = {}) {
  const rows = words.map((word, position) => {
    const vector = wordVector(word);
    const added = positions ? code(position) : null;
    return added ? vector.map((value, column) => value + added[column]) : vector;
  });
  const weights = rows.map((query, place) => {
    const seen = causal ? rows.slice(0, place + 1) : rows;
    const scores = seen.map((key) => dot(query, key) / Math.sqrt(DIMENSIONS));
    const most = Math.max(...scores);
    const raised = scores.map((score) => Math.exp(score - most));
    const sum = raised.reduce((total, weight) => total + weight, 0);
    return rows.map((_, key) => (raised[key] ?? 0) / sum);
  });
  const outputs = weights.map((shares) =>
    Array.from({ length: DIMENSIONS }, (_, column) => dot(shares, rows.map((row) => row[column]))),
  );
  return { weights, outputs };
}

function dot(left, right) {
  return left.reduce((total, value, at) => total + value * right[at], 0);
}
