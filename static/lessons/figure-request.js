// Asking the server for a figure, and telling apart what can go wrong.

// The parameters cannot be used: `messages` has a sentence for each of them.
export class Refused extends Error {
  constructor(messages) {
    super("refused");
    this.messages = messages;
  }
}

// Nothing wrong with the parameters: the server is busy or out of reach.
export class Unreachable extends Error {
  constructor(message, retryMs) {
    super(message);
    this.retryMs = retryMs;
  }
}

// This visitor has used up what the server computes for one person or one address, until `retryMs`.
export class Limited extends Unreachable {}

export async function ask(address, query, version) {
  let response;
  try {
    response = await fetch(`${address}?${query}&v=${encodeURIComponent(version)}`);
  } catch {
    throw new Unreachable(
      navigator.onLine ? "The server does not answer." : "You seem to be offline.",
    );
  }
  if (response.ok) return response.json();
  if (response.status === 400) throw new Refused(await response.json());
  const seconds = Number(response.headers.get("Retry-After")) || 1;
  if (response.status === 503) throw new Unreachable("The server is busy.", Math.min(seconds, 10) * 1000);
  if (response.status === 429) throw new Limited("You asked for many or large pictures in a short time.", seconds * 1000);
  throw new Unreachable(`The server answered with an error (${response.status}).`);
}
