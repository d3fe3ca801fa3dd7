// Computes what /draws asks for and sends each result to /results/N: the JSON of the ViewData with
// every array as its place in the numbers that follow.

function packed(result) {
  const arrays = [];
  const json = JSON.stringify(result, (_, value) => {
    if (!(value instanceof Float64Array)) return value;
    arrays.push(value);
    return { array: arrays.length - 1, length: value.length };
  });
  const text = new TextEncoder().encode(json);
  return new Blob([new Uint32Array([text.length]), text, ...arrays]);
}

async function computed({ module, most, parameters }) {
  try {
    const { cells, compute } = await import(`/figures/views/${module}`);
    const count = cells(parameters);
    return count > most ? { cells: count } : { cells: count, data: compute(parameters) };
  } catch (error) {
    return { error: `${error.name}: ${error.message} ${error.stack}` };
  }
}

const draws = await (await fetch("/draws")).json();
for (const [number, draw] of draws.entries()) {
  await fetch(`/results/${number}`, { method: "POST", body: packed(await computed(draw)) });
}
await fetch("/done", { method: "POST", body: "" });
document.title = "Done";
