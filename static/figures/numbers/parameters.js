// The parameters of a figure come as texts of its sliders or as values of JSON.

const TRUE = ["true", "on", "1"];

function readOne(name, given, usual) {
  if (typeof usual === "string") return String(given);
  if (typeof usual === "boolean") return given === true || TRUE.includes(String(given));
  const number = typeof given === "string" && given.trim() === "" ? NaN : Number(given);
  if (!Number.isFinite(number)) throw new RangeError(`${name}=${given}: must be a number`);
  return number;
}

// What is left out takes the value, and all take the kind, that `usual` has under their name.
export function read(given, usual) {
  const values = {};
  for (const [name, value] of Object.entries(usual)) {
    values[name] = given[name] === undefined ? value : readOne(name, given[name], value);
  }
  return values;
}

function isTaken(given, limits) {
  if (limits.every((one) => typeof one === "string")) return limits.includes(String(given));
  const [low, high, multiple] = limits;
  const number = String(given).trim() === "" ? NaN : Number(given);
  const isWithin = (low === null || number >= low) && (high === null || number <= high);
  return Number.isFinite(number) && isWithin && (!multiple || number % multiple === 0);
}

// Whether the server takes them for a picture: the page draws no others. `limits` has [least, most, multiple of] for each
// number and the texts of everything else.
export function areTaken(parameters, limits) {
  return Object.entries(limits).every(([name, one]) => isTaken(parameters[name], one));
}
