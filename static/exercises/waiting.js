// What waits in the queue names the address that has its answer, and how long to wait before asking there.

const AFTER_FAILURE_MS = 2000;

// Calls `take` with the HTML that comes, unless something newer has taken the place of `waiting`.
export function waitFor(waiting, take, addressOf = () => waiting.dataset.ask) {
  const ask = async () => {
    let answer = "";
    try {
      const response = await fetch(addressOf(), { headers: { "HX-Request": "true" } });
      if (response.ok) answer = await response.text();
    } catch {
      // No connection just now: asked again below.
    }
    if (!waiting.isConnected) return;
    if (answer) take(answer);
    else setTimeout(ask, AFTER_FAILURE_MS);
  };
  setTimeout(ask, Number(waiting.dataset.askAfterMs));
}
