// Which parameters the server takes for a picture: the page draws no others.

function isTaken(given, limits) {
  if (limits.every((one) => typeof one === "string")) return limits.includes(String(given));
  const [low, high, multiple] = limits;
  const number = String(given).trim() === "" ? NaN : Number(given);
  const isWithin = (low === null || number >= low) && (high === null || number <= high);
  return Number.isFinite(number) && isWithin && (!multiple || number % multiple === 0);
}

// `limits` has [least, most, multiple of] for each number and the texts of everything else.
export function areTaken(parameters, limits) {
  return Object.entries(limits).every(([name, one]) => isTaken(parameters[name], one));
}
