// ALiBi, as posenc/catalog/alibi has it.

export const ALIBI = { n_heads: 8, rule: "authors", form: "symmetric" };
export const NOTICED = 10; // nats

function geometric(heads) {
  return Array.from({ length: heads }, (_, head) => 2 ** ((-8 * (head + 1)) / heads));
}

export function slopesOf({ n_heads, rule }) {
  if (rule === "geometric") return geometric(n_heads);
  const lower = 2 ** (31 - Math.clz32(n_heads));
  const between = geometric(2 * lower).filter((_, head) => head % 2 === 0);
  return [...geometric(lower), ...between.slice(0, n_heads - lower)];
}
