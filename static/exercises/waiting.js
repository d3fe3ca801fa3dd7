// What waits in the queue names the address that has its answer, and how long to wait before asking there.

export const AFTER_FAILURE_MS = 2000;

// Calls `take` with the HTML that comes, unless something newer has taken the place of `waiting`.
export function waitFor(waiting, take, addressOf = () => waiting.dataset.ask) {
  const ask = async () => {
    let answer = "";
    let isGone = false;
    try {
      const response = await fetch(addressOf(), { headers: { "HX-Request": "true" } });
      if (response.ok) answer = await response.text();
      isGone = response.status === 404; // deleted after an hour, or somebody else is signed in now
    } catch {
      // No connection just now: asked again below.
    }
    if (!waiting.isConnected) return;
    if (answer) take(answer);
    else if (isGone) waiting.textContent = "This result was deleted. Send the code again.";
    else setTimeout(ask, AFTER_FAILURE_MS);
  };
  setTimeout(ask, Number(waiting.dataset.askAfterMs));
}
