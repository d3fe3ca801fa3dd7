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

export async function ask(address, query, version) {
  let response;
  try {
    response = await fetch(`${address}?${query}&v=${encodeURIComponent(version)}`);
  } catch {
    throw new Unreachable(
      navigator.onLine ? "The server is not responding." : "You seem to be offline.",
    );
  }
  if (response.ok) return response.json();
  if (response.status === 400) throw new Refused(await response.json());
  // A 429 lasts until this visitor is below a limit again, for minutes perhaps.
  if (response.status === 503 || response.status === 429) {
    const seconds = Math.min(Number(response.headers.get("Retry-After")) || 1, response.status === 503 ? 10 : 999);
    throw new Unreachable(`The server is busy for the next ${seconds} s.`, seconds * 1000);
  }
  throw new Unreachable(`The server answered with an error (${response.status}).`);
}
